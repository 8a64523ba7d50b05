/** The signature of all line readers. */
import type { InventoryLine } from './inventory-pieces.ts';
import type { MachineDraft } from './machine-draft.ts';

/**
 * Reads from the line at `at` and returns the number of lines that it consumed: 0 when the line is not in its format. A reader
 * looks at only a few lines ahead before it consumes any, so that all readers together stay linear.
 */
export type LineReader = (
  lines: readonly InventoryLine[],
  at: number,
  draft: MachineDraft,
) => number;

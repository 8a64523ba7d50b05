/** The form of all readers of lines. */
import type { InventoryLine } from './inventory-pieces.ts';
import type { MachineDraft } from './machine-draft.ts';

/**
 * Reads from the line at `at`, and returns how many lines were its own: 0 when it is none of its format. It looks at a few lines
 * further at most before it takes any, so that all readers together stay linear.
 */
export type LineReader = (
  lines: readonly InventoryLine[],
  at: number,
  draft: MachineDraft,
) => number;

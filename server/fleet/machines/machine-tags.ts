/** Joins the tags that a machine reports with those that people put on it. */
import { fold } from '@patch/catalogue/definition/fold.ts';

/** Reads tags as they are stored, a line each. */
export const splitTags = (stored: string): readonly string[] =>
  stored.split('\n').filter((tag) => tag !== '');

/** Returns the tags of all lists in their order by letters, each once: the spelling of the first list wins. */
export function joinTags(...lists: readonly (readonly string[])[]): string[] {
  const byFolded = new Map<string, string>();
  for (const tag of lists.flat()) {
    const folded = fold(tag);
    if (!byFolded.has(folded)) byFolded.set(folded, tag);
  }
  return [...byFolded].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, tag]) => tag);
}

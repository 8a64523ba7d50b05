/** The rows that a person has marked, over all pages of a search, in the order in which they were marked. */
import { useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** All rows that meet the search, those of pages that were never shown included. */
  readonly allMatching: boolean;
  readonly toggle: (id: number) => void;
  /** Marks all of them, or none when all are marked already. */
  readonly togglePage: (ids: readonly number[]) => void;
  readonly markAllMatching: () => void;
  readonly clear: () => void;
}

const nothing: ReadonlySet<number> = new Set();

/** With a cap (0: none) the oldest marks give way to the newest. */
export function marked(
  before: ReadonlySet<number>,
  ids: readonly number[],
  cap: number,
): ReadonlySet<number> {
  const all = [...new Set([...before, ...ids])];
  return new Set(cap > 0 ? all.slice(-cap) : all);
}

export function unmarked(before: ReadonlySet<number>, ids: readonly number[]): ReadonlySet<number> {
  return new Set([...before].filter((id) => !ids.includes(id)));
}

/** Another search begins with nothing marked; `search` is what tells one from another. */
export function useSelectedRows(search: string, maxAllowedSelection = 0): Selection {
  const [kept, setKept] = useState({ search, ids: nothing, allMatching: false });
  const { ids, allMatching } = kept.search === search ? kept : { ids: nothing, allMatching: false };
  const become = (next: ReadonlySet<number>, all = false) =>
    setKept({ search, ids: next, allMatching: all });
  return {
    ids,
    allMatching,
    toggle: (id) =>
      become(ids.has(id) ? unmarked(ids, [id]) : marked(ids, [id], maxAllowedSelection)),
    togglePage: (page) =>
      become(
        page.every((id) => ids.has(id))
          ? unmarked(ids, page)
          : marked(ids, page, maxAllowedSelection),
      ),
    markAllMatching: () => become(ids, true),
    clear: () => become(nothing),
  };
}

/** Rows that the user has marked on all pages of a search, in the order of marking. */
import { useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<number>;
  /** True when all matching rows are marked, including those of other pages. */
  readonly allMatching: boolean;
  readonly toggle: (id: number) => void;
  /** Marks all of the rows, or unmarks them when all are marked. */
  readonly togglePage: (ids: readonly number[]) => void;
  readonly markAllMatching: () => void;
  readonly clear: () => void;
}

const noIds: ReadonlySet<number> = new Set();

/**
 * Adds marks and drops the oldest beyond the limit.
 * @param cap - Maximum number of marks; 0 for no limit.
 */
export function addMarks(
  before: ReadonlySet<number>,
  ids: readonly number[],
  cap: number,
): ReadonlySet<number> {
  const all = [...new Set([...before, ...ids])];
  return new Set(cap > 0 ? all.slice(-cap) : all);
}

export function removeMarks(
  before: ReadonlySet<number>,
  ids: readonly number[],
): ReadonlySet<number> {
  return new Set([...before].filter((id) => !ids.includes(id)));
}

/** @param search - Key of the search. A new search clears the marks. */
export function useSelectedRows(search: string, maxAllowedSelection = 0): Selection {
  const [marks, setMarks] = useState({ search, ids: noIds, allMatching: false });
  const { ids, allMatching } = marks.search === search ? marks : { ids: noIds, allMatching: false };
  const update = (next: ReadonlySet<number>, all = false) =>
    setMarks({ search, ids: next, allMatching: all });
  return {
    ids,
    allMatching,
    toggle: (id) =>
      update(ids.has(id) ? removeMarks(ids, [id]) : addMarks(ids, [id], maxAllowedSelection)),
    togglePage: (page) =>
      update(
        page.every((id) => ids.has(id))
          ? removeMarks(ids, page)
          : addMarks(ids, page, maxAllowedSelection),
      ),
    markAllMatching: () => update(ids, true),
    clear: () => update(noIds),
  };
}

/** Finds the rows that match a search, and the rows that fail only the conditions on one field, which the facet of that field counts too. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { ListMemory } from '../memory/list-memory.ts';
import { filterRows } from '../memory/memory-search.ts';
import { RowSet } from '../memory/row-set.ts';

/** The conditions on one field, or the rest of the search. */
export interface Group {
  /** Null for the rest of the search. */
  readonly field: string | null;
  /** Rows that match all conditions of the group. */
  readonly matches: RowSet;
}

export interface FailedGroups {
  /** Count of groups that each row fails, by position. Withdrawn rows have a count that is higher than that of any search. */
  readonly failures: Uint8Array;
  readonly groups: readonly Group[];
  /** Positions of the rows that match the search. */
  readonly found: Uint32Array;
}

const withdrawn = 200;

/**
 * Returns null when a compared text is not in memory, or too many sequences would have to be compared.
 *
 * @param restRows rows that match the keyword and the conditions evaluated by the database; null without those
 */
export function findFailedGroups(
  memory: ListMemory,
  conditions: readonly Condition[],
  restRows: RowSet | null,
): FailedGroups | null {
  const groups: Group[] = restRows === null ? [] : [{ field: null, matches: restRows }];
  for (const [field, own] of Map.groupBy(conditions, ({ name }) => name)) {
    const matches = memory.listedRows();
    for (const condition of own) if (!filterRows(memory, matches, condition)) return null;
    groups.push({ field, matches });
  }
  const failures = new Uint8Array(memory.rows);
  const { listed } = memory;
  for (let row = 0; row < failures.length; row += 1)
    failures[row] = listed[row] === 1 ? 0 : withdrawn;
  for (const { matches } of groups)
    for (let row = 0; row < failures.length; row += 1)
      if (!matches.has(row)) failures[row] = (failures[row] ?? 0) + 1;
  return { failures, groups, found: findPositions(failures, null) };
}

/** Returns the rows with these ids. */
export function toRowSet(memory: ListMemory, ids: readonly number[]): RowSet {
  const rows = new RowSet(memory.rows);
  for (const id of ids) {
    const position = memory.findPosition(id);
    if (position !== undefined) rows.add(position);
  }
  return rows;
}

/** Returns the positions of the rows that the facet of this field counts, which ignores its own conditions. */
export function getCountedRows(
  { failures, groups, found }: FailedGroups,
  field: string,
): Uint32Array {
  const own = groups.find((group) => group.field === field);
  return own === undefined ? found : findPositions(failures, own.matches);
}

/** Returns the positions of rows that fail no group, and of rows that fail only `own`. */
function findPositions(failures: Uint8Array, own: RowSet | null): Uint32Array {
  const positions = new Uint32Array(failures.length);
  let found = 0;
  for (let row = 0; row < failures.length; row += 1) {
    const failed = failures[row];
    if (failed === 0 || (failed === 1 && own !== null && !own.has(row))) {
      positions[found] = row;
      found += 1;
    }
  }
  return positions.subarray(0, found);
}

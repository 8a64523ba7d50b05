/** Which rows of a list in memory meet a search, and which miss it by the conditions on one field alone: those a facet counts too. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { ListMemory } from '../memory/list-memory.ts';
import { keepMeeting } from '../memory/memory-search.ts';
import { RowSet } from '../memory/row-set.ts';

/** The conditions on one field, or what the database has evaluated. */
export interface Group {
  /** Null: not by one field that is held here. */
  readonly field: string | null;
  /** Rows that meet all of them. */
  readonly met: RowSet;
}

export interface FailedGroups {
  /** By position: how many groups the row fails; withdrawn rows fail more than any search has. */
  readonly failures: Uint8Array;
  readonly groups: readonly Group[];
  /** Positions of the rows that meet the search. */
  readonly found: Uint32Array;
}

const withdrawn = 200;

/**
 * `named`: the rows that meet what the database or the keyword's memory has evaluated; null where nothing else is asked. Null: a text
 * is not held, or too much would have to be read for it.
 */
export function failedGroups(
  memory: ListMemory,
  conditions: readonly Condition[],
  named: RowSet | null,
): FailedGroups | null {
  const groups: Group[] = named === null ? [] : [{ field: null, met: named }];
  for (const [field, own] of Map.groupBy(conditions, ({ name }) => name)) {
    const met = memory.listedRows();
    for (const condition of own) if (!keepMeeting(memory, met, condition)) return null;
    groups.push({ field, met });
  }
  const failures = new Uint8Array(memory.rows);
  const { listed } = memory;
  for (let row = 0; row < failures.length; row += 1)
    failures[row] = listed[row] === 1 ? 0 : withdrawn;
  for (const { met } of groups)
    for (let row = 0; row < failures.length; row += 1)
      if (!met.has(row)) failures[row] = (failures[row] ?? 0) + 1;
  return { failures, groups, found: positionsOf(failures, null) };
}

/** The rows with these numbers. */
export function rowsNamed(memory: ListMemory, ids: readonly number[]): RowSet {
  const rows = new RowSet(memory.rows);
  for (const id of ids) {
    const position = memory.positionOf(id);
    if (position !== undefined) rows.add(position);
  }
  return rows;
}

/** Positions of the rows that the facet of this field counts: its own conditions do not matter. */
export function rowsCounted({ failures, groups, found }: FailedGroups, field: string): Uint32Array {
  const own = groups.find((group) => group.field === field);
  return own === undefined ? found : positionsOf(failures, own.met);
}

/** Of the rows that fail nothing, and of those that fail `own` alone. */
function positionsOf(failures: Uint8Array, own: RowSet | null): Uint32Array {
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

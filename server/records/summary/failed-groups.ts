/** Which rows of a list in memory meet a search, and which miss it by the conditions on one field alone: those a facet counts too. */
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { ListMemory } from '../memory/list-memory.ts';
import { numberTest } from '../memory/number-column.ts';

/** The conditions on one field, or what the database has evaluated. */
export interface Group {
  /** Null: not by one field that is held here. */
  readonly field: string | null;
  /** By position: 1 where all of them are met. */
  readonly met: Uint8Array;
}

export interface FailedGroups {
  /** By position: how many groups the row fails; withdrawn rows fail more than any search has. */
  readonly failures: Uint8Array;
  readonly groups: readonly Group[];
  /** Positions of the rows that meet the search. */
  readonly found: Uint32Array;
}

const withdrawn = 200;

/** Whether the condition is about a field that is held: the database need not be asked. */
export const isHeld = (memory: ListMemory, { name }: Condition): boolean =>
  memory.words.has(name) || memory.numbers.has(name);

/** `named`: numbers of the rows that meet what is not held; null when everything is held. */
export function failedGroups(
  memory: ListMemory,
  conditions: readonly Condition[],
  named: readonly number[] | null,
): FailedGroups {
  const byField = Map.groupBy(
    conditions.filter((condition) => isHeld(memory, condition)),
    ({ name }) => name,
  );
  const groups: Group[] = [...byField].map(([field, own]) => ({
    field,
    met: rowsThatMeet(memory, own),
  }));
  if (named !== null) groups.push({ field: null, met: rowsNamed(memory, named) });
  const failures = new Uint8Array(memory.rows);
  const { listed } = memory;
  for (let row = 0; row < failures.length; row += 1)
    failures[row] = listed[row] === 1 ? 0 : withdrawn;
  for (const { met } of groups)
    for (let row = 0; row < failures.length; row += 1)
      failures[row] = (failures[row] ?? 0) + 1 - (met[row] ?? 0);
  return { failures, groups, found: positionsOf(failures, null) };
}

/** Positions of the rows that the facet of this field counts: its own conditions do not matter. */
export function rowsCounted({ failures, groups, found }: FailedGroups, field: string): Uint32Array {
  const own = groups.find((group) => group.field === field);
  return own === undefined ? found : positionsOf(failures, own.met);
}

/** Of the rows that fail nothing, and of those that fail `own` alone. */
function positionsOf(failures: Uint8Array, own: Uint8Array | null): Uint32Array {
  const positions = new Uint32Array(failures.length);
  let found = 0;
  for (let row = 0; row < failures.length; row += 1) {
    const failed = failures[row];
    if (failed === 0 || (failed === 1 && own !== null && own[row] === 0)) {
      positions[found] = row;
      found += 1;
    }
  }
  return positions.subarray(0, found);
}

function rowsThatMeet(memory: ListMemory, conditions: readonly Condition[]): Uint8Array {
  const met = new Uint8Array(memory.rows).fill(1);
  for (const condition of conditions) {
    const words = memory.words.get(condition.name);
    if (words === undefined) {
      const values = memory.numbers.get(condition.name)?.values ?? new Float64Array();
      const meets = numberTest(condition);
      for (let row = 0; row < met.length; row += 1)
        if (!meets(values[row] ?? Number.NaN)) met[row] = 0;
      continue;
    }
    const { codes } = words;
    const meets = words.codesThatMeet(condition);
    for (let row = 0; row < met.length; row += 1) if (meets[codes[row] ?? 0] === 0) met[row] = 0;
  }
  return met;
}

function rowsNamed(memory: ListMemory, ids: readonly number[]): Uint8Array {
  const met = new Uint8Array(memory.rows);
  for (const id of ids) {
    const row = memory.positionOf(id);
    if (row !== undefined) met[row] = 1;
  }
  return met;
}

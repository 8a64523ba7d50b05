/** Counts every operator of every field of a list, in memory and in PostgreSQL, beside a plain evaluation of the stored rows. */
import { getField, isFilterable } from '@patch/catalogue/definition/list-definition.ts';
import { wireOperatorsOfKind } from '@patch/contract/filter/wire-operators.ts';
import {
  conditionText,
  getValue,
  hasWords,
  matchesCondition,
  type PlainCondition,
  type PlainRow,
} from '../../../testing/plain-search.ts';
import { readSearch } from '../../criteria/search-request.ts';
import type { ListMemory } from '../list-memory.ts';
import { findRows } from '../memory-search.ts';
import type { StoredList } from './stored-lists.ts';

export interface CountedCondition {
  readonly filter: string;
  /** Ids of the rows that match. */
  readonly expected: readonly number[];
}

type Scalar = string | number | boolean;

/** Returns conditions with each operator of each field: on stored values, on one that no row has, and on none. */
export function listConditions({ list, fields, rows }: StoredList): readonly CountedCondition[] {
  const names = Object.keys(fields).filter(
    (name) => isFilterable(list, name) && getField(list, name).sealed !== true,
  );
  return names.flatMap((field) => {
    const definition = fields[field];
    if (definition === undefined) return [];
    const values = pickValues(rows, field, definition.kind === 'flag', hasWords(definition));
    return wireOperatorsOfKind(definition.kind)
      .flatMap((operator) => createConditions(field, operator, values))
      .map((condition) => ({
        filter: conditionText(condition, definition),
        expected: rows.filter((row) => matchesCondition(row, condition)).map(({ id }) => id),
      }));
  });
}

function pickValues(
  rows: readonly PlainRow[],
  field: string,
  isFlag: boolean,
  isWords: boolean,
): readonly Scalar[] {
  if (isFlag) return [true, false];
  const stored = rows.flatMap((row) => (getValue(row, field) ?? []) as Scalar | readonly Scalar[]);
  const distinct = [...new Set(stored)];
  const own = [distinct[0], distinct[distinct.length >> 1], distinct.at(-1)];
  const absent = isWords ? 'zzz' : 7.25e6;
  return [...new Set([...own.filter((value) => value !== undefined), absent])];
}

function createConditions(
  field: string,
  operator: string,
  values: readonly Scalar[],
): readonly PlainCondition[] {
  if (operator.endsWith('null')) return [{ field, operator, values: [] }];
  if (operator.endsWith('in'))
    return [values, values.slice(0, 1)].map((own) => ({ field, operator, values: own }));
  if (operator === 'between') {
    const [low = 0, high = 0] = [Number(values[0]), Number(values.at(-1))].toSorted(
      (a, b) => a - b,
    );
    return [{ field, operator, values: [low, high] }];
  }
  if (operator.endsWith('like'))
    return values.map((value) => {
      const literal = String(value)
        .slice(0, 4)
        .replaceAll(/[\\%_]/g, '\\$&');
      return { field, operator, values: [`%${literal}%`] };
    });
  return values.map((value) => ({ field, operator, values: [value] }));
}

/** The search of a condition over all rows, folded ones too. */
export const toSearch = ({ list }: StoredList, filter: string, size = 1_000) =>
  readSearch(
    list,
    { offset: 0, size, sort: 'id' },
    { filter, ...(list.key === 'all_patches' && { includeFolded: true }) },
    { restricted: true, groups: null },
  );

/** Returns the conditions that memory counts differently, and the number of those that it evaluates. */
export function countInMemory(memory: ListMemory, stored: StoredList) {
  const wrong: string[] = [];
  let evaluated = 0;
  for (const { filter, expected } of listConditions(stored)) {
    const rows = findRows(memory, toSearch(stored, filter));
    if (rows === null) continue;
    evaluated += 1;
    const found = [...rows.positions()].map((position) => memory.ids[position]);
    if (found.join() !== expected.join())
      wrong.push(`${stored.list.key}: ${filter}: ${found.join()} instead of ${expected.join()}`);
  }
  return { wrong, evaluated };
}

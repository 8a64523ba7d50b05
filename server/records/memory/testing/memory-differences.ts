/** Compares every column of a list in memory with the stored rows. */

import type { PlainRow } from '../../../testing/plain-search.ts';
import type { WordTest } from '../../criteria/text-pattern.ts';
import type { ListMemory } from '../list-memory.ts';
import type { NumberColumn } from '../number-column.ts';
import type { RowSet } from '../row-set.ts';
import type { StoredList } from './stored-lists.ts';

/** Returns a line for each column that differs. */
export function findDifferences(memory: ListMemory, stored: StoredList): string[] {
  const listed = [...memory.listedRows().positions()];
  const ids = listed.map((position) => memory.ids[position]);
  const complaints: string[] = [];
  const compare = (name: string, found: unknown, expected: unknown) => {
    const [own, other] = [JSON.stringify(found), JSON.stringify(expected)];
    if (own !== other) complaints.push(`${memory.list.key}.${name}: ${own} instead of ${other}`);
  };
  compare(
    'ids',
    ids,
    stored.rows.map(({ id }) => id),
  );
  compare(
    'listed',
    [memory.listedCount, memory.listed.subarray(0, memory.rows).filter(Boolean).length],
    [stored.rows.length, stored.rows.length],
  );
  const inOrder = [...memory.ids].every((id, at) => at === 0 || id > (memory.ids[at - 1] ?? 0));
  compare('order of ids', inOrder, true);
  if (complaints.length > 0) return complaints;
  const toIds = (rows: RowSet | null | undefined) => {
    const own = rows?.copy() ?? memory.listedRows();
    own.intersect(memory.listedRows());
    return [...own.positions()].map((position) => memory.ids[position]);
  };
  const select = (test: (row: PlainRow) => boolean) => stored.rows.filter(test).map(({ id }) => id);
  const cellsOf = (column: string) =>
    stored.rows.map(({ id }) => stored.cells.get(id)?.[column] ?? null);
  for (const [name, column] of memory.words)
    compare(
      name,
      listed.map((position) => column.getElements(column.codes[position] ?? 0)),
      stored.rows.map(({ values }) => toElements(values[name])),
    );
  for (const [name, column] of memory.numbers) {
    const values = stored.rows.map((row) => (row.values[name] ?? null) as number | null);
    const own = listed.map((position) => column.values[position] ?? Number.NaN);
    compare(
      name,
      own.map((value) => (Number.isNaN(value) ? null : value)),
      values,
    );
    for (const { found, expected } of orderOf(memory, column, values))
      compare(`order of ${name}`, found, expected);
  }
  for (const [column, names] of memory.names)
    for (const name of new Set(cellsOf(column)))
      if (typeof name === 'string')
        compare(
          `names ${column}`,
          toIds(names.find([name], memory.rows)),
          select(({ id }) => stored.cells.get(id)?.[column] === name),
        );
  for (const column of memory.textColumns) {
    const texts = memory.getTexts(column);
    if (texts === undefined) continue;
    if (column !== 'keyword') {
      compare(
        column,
        listed.map((position) => texts.getText(position)),
        cellsOf(column),
      );
      continue;
    }
    const words = new Set(
      stored.rows.flatMap((row) => row.words.flatMap((line) => line.split(' '))),
    );
    for (const text of words) {
      const exact: WordTest = { text, anchor: 'exact' };
      const pattern = { kind: 'words', words: [exact], begins: 'none', ends: 'none' } as const;
      compare(
        `keyword ${text}`,
        toIds(texts.find([pattern], memory.rows)),
        select((row) => row.words.some((line) => line.split(' ').includes(text))),
      );
    }
  }
  return complaints;
}

const toElements = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Returns the pages and ranges of a column that keeps its order, beside those of the stored values. */
function orderOf(memory: ListMemory, column: NumberColumn, values: readonly (number | null)[]) {
  const listed = [...memory.listedRows().positions()];
  const everything = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const rows = listed.map((position, at) => ({ position, value: values[at] ?? null }));
  const middle = values.toSorted((a, b) => Number(a) - Number(b))[values.length >> 1] ?? 0;
  const isWithin = (value: number | null, [low, high]: readonly [number, number]) =>
    value === null ? low === everything[0] : value >= low && value <= high;
  return [false, true].flatMap((descending) =>
    [everything, [middle, middle] as const].flatMap((range) => {
      const page = { descending, offset: 0, size: rows.length, range };
      const found = column.page(memory.listedRows(), page);
      const expected = rows
        .filter(({ value }) => isWithin(value, range))
        .toSorted((a, b) => {
          if ((a.value === null) !== (b.value === null)) return a.value === null ? 1 : -1;
          const order = Number(a.value) - Number(b.value) || a.position - b.position;
          return descending ? -order : order;
        })
        .map(({ position }) => position);
      // Only one column of a list keeps its order.
      return found === null ? [] : [{ found, expected }];
    }),
  );
}

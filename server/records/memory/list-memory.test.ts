import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { fieldsInMemory, ListMemory, type ReadRows } from './list-memory.ts';

const alma = getList('almalinux_patch');

const read = (
  rows: readonly (readonly [id: number, severity: string | null, listed?: boolean])[],
): ReadRows => ({
  ids: rows.map(([id]) => id),
  listed: rows.map(([, , listed = true]) => listed),
  fields: new Map([['severity', rows.map(([, severity]) => severity)]]),
  names: new Map(),
});

const severities = (memory: ListMemory) => {
  const column = memory.words.get('severity');
  return Array.from(memory.ids, (id, position) => [
    id,
    column?.getElements(column.codes[position] ?? 0)[0] ?? null,
  ]);
};

test('replaces rows with the same id, and ignores rows that were withdrawn before they were read', () => {
  const memory = new ListMemory(alma);
  memory.write(
    read([
      [1, 'Low'],
      [2, 'Critical'],
      [3, 'Low', false],
    ]),
  );
  memory.write(
    read([
      [2, null],
      [1, 'Low', false],
    ]),
  );
  expect(severities(memory)).toEqual([
    [1, 'Low'],
    [2, null],
  ]);
  expect(memory.listedCount).toBe(1);
});

test('keeps rows in the order of ids when they arrive late or twice', () => {
  const memory = new ListMemory(alma);
  memory.write(
    read([
      [10, 'Low'],
      [30, 'Critical'],
    ]),
  );
  memory.write(
    read([
      [40, 'Important'],
      [20, 'Moderate'],
      [5, null],
      [20, 'Low'],
    ]),
  );
  expect(severities(memory)).toEqual([
    [5, null],
    [10, 'Low'],
    [20, 'Low'],
    [30, 'Critical'],
    [40, 'Important'],
  ]);
  expect([memory.findPosition(30), memory.findPosition(31)]).toEqual([3, undefined]);
});

test('grows to more words than fit into one byte, and to more rows than at the start', () => {
  const memory = new ListMemory(alma);
  const rows = Array.from({ length: 3_000 }, (_, n) => [n + 1, `word ${n % 700}`] as const);
  memory.write(read(rows));
  expect(severities(memory)).toEqual(rows.map(([id, word]) => [id, word]));
});

test('marks missing rows of a range as withdrawn', () => {
  const memory = new ListMemory(alma);
  memory.write(
    read([
      [1, 'Low'],
      [2, 'Low'],
      [3, 'Low'],
      [9, 'Low'],
    ]),
  );
  memory.unlistOthers(0, 3, new Set([2]));
  expect(Array.from(memory.listed.subarray(0, memory.rows))).toEqual([0, 1, 0, 1]);
  expect(memory.listedCount).toBe(2);
});

test('stores facets, choices, flags and dates, and no restricted or daily changing fields', () => {
  expect(fieldsInMemory(alma)).toEqual([
    'releaseDate',
    'severity',
    'category',
    'osVersion',
    'exploited',
  ]);
  expect(fieldsInMemory(getList('floto_user'))).not.toContain('activationCode');
});

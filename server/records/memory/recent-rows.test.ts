/** Rows that are kept of the last searches are those that a new search finds. */
import { createChance } from '@patch/catalogue/testing/chance.ts';
import { expect, test } from 'vitest';
import { RecentRows } from './recent-rows.ts';
import { RowSet } from './row-set.ts';
import { TextColumn } from './text-column.ts';

const texts = ['openssl security update', 'kernel security', 'bash update', 'sec', null] as const;
const words = ['security', 'update', 'e', 'openssl', 'sec', 'missing'];

test('finds what a column that is read anew finds, after random writes and moves', () => {
  const chance = createChance(7);
  const pick = (count: number) => Math.floor(chance() * count);
  const written: (string | null)[] = Array.from(
    { length: 24_000 },
    (_, at) => texts[at % 4] ?? null,
  );
  const column = new TextColumn(true);
  for (const [position, text] of written.entries()) column.write(position, text);
  const find = (own: TextColumn, text: string) => [
    ...(own
      .find(
        [{ kind: 'words', words: [{ text, anchor: 'inside' }], begins: 'none', ends: 'none' }],
        written.length,
      )
      ?.positions() ?? []),
  ];
  for (let turn = 0; turn < 15; turn += 1) {
    for (const word of words) {
      const expected = written.flatMap((text, at) => (text?.includes(word) === true ? [at] : []));
      expect(find(column, word)).toEqual(expected);
      expect(find(column, word)).toEqual(expected);
    }
    if (turn % 5 === 4) {
      const order = Uint32Array.from(written.keys());
      const [one, other] = [pick(written.length), pick(written.length)];
      [order[one], order[other]] = [other, one];
      [written[one], written[other]] = [written[other] ?? null, written[one] ?? null];
      column.reorder(order);
    } else {
      const position = turn % 2 === 0 ? pick(written.length) : written.length;
      written[position] = texts[pick(texts.length)] ?? null;
      column.write(position, written[position] ?? null);
    }
  }
});

test('keeps 16 sets of at least 10,000 rows, those that were asked for last', () => {
  const recent = new RecentRows();
  let searches = 0;
  const find = (word: string, rows: number) =>
    recent.find(word, () => {
      searches += 1;
      return RowSet.fromPositions(
        Uint32Array.from({ length: rows }, (_, position) => position),
        16_000,
      );
    });
  for (let word = 0; word < 16; word += 1) find(`word ${word}`, 10_000);
  expect(recent.bytes).toBe(16 * 2_000);
  find('word 0', 10_000);
  find('word 16', 10_000);
  expect(searches).toBe(17);
  find('word 0', 10_000);
  expect(searches).toBe(17);
  find('word 1', 10_000);
  expect(searches).toBe(18);
  find('rare', 9_999);
  find('rare', 9_999);
  expect(searches).toBe(20);
  expect(recent.bytes).toBe(16 * 2_000);
  recent.clear();
  expect(recent.bytes).toBe(0);
});

/** Texts held in memory are found exactly as LIKE finds them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { literally, matchesLike } from '../criteria/like-pattern.ts';
import { patternOfLike } from '../criteria/text-pattern.ts';
import { TextColumn } from './text-column.ts';

/** Few letters, so that texts share words and parts of words. */
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '-', '.', ' ', ' ', '\n', 'é', '🧩'),
  maxLength: 24,
});
const stored = fc.option(text, { nil: null });

const shapes: readonly ((literal: string) => string)[] = [
  (literal) => literal,
  (literal) => `${literal}%`,
  (literal) => `%${literal}`,
  (literal) => `%${literal}%`,
];

const pattern = fc
  .tuple(
    fc.constantFrom(...shapes),
    text.map((one) => one.replaceAll('\n', '')),
  )
  .map(([shape, literal]) => shape(literally(literal)));

const expected = (rows: readonly (string | null)[], like: string, eachLine: boolean) =>
  rows.flatMap((row, position) => {
    if (row === null) return [];
    const parts = eachLine ? row.split('\n') : [row];
    // An empty line is no value of a field of several values.
    const values = eachLine ? parts.filter((part) => part !== '') : parts;
    return values.some((part) => matchesLike(like, part)) ? [position] : [];
  });

it.each([true, false])('finds what LIKE finds, each line by itself: %s', (eachLine) => {
  fc.assert(
    fc.property(
      fc.array(stored, { minLength: 1, maxLength: 40 }),
      fc.array(fc.tuple(fc.nat(39), stored), { maxLength: 20 }),
      pattern,
      (rows, changes, like) => {
        const column = new TextColumn(true);
        const kept = eachLine ? rows.map(withoutEmptyLines) : [...rows];
        for (const [position, one] of kept.entries()) column.write(position, one);
        for (const [at, one] of changes) {
          const position = at % kept.length;
          kept[position] = eachLine ? withoutEmptyLines(one) : one;
          column.write(position, kept[position] ?? null);
        }
        const found = patternOfLike(like, eachLine ? 'line' : 'text');
        if (found === null) throw new Error(`${like} has one run of text`);
        const positions = column.find(found, kept.length)?.positions();
        expect([...(positions ?? [])]).toEqual(expected(kept, like, eachLine));
      },
    ),
    { numRuns: 5_000 },
  );
});

/** As fields of several values are stored: no value is empty, and none at all is null. */
function withoutEmptyLines(value: string | null): string | null {
  return (
    value
      ?.split('\n')
      .filter((line) => line !== '')
      .join('\n') || null
  );
}

it('puts every text together again as it was written', () => {
  fc.assert(
    fc.property(fc.array(stored, { minLength: 1, maxLength: 20 }), (rows) => {
      const column = new TextColumn(true);
      for (const [position, one] of rows.entries()) column.write(position, one);
      expect(rows.map((_, position) => column.textAt(position))).toEqual(rows);
    }),
  );
});

it('finds a word in each of 100,000 rows, also after most of them were written again', () => {
  const column = new TextColumn(true);
  const rows = 100_000;
  for (let row = 0; row < rows; row += 1) column.write(row, `common word${row % 700} row${row}`);
  for (let row = 0; row < rows; row += 3) column.write(row, `other word${row % 700}`);
  const sizeOf = (like: string) => {
    const found = patternOfLike(like, 'text');
    return found === null ? null : column.find(found, rows)?.size;
  };
  expect(sizeOf('%common%')).toBe(66_666);
  expect(sizeOf('%other%')).toBe(33_334);
  expect(sizeOf('%ommon word699 row%')).toBe(94);
  expect(sizeOf('other%')).toBe(33_334);
  expect(sizeOf('%row99998')).toBe(1);
  expect(sizeOf('%row99999')).toBe(0);
});

it('says that it does not hold everything when one text is too long', () => {
  const column = new TextColumn(true);
  column.write(0, Array.from({ length: 600_000 }, (_, word) => `w${word}`).join(' '));
  expect(column.isWhole).toBe(false);
});

it.each(['a%b', 'a_b', '%a\nb%'])('leaves %j to the database', (like) => {
  expect(patternOfLike(like, 'text')).toBeNull();
});

it('answers only what stands within one word when the order of words is not kept', () => {
  const column = new TextColumn(false);
  column.write(0, 'openssl security update');
  column.write(1, 'openssh bug fix');
  const find = (like: string) => {
    const found = patternOfLike(like, 'line');
    return found === null ? null : (column.find(found, 2)?.positions() ?? null);
  };
  expect(find('%openss%')).toEqual(Uint32Array.of(0, 1));
  expect(find('%security%')).toEqual(Uint32Array.of(0));
  for (const like of ['openssl%', '%update', '%ssl sec%', '%']) expect(find(like)).toBeNull();
});

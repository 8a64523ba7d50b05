/** Compares searches of texts in memory with LIKE. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeLike, matchesLike, parseLikePattern } from '../criteria/text-pattern.ts';
import { TextColumn } from './text-column.ts';

/** Uses few letters, so that texts share words and parts of words. */
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
    text.map((each) => each.replaceAll('\n', '')),
  )
  .map(([shape, literal]) => shape(escapeLike(literal)));

const expected = (rows: readonly (string | null)[], like: string, eachLine: boolean) =>
  rows.flatMap((row, position) => {
    if (row === null) return [];
    const parts = eachLine ? row.split('\n') : [row];
    // Fields of several values have no empty values.
    const values = eachLine ? parts.filter((part) => part !== '') : parts;
    return values.some((part) => matchesLike(like, part)) ? [position] : [];
  });

it.each([true, false])(
  'finds the same rows as LIKE, with lines compared separately: %s',
  (eachLine) => {
    fc.assert(
      fc.property(
        fc.array(stored, { minLength: 1, maxLength: 40 }),
        fc.array(fc.tuple(fc.nat(39), stored), { maxLength: 20 }),
        pattern,
        (rows, changes, like) => {
          const column = new TextColumn(true);
          const texts = eachLine ? rows.map(withoutEmptyLines) : [...rows];
          for (const [position, value] of texts.entries()) column.write(position, value);
          for (const [at, value] of changes) {
            const position = at % texts.length;
            texts[position] = eachLine ? withoutEmptyLines(value) : value;
            column.write(position, texts[position] ?? null);
          }
          const found = parseLikePattern(like, eachLine ? 'line' : 'text');
          if (found === null) throw new Error(`${like} has one run of text`);
          const positions = column.find([found], texts.length)?.positions();
          expect([...(positions ?? [])]).toEqual(expected(texts, like, eachLine));
        },
      ),
      { numRuns: 1_000 },
    );
  },
);

/** Converts a text to the stored form of several values: without empty values, and null without values. */
function withoutEmptyLines(value: string | null): string | null {
  return (
    value
      ?.split('\n')
      .filter((line) => line !== '')
      .join('\n') || null
  );
}

it('restores every text as it was written', () => {
  fc.assert(
    fc.property(fc.array(stored, { minLength: 1, maxLength: 20 }), (rows) => {
      const column = new TextColumn(true);
      for (const [position, value] of rows.entries()) column.write(position, value);
      expect(rows.map((_, position) => column.getText(position))).toEqual(rows);
    }),
  );
});

it('finds a word in 100,000 rows, also after a third of them was rewritten', () => {
  const column = new TextColumn(true);
  const rows = 100_000;
  for (let row = 0; row < rows; row += 1) column.write(row, `common word${row % 700} row${row}`);
  for (let row = 0; row < rows; row += 3) column.write(row, `other word${row % 700}`);
  const countRows = (like: string) => {
    const found = parseLikePattern(like, 'text');
    return found === null ? null : column.find([found], rows)?.size;
  };
  expect(countRows('%common%')).toBe(66_666);
  expect(countRows('%other%')).toBe(33_334);
  expect(countRows('%ommon word699 row%')).toBe(94);
  expect(countRows('other%')).toBe(33_334);
  expect(countRows('%row99998')).toBe(1);
  expect(countRows('%row99999')).toBe(0);
});

it('reports that it is incomplete when a text is too long', () => {
  const column = new TextColumn(true);
  column.write(0, Array.from({ length: 600_000 }, (_, word) => `w${word}`).join(' '));
  expect(column.isComplete).toBe(false);
});

it.each(['a%b', 'a_b', '%a\nb%'])(
  'returns null for the pattern %j, which the database evaluates',
  (like) => {
    expect(parseLikePattern(like, 'text')).toBeNull();
  },
);

it('finds only texts within one word when the order of words is not stored', () => {
  const column = new TextColumn(false);
  column.write(0, 'openssl security update');
  column.write(1, 'openssh bug fix');
  const find = (like: string) => {
    const found = parseLikePattern(like, 'line');
    return found === null ? null : (column.find([found], 2)?.positions() ?? null);
  };
  expect(find('%openss%')).toEqual(Uint32Array.of(0, 1));
  expect(find('%security%')).toEqual(Uint32Array.of(0));
  for (const like of ['openssl%', '%update', '%ssl sec%', '%']) expect(find(like)).toBeNull();
});

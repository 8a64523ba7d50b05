import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildPageSteps } from './list-pager.tsx';

test.each([
  [1, 1, [1]],
  [3, 7, [1, 2, 3, 4, 5, 6, 7]],
  [1, 8, [1, 2, 3, 4, 5, 'later', 8]],
  [4, 8, [1, 2, 3, 4, 5, 'later', 8]],
  [5, 9, [1, 'earlier', 4, 5, 6, 'later', 9]],
  [5, 8, [1, 'earlier', 4, 5, 6, 7, 8]],
  [65, 65, [1, 'earlier', 61, 62, 63, 64, 65]],
  [30, 65, [1, 'earlier', 29, 30, 31, 'later', 65]],
])('offers from page %i of %i: %j', (page, last, offered) => {
  expect(buildPageSteps(page, last, 1)).toEqual(offered);
});

test('offers first, last, current and adjacent pages in order, with a constant number of steps', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 0, max: 3 }),
      (a, b, beside) => {
        const [page, last] = [Math.min(a, b), Math.max(a, b)];
        const offered = buildPageSteps(page, last, beside);
        const numbers = offered.filter((step) => typeof step === 'number');
        expect(offered).toHaveLength(Math.min(last, 2 * beside + 5));
        expect(numbers).toEqual([...new Set(numbers)].toSorted((left, right) => left - right));
        const near = Array.from(
          { length: 2 * beside + 1 },
          (_, index) => page - beside + index,
        ).filter((number) => number >= 1 && number <= last);
        expect(numbers).toEqual(expect.arrayContaining(near));
        expect([numbers[0], numbers.at(-1)]).toEqual([1, last]);
        const gaps = offered.flatMap((step, index) =>
          typeof step === 'number' ? [] : [Number(offered[index + 1]) - Number(offered[index - 1])],
        );
        expect(gaps.filter((gap) => gap <= 2)).toEqual([]);
      },
    ),
  );
});

import { expect, test } from 'vitest';
import { contentHash } from './content-hash.ts';

test('returns the same hash for any order of keys', () => {
  expect(contentHash({ a: 1, b: [1, { c: 2, d: 3 }] }, {})).toBe(
    contentHash({ b: [1, { d: 3, c: 2 }], a: 1 }, {}),
  );
});

test('treats null, undefined and absent alike, and distinguishes all else', () => {
  expect(contentHash({ a: null, b: undefined }, {})).toBe(contentHash({}, {}));
  const contents = [
    [{}, {}],
    [{ a: 1 }, {}],
    [{}, { a: 1 }],
    [{ a: '1' }, {}],
    [{ a: [1, 2] }, {}],
    [{ a: [2, 1] }, {}],
    [{ a: '' }, {}],
  ] as const;
  expect(new Set(contents.map(([row, detail]) => contentHash(row, detail))).size).toBe(
    contents.length,
  );
});

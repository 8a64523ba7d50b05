import { expect, test } from 'vitest';
import { contentHash } from './content-hash.ts';

test('says the same of the same content, whatever the order of its keys', () => {
  expect(contentHash({ a: 1, b: [1, { c: 2, d: 3 }] }, {})).toBe(
    contentHash({ b: [1, { d: 3, c: 2 }], a: 1 }, {}),
  );
});

test('what is null, undefined or absent is the same; all else differs', () => {
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

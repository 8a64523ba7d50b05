import { expect, test } from 'vitest';
import { findChanges, isChanged } from './form-changes.ts';

test.each<[string, boolean, unknown, unknown]>([
  ['nothing yet', false, undefined, {}],
  ['text typed and erased', false, {}, { name: '' }],
  ['fields in another order', false, { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ['an empty list', false, {}, { tags: [] }],
  ['a box unticked again', false, {}, { shared: false }],
  ['another word', true, { name: 'a' }, { name: 'b' }],
  ['a word erased', true, { name: 'a' }, { name: '' }],
  ['a list in another order', true, { tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
  ['zero is a value', true, {}, { port: 0 }],
])('%s', (_, changed, before, now) => {
  expect(isChanged(before, now)).toBe(changed);
});

test('returns only the fields that differ', () => {
  const before = { name: 'a', families: ['x', 'y'], ends: 5 as number | null, notes: '' };
  expect(findChanges(before, before)).toEqual({});
  const after: typeof before = { ...before, families: ['x', 'y'], ends: null, notes: 'b' };
  expect(findChanges(before, after)).toEqual({ ends: null, notes: 'b' });
  expect(findChanges({}, before)).toEqual(before);
});

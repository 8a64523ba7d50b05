import { expect, test } from 'vitest';
import {
  filterParts,
  followParts,
  listParts,
  removePart,
  unfollowParts,
} from './parts-selection.ts';

const known = [
  { key: '9', label: 'AlmaLinux 9', added: false, readAt: 5 },
  { key: '8', label: 'AlmaLinux 8', added: true, readAt: null },
];
const getKeys = (parts: readonly { readonly key: string }[]) => parts.map(({ key }) => key);

test('lists known parts first, then new ones', () => {
  expect(listParts(known, ['8', '10'])).toEqual([
    { ...known[0], isNew: false },
    { ...known[1], isNew: false },
    { key: '10', label: '10', added: true, readAt: null, isNew: true },
  ]);
});

test('omits a part whose addition was undone', () => {
  expect(getKeys(listParts(known, []))).toEqual(['9']);
});

test('finds parts by key or label, ignoring case', () => {
  const parts = listParts(known, ['8', 'edge']);
  expect(getKeys(filterParts(parts, ' LINUX 8'))).toEqual(['8']);
  expect(getKeys(filterParts(parts, 'edge'))).toEqual(['edge']);
  expect(getKeys(filterParts(parts, ' '))).toEqual(['9', '8', 'edge']);
});

test('unfollows parts once, follows them again, and preserves added ones', () => {
  const start = { leftOut: ['9'], added: ['8'] };
  expect(unfollowParts(start, ['9', '8'])).toEqual({ leftOut: ['9', '8'], added: ['8'] });
  expect(followParts(start, ['9'])).toEqual({ leftOut: [], added: ['8'] });
});

test('removes an added part completely', () => {
  expect(removePart({ leftOut: ['8', '9'], added: ['8', '10'] }, '8')).toEqual({
    leftOut: ['9'],
    added: ['10'],
  });
});

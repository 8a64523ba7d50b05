import { expect, test } from 'vitest';
import {
  listedParts,
  partsMatching,
  withFollowed,
  withLeftOut,
  withRemoved,
} from './parts-selection.ts';

const known = [
  { key: '9', label: 'AlmaLinux 9', added: false, readAt: 5 },
  { key: '8', label: 'AlmaLinux 8', added: true, readAt: null },
];
const keysOf = (parts: readonly { readonly key: string }[]) => parts.map(({ key }) => key);

test('lists known parts first, then those just added', () => {
  expect(listedParts(known, ['8', '10'])).toEqual([
    { ...known[0], isNew: false },
    { ...known[1], isNew: false },
    { key: '10', label: '10', added: true, readAt: null, isNew: true },
  ]);
});

test('lists no part whose addition was undone', () => {
  expect(keysOf(listedParts(known, []))).toEqual(['9']);
});

test('finds parts by key or label, ignoring case', () => {
  const parts = listedParts(known, ['8', 'edge']);
  expect(keysOf(partsMatching(parts, ' LINUX 8'))).toEqual(['8']);
  expect(keysOf(partsMatching(parts, 'edge'))).toEqual(['edge']);
  expect(keysOf(partsMatching(parts, ' '))).toEqual(['9', '8', 'edge']);
});

test('leaves parts out once, follows them again, and keeps what was added', () => {
  const start = { leftOut: ['9'], added: ['8'] };
  expect(withLeftOut(start, ['9', '8'])).toEqual({ leftOut: ['9', '8'], added: ['8'] });
  expect(withFollowed(start, ['9'])).toEqual({ leftOut: [], added: ['8'] });
});

test('forgets an added part altogether', () => {
  expect(withRemoved({ leftOut: ['8', '9'], added: ['8', '10'] }, '8')).toEqual({
    leftOut: ['9'],
    added: ['10'],
  });
});

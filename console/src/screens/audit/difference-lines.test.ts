import { expect, it } from 'vitest';
import { toDifferenceLines } from './audit-difference.tsx';

it('returns only differing values, at any depth', () => {
  expect(
    toDifferenceLines(
      { port: 25, server: 'a', tags: ['x'], parts: [{ key: 'one', on: true }], gone: 'old' },
      { port: 587, server: 'a', tags: ['x', 'y'], parts: [{ key: 'one', on: false }], made: null },
    ),
  ).toEqual([
    { name: 'port', was: '25', is: '587' },
    { name: 'tags', was: 'x', is: 'x, y' },
    { name: 'parts.0.on', was: 'Yes', is: 'No' },
    { name: 'gone', was: 'old', is: null },
    { name: 'made', was: null, is: 'nothing' },
  ]);
});

it('returns complete added or removed values, and nothing for two empty sides', () => {
  expect(toDifferenceLines(null, { name: 'new', none: [] })).toEqual([
    { name: 'name', was: null, is: 'new' },
    { name: 'none', was: null, is: 'nothing' },
  ]);
  expect(toDifferenceLines({ name: 'old' }, null)).toEqual([
    { name: 'name', was: 'old', is: null },
  ]);
  expect(toDifferenceLines('plain', 'other')).toEqual([{ name: '', was: 'plain', is: 'other' }]);
  expect(toDifferenceLines(null, undefined)).toEqual([]);
});

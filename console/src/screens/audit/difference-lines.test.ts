import { expect, it } from 'vitest';
import { differenceLines } from './difference-lines.ts';

it('names only what differs, however deep it stands', () => {
  expect(
    differenceLines(
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

it('shows what was made or removed whole, and nothing where nothing was said', () => {
  expect(differenceLines(null, { name: 'new', none: [] })).toEqual([
    { name: 'name', was: null, is: 'new' },
    { name: 'none', was: null, is: 'nothing' },
  ]);
  expect(differenceLines({ name: 'old' }, null)).toEqual([{ name: 'name', was: 'old', is: null }]);
  expect(differenceLines('plain', 'other')).toEqual([{ name: '', was: 'plain', is: 'other' }]);
  expect(differenceLines(null, undefined)).toEqual([]);
});

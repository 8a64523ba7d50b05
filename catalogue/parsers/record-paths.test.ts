import { expect, test } from 'vitest';
import { RecordPaths } from './record-paths.ts';

const noName = () => false;

test('leads to the element at the end of a path only', () => {
  const paths = new RecordPaths(['updates/update', 'updates/list/item'], noName);
  expect([...paths.roots]).toEqual(['updates']);
  expect(paths.leadTo(['updates', 'update'])).toBe(true);
  expect(paths.leadTo(['updates', 'list', 'item'])).toBe(true);
  expect(paths.leadTo(['updates'])).toBe(false);
  expect(paths.leadTo(['updates', 'list'])).toBe(false);
  expect(paths.leadTo(['other', 'update'])).toBe(false);
  expect(paths.leadTo(['updates', 'update', 'item'])).toBe(false);
});

test('leads from a star at the end of a path to every element there', () => {
  const paths = new RecordPaths(['opt/*', 'a/*/b'], noName);
  expect(paths.leadTo(['opt', 'one'])).toBe(true);
  expect(paths.leadTo(['opt', 'one', 'two'])).toBe(false);
  expect(paths.leadTo(['a', 'any', 'b'])).toBe(false);
  expect(paths.leadTo(['a', '*', 'b'])).toBe(true);
});

test('ends an open element of a path where another of its name begins', () => {
  const paths = new RecordPaths(['updates/update/id'], noName);
  expect(paths.depthToEnd(['updates', 'update', 'id'], 'update')).toBe(1);
  expect(paths.depthToEnd(['updates', 'update', 'id'], 'id')).toBe(2);
  expect(paths.depthToEnd(['updates', 'update'], 'id')).toBe(-1);
  expect(paths.depthToEnd(['updates', 'update'], 'title')).toBe(-1);
});

test('never ends the outermost element early', () => {
  const paths = new RecordPaths(['updates/update'], noName);
  expect(paths.depthToEnd(['updates'], 'updates')).toBe(-1);
});

test('ends a record at the begin of any record when the path ends in a star', () => {
  const paths = new RecordPaths(['opt/*'], (name) => name.startsWith('CE'));
  expect(paths.depthToEnd(['opt', 'CESA-1'], 'CEBA-2')).toBe(1);
  expect(paths.depthToEnd(['opt', 'CESA-1'], 'packages')).toBe(-1);
  expect(paths.depthToEnd(['opt'], 'CESA-1')).toBe(-1);
});

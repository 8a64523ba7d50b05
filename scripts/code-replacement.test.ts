import { expect, test } from 'vitest';
import { findCode, replaceCode } from './testing/code-replacement.ts';

test('finds code whose lines the formatter has broken', () => {
  const code = "call(\n  first,\n  'second',\n);\n";
  expect(replaceCode(code, "call(first, 'second')", 'other()')).toBe('other();\n');
});

test('replaces only what was matched', () => {
  expect(replaceCode('const a = 1; const b = 2;', 'b = 2', 'b = 3')).toBe(
    'const a = 1; const b = 3;',
  );
});

test('refuses a piece that is not there, or is there twice', () => {
  expect(() => replaceCode('a', 'b', 'c')).toThrow('0 times');
  expect(() => replaceCode('a; a;', 'a', 'c')).toThrow('2 times');
  expect(findCode('a', ' ')).toEqual([]);
});

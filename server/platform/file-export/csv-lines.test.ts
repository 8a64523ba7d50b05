import { expect, test } from 'vitest';
import { csvLines } from './csv-lines.ts';

test('quotes cells with a separator of any locale', () => {
  expect(csvLines([['a; b', 'a\tb', 'a, b', 'a "b"', 'a\nb', 'plain', 1.5]])).toBe(
    '"a; b","a\tb","a, b","a ""b""","a\nb",plain,1.5\r\n',
  );
});

test('escapes cells that a spreadsheet would run as a formula', () => {
  expect(csvLines([['=1+1', '+1', '-1', '@a', '=1;2']])).toBe("'=1+1,'+1,'-1,'@a,\"'=1;2\"\r\n");
});

test('keeps a negative number a number', () => {
  expect(csvLines([[-63, 0, -0.5, 12]])).toBe('-63,0,-0.5,12\r\n');
});

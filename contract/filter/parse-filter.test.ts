import { describe, expect, test } from 'vitest';
import { FilterError } from './filter-conditions.ts';
import { parseFilter } from './parse-filter.ts';

test('parses every kind of condition with its positions', () => {
  const text =
    "lower(title) not like '%it''s%' and id in (1,-2) and a between 3 and 4 and b is not null and c != true";
  expect(parseFilter(text)).toEqual([
    {
      field: 'title',
      lowered: true,
      at: 7,
      operatorAt: 14,
      kind: 'like',
      negated: true,
      pattern: "%it's%",
      valuesAt: [23],
    },
    {
      field: 'id',
      lowered: false,
      at: 37,
      operatorAt: 40,
      kind: 'oneOf',
      negated: false,
      values: [1, -2],
      valuesAt: [44, 46],
    },
    {
      field: 'a',
      lowered: false,
      at: 54,
      operatorAt: 56,
      kind: 'between',
      low: 3,
      high: 4,
      valuesAt: [64, 70],
    },
    {
      field: 'b',
      lowered: false,
      at: 76,
      operatorAt: 78,
      kind: 'null',
      negated: true,
      valuesAt: [],
    },
    {
      field: 'c',
      lowered: false,
      at: 94,
      operatorAt: 96,
      kind: 'compared',
      comparison: '!=',
      value: true,
      valuesAt: [99],
    },
  ]);
});

test('parses a blank text to no conditions', () => {
  expect(parseFilter('')).toEqual([]);
  expect(parseFilter(' \t\r\n ')).toEqual([]);
});

test('accepts keywords in any case, with any white space or none', () => {
  expect(
    parseFilter("LOWER ( title )\n\tLIKE'%x'AND\u00a0id  NOT IN(1)").map(({ kind }) => kind),
  ).toEqual(['like', 'oneOf']);
});

test('accepts a field named lower', () => {
  expect(parseFilter('lower is null')[0]?.field).toBe('lower');
});

test('counts positions in characters, not in UTF-16 units', () => {
  expect(() => parseFilter("a = '😀😀' or")).toThrow(/at 10\b/);
});

describe('refuses', () => {
  test.each([
    ['title', 'syntax', 'The filter ends unexpectedly at 6. Allowed here: =, !=,'],
    [
      "title ~ 'x'",
      'unknown_operator',
      "Unexpected '~' at 7. Allowed here: =, !=, <, >, <=, >=, in, not in, like",
    ],
    [
      "title == 'x'",
      'syntax',
      "Unexpected '=' at 8. Allowed here: words in quotes, a number, true, false",
    ],
    ["title not 'x'", 'syntax', 'Unexpected a string at 11. Allowed here: in, like'],
    ["title like '%x", 'unterminated_string', 'The string that begins at 12 has no closing quote'],
    ["title = 'a''b''", 'unterminated_string', 'The string that begins at 9 has no closing quote'],
    ['title like 5', 'syntax', "Unexpected '5' at 12. Allowed here: a pattern in quotes"],
    ['a = 1 or b = 2', 'syntax', "Unexpected 'or' at 7. Allowed here: and, the end of the filter"],
    [
      'a = 1 and',
      'syntax',
      'The filter ends unexpectedly at 10. Allowed here: a field, lower(field)',
    ],
    ['and = 1', 'syntax', "Unexpected 'and' at 1. Allowed here: a field, lower(field)"],
    ['a = 12abc', 'syntax', "'12abc' at 5 is neither a number nor a field name"],
    ['a = 9007199254740993', 'wrong_type', '9007199254740993 at 5 is too large'],
    [`a = ${'9'.repeat(400)}`, 'wrong_type', `${'9'.repeat(40)}… at 5 is too large`],
    ['a = null', 'syntax', "Unexpected 'null' at 5"],
    ['a is 5', 'syntax', "Unexpected '5' at 6. Allowed here: null, not null"],
    ['a in ()', 'syntax', "Unexpected ')' at 7"],
    ['a in (1 2)', 'syntax', "Unexpected '2' at 9. Allowed here: a comma, )"],
    ['a between 1, 2', 'syntax', "Unexpected ',' at 12. Allowed here: and"],
    ['lower(a = 1', 'syntax', "Unexpected '=' at 9. Allowed here: )"],
    ["a = 'x\0y'", 'syntax', 'contains the character U+0000'],
    ["a = 'x'; drop table", 'syntax', "Unexpected ';' at 8"],
    [`a = ${'é'.repeat(4095)}`, 'too_long', 'longer than 8192 bytes. Drop'],
    [
      Array(33).fill('a=1').join(' and '),
      'too_many',
      'at most 32 conditions; the one at 257 is too many',
    ],
    [
      `a in (${Array(1001).fill('1').join(',')})`,
      'too_many',
      'at most 1000 values; the one at 2007 is too many',
    ],
  ])('%s', (text, code, message) => {
    let thrown: unknown;
    try {
      parseFilter(text);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(FilterError);
    expect(thrown).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

test('accepts filters at its limits', () => {
  expect(parseFilter(Array(32).fill('a=1').join(' and '))).toHaveLength(32);
  expect(parseFilter(`a in (${Array(1000).fill('1').join(',')})`)[0]).toMatchObject({
    values: Array(1000).fill(1),
  });
  expect(parseFilter(`a = '${'x'.repeat(8192 - 6)}'`)).toHaveLength(1);
});

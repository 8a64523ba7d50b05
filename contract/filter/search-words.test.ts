import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomCriterion } from '../testing/random-criteria.ts';
import { typedCriterion } from '../testing/typed-criterion.ts';
import type { FieldCriterion } from './criterion.ts';
import { keywordTerms } from './keyword-terms.ts';
import { readSearchWords, typedKeyword } from './search-words.ts';

const kbs = getList('patch_repository');
const kbBase = getList('kb_repository');
const read = (typed: string, list = kbs) => readSearchWords(list, typed, 'Europe/Berlin');

test('reads fields and free words in any order', () => {
  expect(read('open severity:critical,important ssl -name:beta "nodejs:20"')).toEqual({
    kind: 'search',
    criteria: [
      { paramName: 'severity', operator: 'in', value: ['Critical', 'Important'] },
      { paramName: 'name', operator: 'not_contains', value: 'beta' },
    ],
    keyword: 'open ssl "nodejs:20"',
  });
});

test('reads an exact identifier as a keyword, and an empty text as an empty search', () => {
  for (const typed of [
    'ALSA-2024:1691',
    'KB5034441',
    'CVE-2024-3094',
    '-5',
    'https://example.org/x',
    '1:2.3',
  ]) {
    expect(read(typed)).toEqual({ kind: 'search', criteria: [], keyword: typed });
  }
  expect(read('  ')).toEqual({ kind: 'search', criteria: [], keyword: '' });
});

test.each<[string, FieldCriterion]>([
  ['name = "open ""ssl"""', { paramName: 'name', operator: 'equal', value: 'open "ssl"' }],
  ['name!=x', { paramName: 'name', operator: 'not_equal', value: 'x' }],
  ['name:open*', { paramName: 'name', operator: 'start_with', value: 'open' }],
  ['name:*"open ssl"', { paramName: 'name', operator: 'end_with', value: 'open ssl' }],
  ['kb:KB1, KB2', { paramName: 'kbId', operator: 'in', value: ['KB1', 'KB2'] }],
  ['cve:*', { paramName: 'cve', operator: 'is_not_null' }],
  ['-cve:*', { paramName: 'cve', operator: 'is_null' }],
  ['-severity:low', { paramName: 'severity', operator: 'not_in', value: ['Low'] }],
  ['severity:crit*', { paramName: 'severity', operator: 'start_with', value: 'crit' }],
  ['severity="Very bad"', { paramName: 'severity', operator: 'equal', value: 'Very bad' }],
  ['id>100', { paramName: 'id', operator: 'greater_than', value: 100 }],
  ['id:5..9', { paramName: 'id', operator: 'between', value: 5, toValue: 9 }],
  ['id:5..', { paramName: 'id', operator: 'greater_than_or_equal', value: 5 }],
  ['-id:1,2', { paramName: 'id', operator: 'not_in', value: [1, 2] }],
  ['-id<5', { paramName: 'id', operator: 'greater_than_or_equal', value: 5 }],
  ['released:<30d', { paramName: 'releaseDate', operator: 'equal', value: 'last_30_days' }],
  ['releaseDate>2w', { paramName: 'releaseDate', operator: 'less_than', value: 'last_14_days' }],
  ['RELEASEDATE:last_week', { paramName: 'releaseDate', operator: 'equal', value: 'last_week' }],
  ['releaseDate<today', { paramName: 'releaseDate', operator: 'less_than', value: 'today' }],
  [
    'releaseDate:2024-01-01..2024-02-01',
    {
      paramName: 'releaseDate',
      operator: 'between',
      value: Date.UTC(2024, 0, 1),
      toValue: Date.UTC(2024, 1, 2) - 1,
    },
  ],
  [
    'releaseDate:2024-02',
    {
      paramName: 'releaseDate',
      operator: 'between',
      value: Date.UTC(2024, 1, 1),
      toValue: Date.UTC(2024, 2, 1) - 1,
    },
  ],
  [
    'releaseDate>2023',
    { paramName: 'releaseDate', operator: 'greater_than', value: Date.UTC(2024, 0, 1) - 1 },
  ],
  [
    'releaseDate:>=2024-02',
    {
      paramName: 'releaseDate',
      operator: 'greater_than_or_equal',
      value: Date.UTC(2024, 1, 1),
    },
  ],
  [
    'releaseDate=2024-01-01T12:00:00Z',
    { paramName: 'releaseDate', operator: 'equal', value: Date.UTC(2024, 0, 1, 12) },
  ],
])('reads %s', (typed, criterion) => {
  expect(read(typed)).toEqual({ kind: 'search', criteria: [criterion], keyword: '' });
});

test('reads sizes with units, flags as yes or no, and names of the wire', () => {
  expect(read('cabExists:yes products:"Windows 11" arch=x64', kbBase)).toEqual({
    kind: 'search',
    criteria: [
      { paramName: 'cabExists', operator: 'equal', value: true },
      { paramName: 'productName', operator: 'contains', value: 'Windows 11' },
      { paramName: 'architecture', operator: 'equal', value: 'x64' },
    ],
    keyword: '',
  });
  const withSize = { ...kbBase, searchable: ['size'] };
  expect(read('size>1.5mb', withSize)).toMatchObject({
    criteria: [{ operator: 'greater_than', value: 1_572_864 }],
  });
});

test.each<[string, readonly FieldCriterion[], string]>([
  [
    'critical productName:Windows Server 2022',
    [{ paramName: 'productName', operator: 'contains', value: 'Windows Server 2022' }],
    'critical',
  ],
  [
    'productName:Windows  Server 2022 severity:low',
    [
      { paramName: 'productName', operator: 'contains', value: 'Windows Server 2022' },
      { paramName: 'severity', operator: 'in', value: ['Low'] },
    ],
    '',
  ],
  [
    'productName=Windows 10, Windows 11 "remote code"',
    [{ paramName: 'productName', operator: 'in', value: ['Windows 10', 'Windows 11'] }],
    '"remote code"',
  ],
  [
    'name:2024-01 Cumul* update',
    [{ paramName: 'name', operator: 'start_with', value: '2024-01 Cumul' }],
    'update',
  ],
  [
    'name:*for Windows 10 -severity:low',
    [
      { paramName: 'name', operator: 'end_with', value: 'for Windows 10' },
      { paramName: 'severity', operator: 'not_in', value: ['Low'] },
    ],
    '',
  ],
  [
    'productName:"Windows" 10',
    [{ paramName: 'productName', operator: 'contains', value: 'Windows' }],
    '10',
  ],
  ['name:* kernel', [{ paramName: 'name', operator: 'is_not_null' }], 'kernel'],
  [
    'kbId:KB5034441 windows',
    [{ paramName: 'kbId', operator: 'contains', value: 'KB5034441' }],
    'windows',
  ],
  [
    'cve:CVE-2024-3094 xz',
    [{ paramName: 'cve', operator: 'contains', value: 'CVE-2024-3094' }],
    'xz',
  ],
  [
    'severity:critical windows',
    [{ paramName: 'severity', operator: 'in', value: ['Critical'] }],
    'windows',
  ],
  ['id:5 windows', [{ paramName: 'id', operator: 'equal', value: 5 }], 'windows'],
])('reads %s: a value takes the words that belong to it', (typed, criteria, keyword) => {
  expect(read(typed)).toEqual({ kind: 'search', criteria, keyword });
});

test('extends a choice to the words of its longest known value', () => {
  expect(read('classification:Security Updates 2024', kbBase)).toEqual({
    kind: 'search',
    criteria: [{ paramName: 'category', operator: 'in', value: ['Security Updates'] }],
    keyword: '2024',
  });
  const debian = getList('debian_patch');
  expect(read('osVersion:Debian 12', debian)).toMatchObject({
    criteria: [{ operator: 'contains', value: 'Debian 12' }],
  });
});

test('reads an edited keyword back unchanged, whatever it contains', () => {
  const pieces = fc.array(
    fc.constantFrom('title', 'severity', ':', '=', '!', '<', '"', ' ', 'low', '-', 'a', '//', '""'),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(pieces, (parts) => {
      const keyword = parts.join('');
      const words = read(typedKeyword(keyword));
      expect(words).toMatchObject({ kind: 'search', criteria: [] });
      const texts = (of: string) => keywordTerms(of).map(({ text: term }) => term);
      expect(texts(words.kind === 'search' ? words.keyword : '')).toEqual(texts(keyword));
    }),
    { numRuns: 3000 },
  );
  expect(typedKeyword('openssl "open ssl"')).toBe('openssl "open ssl"');
  expect(typedKeyword('nodejs:20')).toBe('"nodejs:20"');
  expect(typedKeyword('https://example.org')).toBe('https://example.org');
});

describe('refuses', () => {
  test.each([
    ['titel:x', `The field 'titel' is not valid. Allowed fields are: id, name, productName,`],
    ['nodejs:20', `To search for the words, write "nodejs:20"`],
    ['s:x', `'s' can mean superse`],
    ['name:', `'name:' needs a value`],
    ['name:"x', 'The quote at 6 is not closed'],
    ['"open ssl', 'The quote at 1 is not closed'],
    [
      'severity:critcal',
      `Severity has no value 'critcal'. Allowed values are: Unspecified, None, Low`,
    ],
    ['name>x', "Name does not support 'greater than'"],
    ['name=a*', 'A star stands for any text in one value after a colon'],
    ['-name:a*', "Name: 'start with' cannot be negated"],
    ['id:five', `Id needs a whole number, not 'five'`],
    ['id>1..5', 'Id needs one value after >, not a range'],
    ['id:5..1', 'Id must end after it begins'],
    ['releaseDate:2024-02-30', 'Release date needs a date such as 2024-01-31'],
    ['releaseDate:yesterdayish', 'Release date needs a date such as'],
    ['-releaseDate:2024', "Release date: 'between' cannot be negated"],
    ['releaseDate!=today', "Release date does not support 'not equal today'"],
    ['id>5 id<9', 'Id can be used only once'],
    ['id=>5', "'=>' is not a comparison"],
  ])('%s', (typed, message) => {
    expect(read(typed)).toEqual({ kind: 'problem', problem: expect.stringContaining(message) });
  });
});

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
  fc.stringMatching(/^[a-z"*,.: -]{1,8}$/),
);
const instant = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000_000_000 }),
  fc.integer({ min: 17_000, max: 21_000 }).map((day) => day * 86_400_000 - 3_600_000),
  fc.integer({ min: 17_000, max: 21_000 }).map((day) => day * 86_400_000 - 1),
);

const values = {
  words: text,
  numbers: instant,
  relative: fc.constantFrom('today', 'last_30_days'),
  minValues: 2,
};

test('reads a written criterion back unchanged', () => {
  const criterionOfList = fc
    .constantFrom(...catalogueLists)
    .chain((list) => fc.tuple(fc.constant(list), randomCriterion(list, values)));
  fc.assert(
    fc.property(criterionOfList, ([list, criterion]) => {
      const typed = typedCriterion(list, criterion, 'Europe/Berlin');
      expect(readSearchWords(list, typed, 'Europe/Berlin')).toEqual({
        kind: 'search',
        criteria: [criterion],
        keyword: '',
      });
    }),
    { numRuns: 2000 },
  );
});

test('reads any text or returns a problem', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 5, unit: 'binary' }),
    fc.constantFrom('id', 'name', ':', '"', '*', '..', '<', '30d', ',', ' ', '-', '2024'),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...catalogueLists),
      fc.array(piece, { maxLength: 12 }),
      (list, pieces) => {
        const words = readSearchWords(list, pieces.join(''), 'UTC');
        expect(words.kind === 'problem' || Array.isArray(words.criteria)).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

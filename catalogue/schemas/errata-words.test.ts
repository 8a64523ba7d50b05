import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { unknownErrataWords, vendorWordFacts } from './errata-words.ts';

const words = (severity: string | null, type: string | null, status: string | null) => ({
  severity,
  type,
  status,
});

test('keeps the words of the vendor as they are written', () => {
  expect(
    vendorWordFacts(words(' SEVERITY_HIGH ', 'Product Enhancement Advisory', 'final')),
  ).toEqual({
    vendorSeverity: 'SEVERITY_HIGH',
    vendorCategory: 'Product Enhancement Advisory',
    status: 'final',
  });
  expect(vendorWordFacts(words('', null, null))).toEqual({
    vendorSeverity: null,
    vendorCategory: null,
    status: null,
  });
});

test('reports a severity, a category and a status that no mapping knows', () => {
  expect(unknownErrataWords(words('urgent', 'hotfix', 'embargoed'))).toEqual([
    { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
    { vocabulary: 'category', word: 'hotfix', shownAs: 'other' },
    { vocabulary: 'status', word: 'embargoed', shownAs: null },
  ]);
});

test.each([
  ['Important', 'security', 'final'],
  ['N/A', 'Bug Fix Advisory', 'stable'],
  ['UNKNOWN', 'TYPE_ENHANCEMENT', 'Testing'],
  ['SEVERITY_UNKNOWN', 'optional', 'retracted'],
  ['none', 'unspecified', null],
  [null, null, null],
  ['', ' ', ''],
])('does not report %j, %j and %j', (severity, type, status) => {
  expect(unknownErrataWords(words(severity, type, status))).toEqual([]);
});

describeWithMirror('words among the edge cases', () => {
  test('only invented ones are unknown', () => {
    const text = [
      'severity-spellings.xml',
      'reboot-suggested.xml',
      'modules/advisories-updates.xml',
      'retracted.xml',
    ]
      .map((path) => readFileSync(new URL(`edge-cases/rpm/${path}`, feedMirror), 'utf8'))
      .join('\n');
    const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, word = '']) => word);
    const unknown = [
      ...found(/<severity>([^<]*)/g).flatMap((severity) =>
        unknownErrataWords(words(severity, null, null)),
      ),
      ...found(/<update [^>]*type="([^"]*)/g).flatMap((type) =>
        unknownErrataWords(words(null, type, null)),
      ),
      ...found(/<update [^>]*status="([^"]*)/g).flatMap((status) =>
        unknownErrataWords(words(null, null, status)),
      ),
    ];
    expect(new Set(unknown.map(({ word }) => word))).toEqual(
      new Set(['severity_1', 'custom_severity', 'custom_type']),
    );
  });
});

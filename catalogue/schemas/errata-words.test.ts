import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { findUnknownErrataWords, toVendorWordFacts } from './errata-words.ts';

const words = (severity: string | null, type: string | null, status: string | null) => ({
  severity,
  type,
  status,
});

test("returns the vendor's words as written, and null for empty ones", () => {
  expect(
    toVendorWordFacts(words(' SEVERITY_HIGH ', 'Product Enhancement Advisory', 'final')),
  ).toEqual({
    vendorSeverity: 'SEVERITY_HIGH',
    vendorCategory: 'Product Enhancement Advisory',
    status: 'final',
  });
  expect(toVendorWordFacts(words('', null, null))).toEqual({
    vendorSeverity: null,
    vendorCategory: null,
    status: null,
  });
});

test('reports an unknown severity, category and status', () => {
  expect(findUnknownErrataWords(words('urgent', 'hotfix', 'embargoed'))).toEqual([
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
  expect(findUnknownErrataWords(words(severity, type, status))).toEqual([]);
});

describeWithMirror('errata words in the feed mirror', () => {
  test('reports only the invented words as unknown', () => {
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
        findUnknownErrataWords(words(severity, null, null)),
      ),
      ...found(/<update [^>]*type="([^"]*)/g).flatMap((type) =>
        findUnknownErrataWords(words(null, type, null)),
      ),
      ...found(/<update [^>]*status="([^"]*)/g).flatMap((status) =>
        findUnknownErrataWords(words(null, null, status)),
      ),
    ];
    expect(new Set(unknown.map(({ word }) => word))).toEqual(
      new Set(['severity_1', 'custom_severity', 'custom_type']),
    );
  });
});

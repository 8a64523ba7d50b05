import { expect, test } from 'vitest';
import { findUnknownErrataWords, toVendorWordFacts } from './errata-values.ts';

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

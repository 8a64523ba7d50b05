import { expect, test } from 'vitest';
import { kindLike, kindOfVendor } from './family-kind.ts';

test.each([
  ['opensuse', 'rpm'],
  ['oraclelinux', 'rpm'],
  ['debian', 'apt'],
  ['pardus', 'apt'],
  ['ubuntu', 'apt'],
  ['almalinux', 'json'],
  ['rockylinux', 'json'],
])('%s publishes in the form %s', (vendor, kind) => {
  expect(kindOfVendor(vendor)).toBe(kind);
  expect(kindLike(vendor)).toBe(kind);
});

test.each([
  [undefined, /^Say which vendor it publishes like, with --like\. /],
  ['gentoo', /^There is no vendor 'gentoo'\. /],
  ['../server', /^There is no vendor '\.\.\/server'\. /],
  ['windows', /^'windows' publishes in a form of its own, which no other vendor shares\. /],
])('a vendor that cannot be copied (%s) is refused with those that can', (vendor, told) => {
  expect(() => kindLike(vendor)).toThrow(told);
  expect(() => kindLike(vendor)).toThrow(
    /\bopensuse, .*\(repositories with an updateinfo\); .*\bdebian, .*\(signed suites of packages\); .*\balmalinux, .*\(a JSON/,
  );
});

import { expect, test } from 'vitest';
import { getHigherSeverity, type Severity, severities, toSeverity } from './severities.ts';

test.each<[string | null | undefined, Severity]>([
  ['Critical', 'Critical'],
  ['critical', 'Critical'],
  ['CRITICAL', 'Critical'],
  ['Important', 'Important'],
  ['high', 'Important'],
  ['SEVERITY_IMPORTANT', 'Important'],
  ['Moderate', 'Moderate'],
  ['medium', 'Moderate'],
  ['Moderte', 'Moderate'],
  ['SEVERITY_MODERATE', 'Moderate'],
  [' low\n', 'Low'],
  ['None', 'None'],
  ['none', 'None'],
  ['', 'Unspecified'],
  ['N/A', 'Unspecified'],
  ['UNKNOWN', 'Unspecified'],
  ['SEVERITY_UNKNOWN', 'Unspecified'],
  ['constructor', 'Unspecified'],
  [null, 'Unspecified'],
  [undefined, 'Unspecified'],
])('maps %j to %s', (vendorWord, severity) => {
  expect(toSeverity(vendorWord)).toBe(severity);
});

test('maps every severity to itself', () => {
  for (const severity of severities) expect(toSeverity(severity)).toBe(severity);
});

test('returns the higher of two in either order', () => {
  for (const [rank, lower] of severities.entries()) {
    for (const higher of severities.slice(rank)) {
      expect(getHigherSeverity(lower, higher)).toBe(higher);
      expect(getHigherSeverity(higher, lower)).toBe(higher);
    }
  }
});

import { expect, test } from 'vitest';
import { higherSeverity, type Severity, severities, severityOf } from './severities.ts';

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
])('%j is %s', (vendorWord, severity) => {
  expect(severityOf(vendorWord)).toBe(severity);
});

test('every severity is its own word', () => {
  for (const severity of severities) expect(severityOf(severity)).toBe(severity);
});

test('the higher of two, in either order', () => {
  for (const [rank, lower] of severities.entries()) {
    for (const higher of severities.slice(rank)) {
      expect(higherSeverity(lower, higher)).toBe(higher);
      expect(higherSeverity(higher, lower)).toBe(higher);
    }
  }
});

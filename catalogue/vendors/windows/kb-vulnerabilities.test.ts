import { expect, test } from 'vitest';
import {
  descriptionOf,
  type FixedVulnerability,
  fixedVulnerabilities,
  highestSeverity,
  impactOf,
  saidOfAny,
  vulnerabilityRows,
} from './kb-vulnerabilities.ts';
import type { Rating } from './msrc-rating.ts';

const unrated: Rating = {
  severity: 'Unspecified',
  vendorSeverity: null,
  impact: null,
  score: null,
  vector: null,
};

function fixed(
  cve: string,
  rating: Partial<Rating>,
  said: Partial<FixedVulnerability['status']> = {},
): FixedVulnerability {
  const status = { exploited: null, publiclyDisclosed: null, words: null, ...said };
  return { cve, rating: { ...unrated, ...rating }, vulnerability: null, status };
}

test('vulnerabilities come in the natural order of their ids, also those that no document describes', () => {
  const ratings = new Map([
    ['CVE-2026-10000', unrated],
    ['CVE-2026-9999', { ...unrated, severity: 'Critical' as const }],
  ]);
  expect(fixedVulnerabilities({ ratings, productIds: new Set() }, new Map())).toEqual([
    {
      cve: 'CVE-2026-9999',
      rating: { ...unrated, severity: 'Critical' },
      vulnerability: null,
      status: null,
    },
    { cve: 'CVE-2026-10000', rating: unrated, vulnerability: null, status: null },
  ]);
});

test('the impact is the most frequent one among the worst vulnerabilities', () => {
  const ratings = [
    fixed('CVE-2026-1', { severity: 'Critical', impact: 'Spoofing' }),
    fixed('CVE-2026-2', { severity: 'Critical', impact: 'Tampering' }),
    fixed('CVE-2026-3', { severity: 'Low', impact: 'Tampering' }),
    fixed('CVE-2026-4', { severity: 'Low', impact: 'Denial of Service' }),
    fixed('CVE-2026-5', { severity: 'Low', impact: 'Denial of Service' }),
    fixed('CVE-2026-6', { severity: 'Low', impact: 'Denial of Service' }),
  ];
  expect(highestSeverity(ratings)).toBe('Critical');
  expect(impactOf(ratings, 'Critical')).toBe('Tampering');
  expect(impactOf(ratings, 'Important')).toBeNull();
  expect(highestSeverity([])).toBe('Unspecified');
});

test('none is exploited only where that is said of all', () => {
  const no = fixed('CVE-2026-1', {}, { exploited: false });
  const unknown = fixed('CVE-2026-2', {});
  const yes = fixed('CVE-2026-3', {}, { exploited: true });
  expect(saidOfAny([no], 'exploited')).toBe(false);
  expect(saidOfAny([no, unknown], 'exploited')).toBeNull();
  expect(saidOfAny([no, unknown, yes], 'exploited')).toBe(true);
  expect(saidOfAny([], 'exploited')).toBeNull();
});

test('exploited vulnerabilities come before public ones, and these before the severe', () => {
  const rows = vulnerabilityRows([
    fixed('CVE-2026-1', { severity: 'Critical' }),
    fixed('CVE-2026-2', { severity: 'Low' }, { publiclyDisclosed: true }),
    fixed('CVE-2026-3', { severity: 'Low' }, { exploited: true, words: 'Exploited' }),
    fixed('CVE-2026-4', { severity: 'Critical' }),
  ]);
  expect(rows.map(({ cve, exploited }) => [cve, exploited])).toEqual([
    ['CVE-2026-3', 'Exploited'],
    ['CVE-2026-2', null],
    ['CVE-2026-1', null],
    ['CVE-2026-4', null],
  ]);
});

test('the description counts the vulnerabilities by severity, the worst first', () => {
  const three = [
    fixed('CVE-2026-1', { severity: 'Low' }),
    fixed('CVE-2026-2', { severity: 'Critical' }),
    fixed('CVE-2026-3', { severity: 'Low' }),
  ];
  expect(descriptionOf('Windows 11', three, ['Kernel', 'Shell'])).toBe(
    'Fixes 3 vulnerabilities in Windows 11: 1 critical, 2 low.\nComponents: Kernel, Shell.',
  );
  expect(descriptionOf('Windows 11', [], [])).toBe('An update of Windows 11.');
});

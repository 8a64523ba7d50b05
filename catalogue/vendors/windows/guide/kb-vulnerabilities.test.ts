import { expect, test } from 'vitest';
import {
  chooseImpact,
  describeFixes,
  type FixedVulnerability,
  getHighestSeverity,
  listFixedVulnerabilities,
  toVulnerabilityRows,
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

test('sorts vulnerabilities naturally by id, including those without a description', () => {
  const ratings = new Map([
    ['CVE-2026-10000', unrated],
    ['CVE-2026-9999', { ...unrated, severity: 'Critical' as const }],
  ]);
  expect(listFixedVulnerabilities({ ratings, productIds: new Set() }, new Map())).toEqual([
    {
      cve: 'CVE-2026-9999',
      rating: { ...unrated, severity: 'Critical' },
      vulnerability: null,
      status: null,
    },
    { cve: 'CVE-2026-10000', rating: unrated, vulnerability: null, status: null },
  ]);
});

test('takes the most frequent impact among the worst vulnerabilities', () => {
  const ratings = [
    fixed('CVE-2026-1', { severity: 'Critical', impact: 'Spoofing' }),
    fixed('CVE-2026-2', { severity: 'Critical', impact: 'Tampering' }),
    fixed('CVE-2026-3', { severity: 'Low', impact: 'Tampering' }),
    fixed('CVE-2026-4', { severity: 'Low', impact: 'Denial of Service' }),
    fixed('CVE-2026-5', { severity: 'Low', impact: 'Denial of Service' }),
    fixed('CVE-2026-6', { severity: 'Low', impact: 'Denial of Service' }),
  ];
  expect(getHighestSeverity(ratings)).toBe('Critical');
  expect(chooseImpact(ratings, 'Critical')).toBe('Tampering');
  expect(chooseImpact(ratings, 'Important')).toBeNull();
  expect(getHighestSeverity([])).toBe('Unspecified');
});

test('sorts exploited vulnerabilities first, then public ones, then by severity', () => {
  const rows = toVulnerabilityRows([
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

test('counts vulnerabilities by severity in the description, the worst first', () => {
  const three = [
    fixed('CVE-2026-1', { severity: 'Low' }),
    fixed('CVE-2026-2', { severity: 'Critical' }),
    fixed('CVE-2026-3', { severity: 'Low' }),
  ];
  expect(describeFixes('Windows 11', three, ['Kernel', 'Shell'])).toBe(
    'Fixes 3 vulnerabilities in Windows 11: 1 critical, 2 low.\nComponents: Kernel, Shell.',
  );
  expect(describeFixes('Windows 11', [], [])).toBe('An update of Windows 11.');
});

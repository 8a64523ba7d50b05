import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { readCriteria, writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { RankedUpdate } from '@patch/contract/reports/dashboard-endpoint.ts';
import { expect, it } from 'vitest';
import { describeUpdate } from './update-sentence.ts';

const describeRow = (
  row: object,
  facts: Partial<RankedUpdate> = {},
  ownProducts: readonly string[] = [],
) =>
  describeUpdate(
    {
      row: { id: 1, ...row } as RankedUpdate['row'],
      machines: null,
      closes: [],
      closesExploited: 0,
      exploitedCves: 0,
      exploitedSince: null,
      replaces: null,
      restart: null,
      knownIssues: null,
      ...facts,
    },
    ownProducts,
  );

const say = (row: object, facts: Partial<RankedUpdate> = {}) =>
  describeRow(row, facts)
    .map(({ text }) => text)
    .join(' · ')
    .replaceAll('\u00A0', ' ');

const machines = (count: number): RankedUpdate['machines'] => ({
  list: 'machines',
  criteria: [{ paramName: 'misses', operator: 'in', value: ['patch_repository/1'] }],
  totalCount: count,
  updateCount: count,
});

it('says all that is known of an update', () => {
  const cve = Array.from({ length: 89 }, (_, n) => `CVE-2026-${n}`);
  const release = ['Windows Server 2019'];
  const severity = { severity: 'Critical', ratedSeverity: 'Critical' };
  const row = { release, ...severity, cve, exploited: true, cvss: 9.8, epss: 0.27 };
  const releaseDate = Date.UTC(2026, 4, 12);
  const exploitedSince = Date.UTC(2026, 6, 1);
  const facts = { exploitedSince, replaces: 4, restart: 'Required', knownIssues: 1 };
  const rest =
    'released May 12, 2026 · Critical · closes 89 CVEs · CVSS 9.8 · EPSS 27 % · replaces 4 updates · restart required · 1 known issue';
  expect(say({ ...row, ransomware: true, releaseDate }, { ...facts, exploitedCves: 3 })).toBe(
    `Windows Server 2019 · 3 CVEs known exploited, the last since Jul 01, 2026, used by ransomware · ${rest}`,
  );
  expect(say({ ...row, releaseDate }, { ...facts, exploitedCves: 1 })).toBe(
    `Windows Server 2019 · known exploited since Jul 01, 2026 · ${rest}`,
  );
});

it('counts the other missing updates that it closes', () => {
  const row = { cve: ['CVE-2026-1'], exploited: false };
  expect(say(row, { machines: machines(3), closes: [7, 8] })).toBe(
    'release date not stated · severity not stated · missing on 3 machines · also closes 2 missing updates · closes 1 CVE',
  );
  expect(say(row, { closes: [7, 8], closesExploited: 1 })).toContain(
    'also closes 2 missing updates · 1 of these known exploited · closes 1 CVE',
  );
  expect(say(row, { machines: machines(1), closes: [7] })).toContain(
    'also closes 1 missing update ·',
  );
});

it('links to searches that the lists can answer', () => {
  const facts = {
    machines: machines(3),
    closes: [7, 8],
    closesExploited: 1,
    exploitedCves: 1,
    exploitedSince: 0,
  };
  const figures = describeRow({ cve: ['CVE-2026-1'], exploited: true }, facts).flatMap(
    ({ figure }) => figure ?? [],
  );
  expect(figures).toHaveLength(5);
  for (const figure of figures) {
    const list = getList(figure.list as ListKey);
    const text = writeCriteria(list, figure.criteria);
    expect(readCriteria(list, text, { now: 0, timeZone: 'UTC' })).toMatchObject({ refused: [] });
  }
});

it('names evidence that is not known, and says nothing of other unknown facts', () => {
  expect(say({ packages: ['bash', 'bash-doc'], release: ['Debian 12', 'Debian 11'] })).toBe(
    'bash and 1 more · Debian 12 and 1 more · not known whether exploited · release date not stated · severity not stated · names no CVE',
  );
  const unspecified = { severity: 'Unspecified', ratedSeverity: 'Unspecified' };
  const released = { releaseDate: Date.UTC(2026, 0, 2), ...unspecified };
  const acme = { identifier: 'A-2', vendor: 'Acme', title: 'Acme Reader 2' };
  const row = { ...acme, cve: ['CVE-1'], exploited: false };
  expect(say({ ...row, ...released })).toBe(
    'Acme Reader 2 · Acme · released Jan 02, 2026 · severity not stated · closes 1 CVE',
  );
});

it('names the own product first of several, and only the vendor of a system', () => {
  const release = ['Azure Stack HCI', 'Windows 11', 'Windows Server 2022'];
  const row = { release, list: 'patch_repository' };
  expect(describeRow(row, {}, ['Windows Server 2022'])[0]?.text).toBe(
    'Windows Server 2022 and 2 more',
  );
  const system = { vendor: 'Apple', list: 'macos_patch', title: 'macOS 26.3', release: ['26'] };
  expect(say({ ...system, packages: ['UpdateBrain.zip', 'Info.plist'] })).toMatch(/^Apple · not /);
});

it('marks a severity that follows from CVSS', () => {
  expect(say({ severity: 'Unspecified', ratedSeverity: 'Important' })).toContain(
    ' · Important by CVSS · ',
  );
});

it('says when only the vendor states the exploitation', () => {
  expect(say({ vendor: 'Apple', cve: ['CVE-1'], exploited: true })).toContain(
    'exploited by the word of the vendor',
  );
});

it.each([
  [0.9999, 'EPSS > 99.9 %'],
  [0.0432, 'EPSS 4.3 %'],
  [0.0004, 'EPSS 0.04 %'],
])('shows a probability of %d as %s', (epss, words) => {
  expect(say({ exploited: false, epss })).toContain(words);
});

import type { MatrixCell } from '@patch/contract/records/vulnerability-endpoint.ts';
import { releasedBefore, stateOfSource } from '@patch/contract/testing/state-of-source.ts';
import { expect, test } from 'vitest';
import { describeExposure, type ExposureFacts, listAlarms } from './exposure-text.ts';

const published = Date.UTC(2024, 0, 31);
const now = Date.UTC(2024, 6, 1);

const fixed = (vendor: string, release: string | null, days: number | null): MatrixCell => ({
  vendor,
  release,
  list: 'almalinux_patch',
  state: 'fixed',
  fixedIn: 'kernel-1',
  recordId: 1,
  identifier: 'A-1',
  releaseDate: null,
  days,
  command: null,
  readAt: now,
});

const notListed = (vendor: string, list: string, readAt: number | null = now): MatrixCell => ({
  ...fixed(vendor, null, null),
  list,
  state: 'notListed',
  recordId: null,
  readAt,
});

const describe = (matrix: readonly MatrixCell[], facts: Partial<ExposureFacts> = {}) =>
  describeExposure({
    vulnerability: { matrix: [...matrix], row: { id: 1, published } },
    sources: [],
    now,
    ...facts,
  });

test('groups releases by vendor, with the days that the fixes took', () => {
  expect(
    describe([
      fixed('Rocky Linux', 'Rocky Linux 8', 65),
      fixed('Oracle Linux', 'Oracle Linux 10', 91),
      fixed('Oracle Linux', 'Oracle Linux 7', 60),
      fixed('Microsoft', null, null),
    ]),
  ).toBe(
    'Fixed for Rocky Linux 8, Oracle Linux 7 and 10 and Microsoft (60 to 91 days after publication).',
  );
});

test.each([
  [[0], ' (on the day of publication)'],
  [[1], ' (1 day after publication)'],
  [[-3, 0], ' (before publication)'],
  [[-3, 12], ' (0 to 12 days after publication)'],
])('describes fixes after %j days', (days, text) => {
  const cells = days.map((count, index) => fixed('Debian', `Debian ${11 + index}`, count));
  expect(describe(cells)).toContain(`${text}.`);
});

test('counts releases and vendors that would be too many to read', () => {
  const products = Array.from({ length: 37 }, (_, index) =>
    fixed('Microsoft', `Windows ${index}`, null),
  );
  const vendors = ['A', 'B', 'C', 'D'].map((vendor) => fixed(vendor, null, null));
  expect(describe([...products, ...vendors])).toBe(
    'Fixed for Microsoft (37 products), A, B and 2 more vendors.',
  );
});

test('says that nothing fixes a CVE, and where it is listed without a fix', () => {
  const listed: MatrixCell = { ...fixed('Debian', 'Debian 12', null), state: 'listed' };
  expect(describe([listed])).toBe('No record here fixes it. Listed without a fix for Debian 12.');
});

test('names a source that could not have fixed it yet as unknown', () => {
  const silent = stateOfSource({
    source: 'ubuntu',
    lastSuccessAt: now,
    releases: releasedBefore(now, { daysAgo: 300 }),
  });
  const matrix = [notListed('Ubuntu', 'linux_notice')];
  expect(describe(matrix, { sources: [silent] })).toBe(
    'No record here fixes it. Unknown for Ubuntu: the source is silent since Sep 05, 2023.',
  );
  // The vendor's source was read long after the publication of the CVE.
  const later = { ...silent, releases: releasedBefore(now + 3e10, { daysAgo: 60 }) };
  expect(
    describe(matrix, { sources: [{ ...later, lastSuccessAt: now + 3e10 }], now: now + 3e10 }),
  ).toBe('No record here fixes it.');
});

test('names sources that were never read as unknown', () => {
  expect(describe([notListed('Amazon Linux', 'amazonlinux_patch', null)])).toContain(
    'Unknown for Amazon Linux: the source was never read.',
  );
  const two = [
    notListed('Amazon Linux', 'amazonlinux_patch', null),
    notListed('Pardus', 'pardus_patch', null),
  ];
  expect(describe(two)).toContain(
    'Unknown for Amazon Linux and Pardus: their sources are silent or were never read.',
  );
});

test('lists exploitation, ransomware and a passed due date as alarms', () => {
  const row = { id: 1, exploitedSince: published, ransomware: true, dueDate: now };
  expect(listAlarms(row, now)).toEqual([
    'Known exploited since Jan 31, 2024',
    'Used by ransomware',
  ]);
  // The due day itself is still in time.
  expect(listAlarms(row, now + 86_400_000)).toContain('Due date of CISA passed on Jul 01, 2024');
  expect(listAlarms({ id: 1, exploitedSince: null, ransomware: null, dueDate: null }, now)).toEqual(
    [],
  );
});

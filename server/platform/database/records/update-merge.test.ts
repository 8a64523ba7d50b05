import { expect, test } from 'vitest';
import { getRepresentative, mergeRows } from './update-merge.ts';

const buildRow = (more: object) => ({
  list: 'patch_repository',
  natural_key: 'KB1|1',
  title: 'an update',
  release: null,
  release_folded: null,
  cve: null,
  cve_folded: null,
  packages: null,
  packages_folded: null,
  keyword: 'kb1',
  severity: null,
  severity_folded: null,
  severity_rank: null,
  superseded: null,
  ...more,
});

test('prefers the first list of the catalogue, then the lowest key, as representative', () => {
  const members = [
    { list: 'kb_repository', natural_key: 'KB1|1' },
    { list: 'patch_repository', natural_key: 'KB1|9' },
    { list: 'patch_repository', natural_key: 'KB1|10' },
  ];
  expect(getRepresentative(members)).toBe(members[2]);
  expect(getRepresentative([])).toBeUndefined();
});

test('returns the row of a single record unchanged', () => {
  const row = buildRow({ cve: 'CVE-2024-1', cve_folded: 'cve-2024-1', severity: 'Low' });
  expect(mergeRows(row, [row])).toEqual(row);
});

test('merges the values of several records without duplicates', () => {
  const row = buildRow({
    release: 'Server 2022\nServer 2019',
    release_folded: 'server 2022\nserver 2019',
    packages: 'b',
    packages_folded: 'b',
  });
  const other = buildRow({
    release: 'Server 2016\nServer 2022',
    release_folded: 'server 2016\nserver 2022',
    packages: 'a',
    packages_folded: 'a',
    keyword: 'kb1\nanother title',
  });
  expect(mergeRows(row, [row, other])).toMatchObject({
    title: 'an update',
    release: 'Server 2016\nServer 2019\nServer 2022',
    release_folded: 'server 2016\nserver 2019\nserver 2022',
    packages: 'a\nb',
    packages_folded: 'a\nb',
    keyword: 'another title\nkb1',
    cve: null,
    cve_folded: null,
  });
});

test('sorts CVEs by year and number', () => {
  const row = buildRow({ cve: 'CVE-2024-10000', cve_folded: 'cve-2024-10000' });
  const other = buildRow({
    cve: 'CVE-2024-999\nCVE-2023-20000\nCVE-2024-10000',
    cve_folded: 'cve-2024-999\ncve-2023-20000\ncve-2024-10000',
  });
  expect(mergeRows(row, [row, other])).toMatchObject({
    cve: 'CVE-2023-20000\nCVE-2024-999\nCVE-2024-10000',
    cve_folded: 'cve-2023-20000\ncve-2024-999\ncve-2024-10000',
  });
});

test('uses the highest severity, with the word of a record that has one', () => {
  const row = buildRow({ severity: 'Low', severity_folded: 'low', severity_rank: 1 });
  const high = buildRow({ severity: 'Critical', severity_folded: 'critical', severity_rank: 4 });
  const none = buildRow({});
  const critical = { severity: 'Critical', severity_folded: 'critical', severity_rank: 4 };
  const worded = buildRow({ ...high, vendor_severity: 'Urgent', vendor_severity_folded: 'urgent' });
  expect(mergeRows(row, [row, high, worded])).toMatchObject({ vendor_severity: 'Urgent' });
  expect(mergeRows(row, [row, high, none])).toMatchObject(critical);
  expect(mergeRows(none, [none, high, row])).toMatchObject(critical);
});

test.each([
  [[true, true], true],
  [[true, false], false],
  [[true, null], true],
  [[null, null], null],
])('merges superseded %j to %j', (each, together) => {
  const [row, other] = each.map((superseded) => buildRow({ superseded }));
  expect(row && other && mergeRows(row, [row, other])['superseded']).toBe(together);
});

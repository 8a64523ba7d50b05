import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { thirdpartyList } from '@patch/catalogue/vendors/thirdparty/thirdparty-list.ts';
import { windowsKbBaseList } from '@patch/catalogue/vendors/windows/lists/windows-kb-base-list.ts';
import { windowsKbList } from '@patch/catalogue/vendors/windows/lists/windows-kb-list.ts';
import { describe, expect, test } from 'vitest';
import { compareContent, formatDifference } from './content-loss.ts';

type Detail = Readonly<Record<string, unknown>>;

function change(
  was: Detail,
  is: Detail,
  wasDetail: Detail = {},
  isDetail: Detail = {},
  list: ListDefinition = almalinuxList,
) {
  const { lost, replaced, isGain } = compareContent(
    list,
    { row: was, detail: wasDetail },
    { row: is, detail: isDetail },
  );
  return { lost: lost.map(formatDifference), replaced: replaced.map(formatDifference), isGain };
}
const nothing = { lost: [], replaced: [], isGain: false };

describe('values', () => {
  test('reports a missing value as lost, a new one as gained, and another one as replaced', () => {
    expect(change({ title: 'A' }, { title: null })).toEqual({
      ...nothing,
      lost: ['Title: missing (was A)'],
    });
    expect(change({ releaseDate: 1_700_000_000_000 }, {})).toEqual({
      ...nothing,
      lost: ['Release date: missing (was 2023-11-14)'],
    });
    expect(change({}, { title: 'A' })).toEqual({ ...nothing, isGain: true });
    expect(change({ title: 'A' }, { title: 'B' })).toEqual({
      ...nothing,
      replaced: ['Title: B instead of A'],
    });
    expect(change({}, {}, { rebootSuggested: true }, { rebootSuggested: false })).toEqual({
      ...nothing,
      replaced: ['Reboot suggested: No instead of Yes'],
    });
    expect(change({ title: 'A', severity: 'Low' }, { title: 'A', severity: 'Low' })).toEqual(
      nothing,
    );
  });

  test('reports a choice of a lower rank as lost, of a higher rank as gained, and a word without rank as replaced', () => {
    expect(change({ severity: 'Critical' }, { severity: 'Important' }).lost).toEqual([
      'Severity: Important instead of Critical',
    ]);
    expect(change({ severity: 'Low' }, { severity: 'Unspecified' }).lost).toEqual([
      'Severity: Unspecified instead of Low',
    ]);
    expect(change({ severity: 'Low' }, { severity: 'Critical' })).toEqual({
      ...nothing,
      isGain: true,
    });
    expect(change({ severity: 'Low' }, { severity: 'urgent' }).replaced).toEqual([
      'Severity: urgent instead of Low',
    ]);
  });
});

describe('several elements', () => {
  const cves = (...numbers: number[]) => ({ cve: numbers.map((number) => `CVE-2031-${number}`) });
  const packages = (...names: string[]) => ({
    packages: names.map((name) => ({ name, version: '1' })),
  });

  test('reports missing elements as lost', () => {
    expect(change({}, {}, cves(1, 2, 3, 4, 5), cves(5)).lost).toEqual([
      'CVEs: 4 of 5 missing (CVE-2031-1, CVE-2031-2, CVE-2031-3 and 1 more)',
    ]);
    expect(change({ osVersion: ['8', '9'] }, { osVersion: [] }).lost).toEqual([
      'OS version: 2 of 2 missing (8, 9)',
    ]);
  });

  test('identifies rows of a table by their first column and its count', () => {
    expect(change({}, {}, packages('wick', 'wick', 'candle'), packages('wick')).lost).toEqual([
      'Packages: 2 of 3 missing (candle, wick)',
    ]);
    const newer = { packages: [{ name: 'wick', version: '2' }] };
    expect(change({}, {}, packages('wick'), newer)).toEqual({
      ...nothing,
      replaced: ['Packages: not the same'],
    });
    expect(change({}, {}, packages('wick'), packages('wick'))).toEqual(nothing);
  });

  test('reports only the difference in count as lost when elements are replaced', () => {
    expect(change({}, {}, cves(1, 2, 3), cves(4, 5)).lost).toEqual([
      'CVEs: 1 of 3 missing (CVE-2031-1)',
    ]);
    expect(change({}, {}, cves(1, 2), cves(3, 4))).toEqual({
      ...nothing,
      replaced: ['CVEs: not the same'],
    });
    expect(change({}, {}, cves(1), cves(2, 3))).toEqual({ ...nothing, isGain: true });
  });

  test('allows a table with turnover to be shorter, but not empty', () => {
    const releases = (...names: string[]) => ({ releasePackages: names.map((name) => ({ name })) });
    expect(change({}, {}, releases('A', 'A'), releases('A'), thirdpartyList)).toEqual({
      ...nothing,
      replaced: ['Release packages: not the same'],
    });
    expect(change({}, {}, releases('A', 'A'), releases(), thirdpartyList).lost).toEqual([
      'Release packages: 2 of 2 missing (A)',
    ]);
  });

  test('marks lists of replaced records', () => {
    const was = { row: {}, detail: { supersedes: ['KB1'], supersededBy: ['KB3'] } };
    const { lost } = compareContent(windowsKbBaseList, was, { row: {}, detail: {} });
    expect(lost).toMatchObject([
      { name: 'supersedes', listsReplacedRecords: true },
      { name: 'supersededBy', listsReplacedRecords: false },
    ]);
  });
});

test('ignores values of the service and undeclared values', () => {
  expect(change({ createdTime: 1, other: 'B' }, {}, { unknown: ['C'] }, {}, windowsKbList)).toEqual(
    nothing,
  );
});

test('truncates long values in texts', () => {
  const [words] = change({ title: 'x'.repeat(100) }, {}).lost;
  expect(words).toBe(`Title: missing (was ${'x'.repeat(60)}…)`);
});

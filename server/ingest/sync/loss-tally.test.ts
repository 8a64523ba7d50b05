import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { expect, test } from 'vitest';
import type { ChangedPlace } from './content-loss.ts';
import { LossTally } from './loss-tally.ts';

const elements = (
  lost: readonly string[],
  had: number,
  more: { name?: string; namesOlder?: boolean } = {},
): ChangedPlace => ({
  kind: 'elements',
  name: 'cve',
  label: 'CVEs',
  lost,
  had,
  namesOlder: false,
  ...more,
});
const value: ChangedPlace = {
  kind: 'value',
  name: 'releaseDate',
  label: 'Release date',
  was: 'A',
  is: null,
};
const several = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Of `rows` rows under `names` names, row by row what `lossOf` says; `compared` rows were compared. */
function isLarge(
  rows: number,
  names: number,
  lossOf: (row: number) => ChangedPlace,
  compared = 1000,
  share = 30,
): boolean {
  const tally = new LossTally(share);
  for (let row = 0; row < rows; row++)
    tally.add(almalinuxList, `name ${row % names}`, [lossOf(row)]);
  return tally.isLarge(() => compared);
}

test('three vendor records with ten different elements are many, fewer of either are not', () => {
  expect(isLarge(3, 3, (row) => elements(several(`CVE-${row}`, 4), 5))).toBe(true);
  expect(isLarge(30, 2, (row) => elements(several(`CVE-${row}`, 4), 5))).toBe(false);
  expect(isLarge(3, 3, (row) => elements(several(`CVE-${row}`, 3), 4))).toBe(false);
});

test('an element that many rows lose counts once', () => {
  expect(isLarge(300, 300, () => elements(several('CVE', 9), 10))).toBe(false);
  expect(isLarge(300, 300, () => elements(several('CVE', 10), 11))).toBe(true);
});

test('rows of one name in a table are elements of their own', () => {
  expect(isLarge(3, 3, () => elements(Array(10).fill('wick'), 12))).toBe(true);
});

test('records that lose no more than the share of what they have are not counted one by one', () => {
  expect(isLarge(19, 19, (row) => elements(several(`CVE-${row}`, 3), 10))).toBe(false);
  expect(isLarge(19, 19, (row) => elements(several(`CVE-${row}`, 3), 10), 1000, 29)).toBe(true);
});

test('more than the share of all rows is much, however little each loses; fewer than twenty are not', () => {
  const little = (row: number) => elements([`CVE-${row}`], 100);
  expect(isLarge(31, 31, little, 100)).toBe(true);
  expect(isLarge(30, 30, little, 100)).toBe(false);
  expect(isLarge(19, 19, little, 19)).toBe(false);
  expect(isLarge(31, 2, little, 100)).toBe(false);
  expect(isLarge(31, 31, () => elements(['CVE-1'], 100), 100)).toBe(false);
});

test('single values count by rows', () => {
  expect(isLarge(31, 31, () => value, 100)).toBe(true);
  expect(isLarge(30, 30, () => value, 100)).toBe(false);
  expect(isLarge(19, 19, () => value, 19)).toBe(false);
  expect(isLarge(31, 2, () => value, 100)).toBe(false);
});

test('names of records that one replaces count by rows only', () => {
  const older = (row: number) => elements(several(`KB-${row}`, 4), 5, { namesOlder: true });
  expect(isLarge(31, 31, older, 1000)).toBe(false);
  expect(isLarge(31, 31, older, 100)).toBe(true);
});

test('losses in different places are not added up', () => {
  expect(
    isLarge(4, 4, (row) =>
      elements(several(`CVE-${row}`, 4), 5, { name: row < 2 ? 'cve' : 'packages' }),
    ),
  ).toBe(false);
});

test('with a share of 100 nothing is much', () => {
  expect(isLarge(1000, 1000, (row) => elements(several(`CVE-${row}`, 5), 5), 1000, 100)).toBe(
    false,
  );
  expect(isLarge(1000, 1000, () => value, 1000, 100)).toBe(false);
});

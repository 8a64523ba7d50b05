import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { expect, test } from 'vitest';
import type { ContentDifference } from './content-loss.ts';
import { LossTally } from './loss-tally.ts';

const elements = (
  lost: readonly string[],
  had: number,
  more: { name?: string; listsReplacedRecords?: boolean } = {},
): ContentDifference => ({
  kind: 'elements',
  name: 'cve',
  label: 'CVEs',
  lost,
  had,
  listsReplacedRecords: false,
  ...more,
});
const value: ContentDifference = {
  kind: 'value',
  name: 'releaseDate',
  label: 'Release date',
  was: 'A',
  is: null,
};
const several = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Adds the losses of `rows` rows with `names` distinct names. @param compared count of compared rows */
function isLarge(
  rows: number,
  names: number,
  lossOf: (row: number) => ContentDifference,
  compared = 1000,
  share = 30,
): boolean {
  const tally = new LossTally(share);
  for (let row = 0; row < rows; row++)
    tally.add(almalinuxList, `name ${row % names}`, [lossOf(row)]);
  return tally.isLarge(() => compared);
}

test('finds a large loss in three vendor records with ten distinct elements, and not in fewer of either', () => {
  expect(isLarge(3, 3, (row) => elements(several(`CVE-${row}`, 4), 5))).toBe(true);
  expect(isLarge(30, 2, (row) => elements(several(`CVE-${row}`, 4), 5))).toBe(false);
  expect(isLarge(3, 3, (row) => elements(several(`CVE-${row}`, 3), 4))).toBe(false);
});

test('counts an element once that many rows lose', () => {
  expect(isLarge(300, 300, () => elements(several('CVE', 9), 10))).toBe(false);
  expect(isLarge(300, 300, () => elements(several('CVE', 10), 11))).toBe(true);
});

test('counts each row of a table with the same name', () => {
  expect(isLarge(3, 3, () => elements(Array(10).fill('wick'), 12))).toBe(true);
});

test('ignores records that lose no more than the share of their elements', () => {
  expect(isLarge(19, 19, (row) => elements(several(`CVE-${row}`, 3), 10))).toBe(false);
  expect(isLarge(19, 19, (row) => elements(several(`CVE-${row}`, 3), 10), 1000, 29)).toBe(true);
});

test('finds a large loss in more than the share of all rows, and not in fewer than twenty', () => {
  const little = (row: number) => elements([`CVE-${row}`], 100);
  expect(isLarge(31, 31, little, 100)).toBe(true);
  expect(isLarge(30, 30, little, 100)).toBe(false);
  expect(isLarge(19, 19, little, 19)).toBe(false);
  expect(isLarge(31, 2, little, 100)).toBe(false);
  expect(isLarge(31, 31, () => elements(['CVE-1'], 100), 100)).toBe(false);
});

test('counts single values by rows', () => {
  expect(isLarge(31, 31, () => value, 100)).toBe(true);
  expect(isLarge(30, 30, () => value, 100)).toBe(false);
  expect(isLarge(19, 19, () => value, 19)).toBe(false);
  expect(isLarge(31, 2, () => value, 100)).toBe(false);
});

test('counts lists of replaced records only by rows', () => {
  const older = (row: number) =>
    elements(several(`KB-${row}`, 4), 5, { listsReplacedRecords: true });
  expect(isLarge(31, 31, older, 1000)).toBe(false);
  expect(isLarge(31, 31, older, 100)).toBe(true);
});

test('does not add up losses in different fields', () => {
  expect(
    isLarge(4, 4, (row) =>
      elements(several(`CVE-${row}`, 4), 5, { name: row < 2 ? 'cve' : 'packages' }),
    ),
  ).toBe(false);
});

test('finds no large loss with a share of 100', () => {
  expect(isLarge(1000, 1000, (row) => elements(several(`CVE-${row}`, 5), 5), 1000, 100)).toBe(
    false,
  );
  expect(isLarge(1000, 1000, () => value, 1000, 100)).toBe(false);
});

import { expect, test } from 'vitest';
import type { Part } from '../definition/feed.ts';
import { oraclelinuxFeed } from '../vendors/oraclelinux/oraclelinux-feed.ts';
import { partComplaints } from './parts-without-fixtures.ts';

const file = 'catalogue/vendors/oraclelinux/parts-without-fixtures.json';
const [seven, eight, nine, ten] = oraclelinuxFeed.parts as [Part, Part, Part, Part];
const shown = new Set(['8', '9']);
const feedWith = (...parts: Part[]) => ({ ...oraclelinuxFeed, parts });

test('a part has fixtures or is named with the part that it is read like', () => {
  expect(partComplaints(oraclelinuxFeed, shown)).toEqual([]);
});

test('a part with neither is named', () => {
  const eleven = { ...ten, key: '11', label: 'Oracle Linux 11' };
  expect(partComplaints(feedWith(seven, eight, nine, ten, eleven), shown)).toEqual([
    'catalogue/vendors/oraclelinux/fixtures has nothing for the part 11 (Oracle Linux 11): ' +
      'add fixtures, or name in parts-without-fixtures.json the part that it is read like.',
  ]);
});

test('a part that is read by other code cannot stand behind the fixtures of another', () => {
  const other = { ...ten, read: () => ten.read({ documents: [], whole: true }) };
  expect(partComplaints(feedWith(seven, eight, nine, other), shown)).toEqual([
    `${file}: 10: it is read by other code than 9: add fixtures.`,
  ]);
});

test('a line that is no longer true is named', () => {
  expect(partComplaints(feedWith(eight, nine, ten), shown)).toEqual([
    `${file}: 7: the feed has no such part.`,
  ]);
  expect(partComplaints(oraclelinuxFeed, new Set(['8', '9', '10']))).toEqual([
    `${file}: 10: the fixtures show it; remove the line.`,
  ]);
  expect(partComplaints(oraclelinuxFeed, new Set(['9', '7']))).toEqual([
    expect.stringContaining('nothing for the part 8'),
    `${file}: 7: the fixtures show it; remove the line.`,
  ]);
  expect(partComplaints(oraclelinuxFeed, new Set(['9']))).toContain(
    `${file}: 7: the fixtures show no part 8.`,
  );
});

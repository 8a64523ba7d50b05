/** Advisories that differ from the fixtures, page by page. */
import { expect, test } from 'vitest';
import { allOf } from '../../testing/all-of.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { rockylinuxFeed } from './rockylinux-feed.ts';

const advisories = partOf(rockylinuxFeed, 'advisories');
const pageAt = (page: number) =>
  `https://apollo.build.resf.org/api/v3/advisories/?page=${page}&size=100`;

const readPages = async (...pages: readonly (readonly unknown[])[]) => {
  const documents = pages.map((page, place) =>
    documentFrom(pageAt(place + 1), JSON.stringify({ advisories: page })),
  );
  return allOf(advisories.read({ documents, whole: true }));
};

const eight = [{ major_version: 8 }];

test('reports the words that it does not know; an id of its own has no advisory of Red Hat', async () => {
  const odd = {
    name: 'RLSA-2031:C0001',
    affected_products: eight,
    severity: 'urgent',
    kind: 'Hotfix',
  };
  const usual = {
    name: 'RLSA-2031:2',
    affected_products: eight,
    severity: 'UNKNOWN',
    kind: 'Enhancement',
  };
  const [first, second] = await readPages([odd, usual]);
  expect(first).toMatchObject({
    row: { severity: 'Unspecified', category: 'other' },
    detail: {
      vendorSeverity: 'urgent',
      vendorCategory: 'Hotfix',
      upstreamAdvisories: [],
      references: [],
    },
    unknownWords: [
      { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
      { vocabulary: 'category', word: 'Hotfix', shownAs: 'other' },
    ],
  });
  expect(second).toMatchObject({
    row: { severity: 'Unspecified' },
    detail: { vendorSeverity: 'UNKNOWN' },
  });
  expect(second).not.toHaveProperty('unknownWords');
});

test('the oldest page comes first; of an advisory on two pages the one fetched last counts', async () => {
  const read = await readPages(
    [
      { name: 'RLSA-2031:2', affected_products: eight },
      { name: 'RLSA-2031:1', affected_products: eight },
    ],
    [{ name: 'RLSA-2031:1', synopsis: 'Edited', affected_products: eight }],
  );
  expect(
    read.map((reading) => reading.kind === 'entry' && [reading.key, reading.row.title]),
  ).toEqual([
    ['8:RLSA-2031:1', 'Edited'],
    ['8:RLSA-2031:2', null],
  ]);
});

test('a module version that is a bare number over 2^53 is kept digit by digit', async () => {
  const text = `{"advisories":[{"name":"RLSA-2031:1","packages":[{"nevra":"a-0:1-1.el8.x86_64.rpm","module_name":"a","module_version":8040020310811063001}]}]}`;
  const [entry] = await allOf(
    advisories.read({ documents: [documentFrom(pageAt(1), text)], whole: true }),
  );
  expect(entry).toMatchObject({
    detail: { modules: [{ name: 'a', stream: null, version: '8040020310811063001' }] },
  });
});

test('records that are none are kept out one by one', async () => {
  const read = await readPages([
    null,
    3,
    [],
    { name: ' ' },
    { name: 'RLSA-2031:1', synopsis: {}, affected_products: eight },
  ]);
  expect(
    read.map((reading) => reading.kind === 'rejection' && `${reading.rejected}: ${reading.reason}`),
  ).toEqual([
    'advisory 1 of the page: it has no name',
    'advisory 2 of the page: it has no name',
    'advisory 3 of the page: it has no name',
    'advisory 4 of the page: it has no name',
    'RLSA-2031:1: synopsis: expected a word',
  ]);
});

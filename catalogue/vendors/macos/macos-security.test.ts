/** CVEs and exploitation in the rows: their sources, replacements, and rows that stay when no source answers. */
import { expect, test } from 'vitest';
import { FetchFailed } from '../../definition/document-errors.ts';
import type { Document } from '../../definition/feed.ts';
import { feedRemarkText } from '../../definition/feed-remark-text.ts';
import {
  createReader,
  formatEntry,
  formatMessages,
  type Instead,
  indexEntries,
} from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { readAllItems } from '../../testing/read-all-items.ts';
import { securityIndex } from './apple-security-pages.ts';
import { macosFeed } from './macos-feed.ts';
import { sofaAddress } from './sofa-releases.ts';

const { instead } = createReader(macosFeed, { now: Date.UTC(2026, 3, 12) });
const software = findPart(macosFeed, 'software');
const composite = 'https://support.apple.com/en-us/HT298000';
const installer = '901-00001';
const securityUpdate = '901-00004::1';

/** Syncs with other answers for some addresses, after a sync that read the documents `last`. */
async function sync(
  served: Readonly<Record<string, ReturnType<Instead>>> = {},
  last: readonly Document[] = [],
) {
  const publication = instead(
    (url) => served[Object.keys(served).find((part) => url.includes(part)) ?? ''],
    { readLast: async () => last },
  );
  const contents = await software.contents(publication);
  const readings = await readAllItems(software, contents);
  const entries = indexEntries(readings);
  return {
    contents,
    requested: publication.requested.filter((url) => url.startsWith('https://support.apple.com/')),
    entries,
    remarks: formatMessages(readings),
    formatRow: (key: string) => formatEntry(entries.get(key)),
  };
}

const unreachable = (host: string) =>
  new FetchFailed(`https://${host}/`, { code: 'unreachable', params: { reason: 'no route' } });
const unreachableSources = {
  sofafeed: unreachable('sofafeed'),
  'support.apple.com': unreachable('support.apple.com'),
};
const unknown = { exploited: null, cve: [] };

test("reads Apple's page for a release that SOFA lacks, limited to its own system", async () => {
  expect((await sync()).formatRow(securityUpdate)).toMatchObject({
    cve: ['CVE-2030-20001', 'CVE-2030-20003', 'CVE-2030-20004'],
    exploited: true,
    securityContent: composite,
    securityStatedBy: 'Apple',
    vulnerabilities: ['CVE-2030-20001 true', 'CVE-2030-20003 false', 'CVE-2030-20004 false'],
  });
});

test('states nothing for a product without security content, and requests no page', async () => {
  const { entries, requested } = await sync();
  expect(entries.get('901-00002')?.row).toMatchObject({ title: 'Lantern', ...unknown });
  expect(requested).toEqual([securityIndex, 'https://support.apple.com/en-us/198000', composite]);
});

test("reads Apple's pages with a remark when SOFA's list is not published", async () => {
  const page = 'https://support.apple.com/en-us/198101';
  const { entries, remarks, formatRow } = await sync({
    [page]:
      '<h1>About the security content of macOS Tahoe 26.7.1</h1><p>Available for: macOS Tahoe</p><p>CVE-2031-10002: one</p>',
    [sofaAddress]: null,
  });
  expect(entries.size).toBe(6);
  expect(formatRow(installer)).toMatchObject({
    cve: ['CVE-2031-10002'],
    exploited: false,
    securityContent: page,
    securityStatedBy: 'Apple',
  });
  expect(remarks).toContain("SOFA's list of releases is not published");
  expect(remarks).toContain("CVEs are those that Apple's own pages state");
});

test('keeps all rows when no source answers, and requests a failing server once', async () => {
  const { entries, remarks, requested } = await sync(unreachableSources);
  expect(entries.size).toBe(6);
  expect(entries.get(installer)?.row).toMatchObject({ title: 'macOS Tahoe', ...unknown });
  for (const missing of [
    /^SOFA's list of releases is missing: .+ could not be reached/,
    /^Apple's security content of other releases is missing: .+ could not be reached/,
  ])
    expect(remarks).toContainEqual(expect.stringMatching(missing));
  expect(requested).toEqual([securityIndex]);
});

test('keeps the known content while no source answers', async () => {
  const before = await sync();
  const after = await sync(unreachableSources, before.contents.documents);
  expect([...after.entries]).toEqual([...before.entries]);
  expect(after.contents.standIn).toHaveLength(2);
  const withdrawn = await sync({ [sofaAddress]: null }, before.contents.documents);
  expect([...withdrawn.entries]).toEqual([...before.entries]);
  expect(withdrawn.contents.standIn?.map(feedRemarkText)).toEqual([
    `${sofaAddress} is not published (not found). Its last copy was read.`,
  ]);
});

test.each([
  [
    'a page of another kind',
    securityIndex,
    '<html><body>Please sign in</body></html>',
    /^Apple's security content of other releases is missing: .+ it has no heading/,
  ],
  [
    'not served',
    composite,
    null,
    /^Apple does not serve its pages of security content \(not found\): .*HT298000$/,
  ],
  [
    'of another release',
    composite,
    '<h1>About the security content of Safari 30.1</h1><p>Available for: macOS</p><p>CVE-2031-1: x</p>',
    /^Apple's index names pages that are not of the release: .*HT298000$/,
  ],
])('ignores a page that is %s, with a remark', async (_what, address, served, remark) => {
  const { entries, remarks } = await sync({ [address]: served });
  expect(entries.size).toBe(6);
  expect(entries.get(securityUpdate)?.row).toMatchObject(unknown);
  expect(remarks).toContainEqual(expect.stringMatching(remark));
});

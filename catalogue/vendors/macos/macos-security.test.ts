/** CVEs and exploitation in the rows: what states them, what stands in, and that no row is lost when neither answers. */
import { expect, test } from 'vitest';
import { FetchFailed } from '../../definition/document-errors.ts';
import type { Document } from '../../definition/feed.ts';
import { feedRemarkText } from '../../definition/feed-remark.ts';
import { entriesOf, type Instead, readerOf, saidOf, shown } from '../../testing/feed-reader.ts';
import { partOf } from '../../testing/part-of.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { securityIndex } from './apple-security-pages.ts';
import { macosFeed } from './macos-feed.ts';
import { sofaAddress } from './sofa-releases.ts';

const { instead } = readerOf(macosFeed, { now: Date.UTC(2026, 3, 12) });
const software = partOf(macosFeed, 'software');
const composite = 'https://support.apple.com/en-us/HT298000';
const installer = '901-00001';
const securityUpdate = '901-00004::1';

/** A sync with other answers for some addresses, after one that read those documents. */
async function synced(
  served: Readonly<Record<string, ReturnType<Instead>>> = {},
  last: readonly Document[] = [],
) {
  const publication = instead(
    (url) => served[Object.keys(served).find((part) => url.includes(part)) ?? ''],
    { readLast: async () => last },
  );
  const contents = await software.contents(publication);
  const readings = await readingsOf(software, contents);
  const entries = entriesOf(readings);
  return {
    contents,
    asked: publication.asked.filter((url) => url.startsWith('https://support.apple.com/')),
    entries,
    remarks: saidOf(readings),
    shownOf: (key: string) => shown(entries.get(key)),
  };
}

const unreachable = (host: string) =>
  new FetchFailed(`https://${host}/`, { code: 'unreachable', params: { reason: 'no route' } });
const nobody = {
  sofafeed: unreachable('sofafeed'),
  'support.apple.com': unreachable('support.apple.com'),
};
const unknown = { exploited: null, cve: [] };

test("a release that SOFA does not state has what Apple's page says of its own system alone", async () => {
  expect((await synced()).shownOf(securityUpdate)).toMatchObject({
    cve: ['CVE-2030-20001', 'CVE-2030-20003', 'CVE-2030-20004'],
    exploited: true,
    securityContent: composite,
    securityStatedBy: 'Apple',
    vulnerabilities: ['CVE-2030-20001 true', 'CVE-2030-20003 false', 'CVE-2030-20004 false'],
  });
});

test('a product that is no release has nothing stated, and nobody is asked for its page', async () => {
  const { entries, asked } = await synced();
  expect(entries.get('901-00002')?.row).toMatchObject({ title: 'Lantern', ...unknown });
  expect(asked).toEqual([securityIndex, 'https://support.apple.com/en-us/198000', composite]);
});

test("Apple's pages stand in for a list of SOFA's that is not published, which is said", async () => {
  const page = 'https://support.apple.com/en-us/198101';
  const { entries, remarks, shownOf } = await synced({
    [page]:
      '<h1>About the security content of macOS Tahoe 26.7.1</h1><p>Available for: macOS Tahoe</p><p>CVE-2031-10002: one</p>',
    [sofaAddress]: null,
  });
  expect(entries.size).toBe(6);
  expect(shownOf(installer)).toMatchObject({
    cve: ['CVE-2031-10002'],
    exploited: false,
    securityContent: page,
    securityStatedBy: 'Apple',
  });
  expect(remarks).toContain("SOFA's list of releases is not published");
  expect(remarks).toContain("CVEs are those that Apple's own pages state");
});

test.each([
  ['cannot be reached', unreachable('sofafeed'), 'could not be reached'],
  ['is no JSON', '<html>', 'it is not valid JSON'],
  ['names no release', '{"OSVersions":[]}', 'it is no list of releases'],
])('no row is lost when the list of SOFA %s', async (_words, served, reason) => {
  const { entries, remarks } = await synced({ [sofaAddress]: served });
  expect(entries.size).toBe(6);
  const line = remarks.find((remark) => remark.startsWith("SOFA's list of releases is missing: "));
  expect(line).toContain(reason);
  expect(remarks).toContain("CVEs are those that Apple's own pages state");
});

test('no row is lost when neither answers; a server that does not answer is asked once', async () => {
  const { entries, remarks, asked } = await synced(nobody);
  expect(entries.size).toBe(6);
  expect(entries.get(installer)?.row).toMatchObject({ title: 'macOS Tahoe', ...unknown });
  for (const missing of [
    /^SOFA's list of releases is missing: .+ could not be reached/,
    /^what Apple's own pages state of other releases is missing: .+ could not be reached/,
  ])
    expect(remarks).toContainEqual(expect.stringMatching(missing));
  expect(asked).toEqual([securityIndex]);
});

test('what was known is kept while neither answers', async () => {
  const before = await synced();
  const after = await synced(nobody, before.contents.documents);
  expect([...after.entries]).toEqual([...before.entries]);
  expect(after.contents.standIn).toHaveLength(2);
  const withdrawn = await synced({ [sofaAddress]: null }, before.contents.documents);
  expect([...withdrawn.entries]).toEqual([...before.entries]);
  expect(withdrawn.contents.standIn?.map(feedRemarkText)).toEqual([
    `${sofaAddress} is not published (not found). Its last copy was read.`,
  ]);
});

test.each([
  [
    'no page',
    securityIndex,
    '<html><body>Please sign in</body></html>',
    /^what Apple's own pages state of other releases is missing: .+ it has no heading/,
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
])('a page that is %s is not believed, which is said', async (_what, address, served, remark) => {
  const { entries, remarks } = await synced({ [address]: served });
  expect(entries.size).toBe(6);
  expect(entries.get(securityUpdate)?.row).toMatchObject(unknown);
  expect(remarks).toContainEqual(expect.stringMatching(remark));
});

/** CVEs and exploitation in the rows: what states them, what stands in, and that no row is lost when neither answers. */

import { expect, test } from 'vitest';
import { FetchFailed, NotPublished } from '../../definition/document-errors.ts';
import type { Document, Entry, Part, Publication } from '../../definition/feed.ts';
import { feedRemarkText } from '../../definition/feed-remark.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { partOf } from '../../testing/part-of.ts';
import { publicationFrom } from '../../testing/publication-from.ts';
import { readingsOf } from '../../testing/readings-of.ts';
import { securityIndex } from './apple-security-pages.ts';
import { macosFeed } from './macos-feed.ts';
import { sofaAddress } from './sofa-releases.ts';

const fixtures = new URL('./fixtures/', import.meta.url);
const software = partOf(macosFeed, 'software');
const versions = partOf(macosFeed, 'versions');
const composite = 'https://support.apple.com/en-us/HT298000';
const installer = '901-00001';
const securityUpdate = '901-00004::1';

type Served = (url: string) => Document | Error | undefined;

/** A sync of a part with other answers for some documents, and what the last one read. */
async function synced(
  part: Part,
  served: Served = () => undefined,
  last: readonly Document[] = [],
) {
  const publication = publicationFrom(fixtures, { now: Date.UTC(2026, 3, 12) });
  const asked: string[] = [];
  const open: Publication['open'] = async (url, options) => {
    asked.push(url);
    const answer = served(url);
    if (answer instanceof Error) throw answer;
    if (answer === undefined) return publication.open(url, options);
    await options?.readThrough?.(answer);
    return answer;
  };
  const contents = await part.contents({ ...publication, open, readLast: async () => last });
  const readings = await readingsOf(part, contents);
  const entries = new Map(
    readings
      .filter((reading): reading is Entry => reading.kind === 'entry')
      .map((entry) => [entry.key, entry]),
  );
  const remarks = readings.flatMap((reading) =>
    reading.kind === 'remark' ? [reading.remark] : [],
  );
  return {
    contents,
    asked,
    entries,
    remarks,
    rowOf: (key: string) => entries.get(key)?.row,
    detailOf: (key: string) => entries.get(key)?.detail,
  };
}

const absent = (address: string) => (url: string) =>
  url === address ? new NotPublished(url) : undefined;
const unreachable = (host: string) => (url: string) =>
  url.includes(host)
    ? new FetchFailed(url, { code: 'unreachable', params: { reason: 'no route' } })
    : undefined;

test("a release that SOFA does not state has what Apple's page says of its own system alone", async () => {
  const { rowOf, detailOf } = await synced(software);
  expect(rowOf(securityUpdate)).toMatchObject({
    cve: ['CVE-2030-20001', 'CVE-2030-20003', 'CVE-2030-20004'],
    exploited: true,
  });
  expect(detailOf(securityUpdate)).toMatchObject({
    securityContent: composite,
    securityStatedBy: 'Apple',
    vulnerabilities: [
      { cve: 'CVE-2030-20001', exploited: true },
      { cve: 'CVE-2030-20003', exploited: false },
      { cve: 'CVE-2030-20004', exploited: false },
    ],
  });
});

test('a product that is no release has nothing stated, and nobody is asked for its page', async () => {
  const { rowOf, asked } = await synced(software);
  expect(rowOf('901-00002')).toMatchObject({ title: 'Lantern', cve: [], exploited: null });
  expect(asked.filter((url) => url.startsWith('https://support.apple.com/'))).toEqual([
    securityIndex,
    'https://support.apple.com/en-us/198000',
    composite,
  ]);
});

test("Apple's pages stand in for a list of SOFA's that is not published, which is said", async () => {
  const page = documentFrom(
    'https://support.apple.com/en-us/198101',
    '<h1>About the security content of macOS Tahoe 26.7.1</h1><p>Available for: macOS Tahoe</p><p>CVE-2031-10002: one</p>',
  );
  const served = (url: string) => (url === page.url ? page : absent(sofaAddress)(url));
  const { entries, rowOf, detailOf, remarks } = await synced(software, served);
  expect(entries.size).toBe(6);
  expect(rowOf(installer)).toMatchObject({ cve: ['CVE-2031-10002'], exploited: false });
  expect(detailOf(installer)).toMatchObject({
    securityContent: page.url,
    securityStatedBy: 'Apple',
  });
  expect(remarks).toEqual(
    expect.arrayContaining([
      "SOFA's list of releases is not published",
      "CVEs are those that Apple's own pages state",
    ]),
  );
});

test.each([
  ['cannot be reached', unreachable('sofafeed'), 'could not be reached'],
  [
    'is no JSON',
    (url: string) => (url === sofaAddress ? documentFrom(url, '<html>') : undefined),
    'it is not valid JSON',
  ],
  [
    'names no release',
    (url: string) => (url === sofaAddress ? documentFrom(url, '{"OSVersions":[]}') : undefined),
    'it is no list of releases',
  ],
])('no row is lost when the list of SOFA %s', async (_words, served, reason) => {
  const { entries, remarks } = await synced(software, served);
  expect(entries.size).toBe(6);
  const said = remarks.find((remark) => remark.startsWith("SOFA's list of releases is missing: "));
  expect(said).toContain(reason);
  expect(remarks).toContain("CVEs are those that Apple's own pages state");
});

test('no row is lost when neither answers', async () => {
  const nobody = (url: string) =>
    unreachable('sofafeed')(url) ?? unreachable('support.apple.com')(url);
  const { entries, remarks, rowOf, asked } = await synced(software, nobody);
  expect(entries.size).toBe(6);
  expect(rowOf(installer)).toMatchObject({ title: 'macOS Tahoe', cve: [], exploited: null });
  expect(remarks).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^SOFA's list of releases is missing: .+ could not be reached/,
      ) as string,
      expect.stringMatching(
        /^what Apple's own pages state of other releases is missing: .+ could not be reached/,
      ) as string,
    ]),
  );
  // A server that does not answer is asked once.
  expect(asked.filter((url) => url.includes('support.apple.com'))).toEqual([securityIndex]);
});

test('what was known is kept while neither answers', async () => {
  const before = await synced(software);
  const nobody = (url: string) =>
    unreachable('sofafeed')(url) ?? unreachable('support.apple.com')(url);
  const after = await synced(software, nobody, before.contents.documents);
  expect([...after.entries]).toEqual([...before.entries]);
  expect(after.contents.standIn).toHaveLength(2);
  const withdrawn = await synced(software, absent(sofaAddress), before.contents.documents);
  expect([...withdrawn.entries]).toEqual([...before.entries]);
  expect(withdrawn.contents.standIn?.map(feedRemarkText)).toEqual([
    `${sofaAddress} is not published (not found). Its last copy was read.`,
  ]);
});

test('what stands in the place of a page is no page', async () => {
  const portal = (url: string) =>
    url === securityIndex
      ? documentFrom(url, '<html><body>Please sign in</body></html>')
      : undefined;
  const { entries, remarks } = await synced(software, portal);
  expect(entries.size).toBe(6);
  expect(remarks).toContainEqual(
    expect.stringMatching(
      /^what Apple's own pages state of other releases is missing: .+ it has no heading/,
    ),
  );
});

test('a page that is named and not served is said, one of another release is not believed', async () => {
  const missing = await synced(software, absent(composite));
  expect(missing.rowOf(securityUpdate)).toMatchObject({ cve: [], exploited: null });
  expect(missing.remarks).toContain(
    `Apple does not serve its pages of security content (not found): ${composite}`,
  );
  const other = documentFrom(
    composite,
    '<h1>About the security content of Safari 30.1</h1><p>Available for: macOS</p><p>CVE-2031-1: x</p>',
  );
  const wrong = await synced(software, (url) => (url === composite ? other : undefined));
  expect(wrong.rowOf(securityUpdate)).toMatchObject({ cve: [], exploited: null });
  expect(wrong.remarks).toContain(
    `Apple's index names pages that are not of the release: ${composite}`,
  );
});

test('a version lists what its own release fixes, not what its background security improvement fixes', async () => {
  const { rowOf, detailOf } = await synced(versions);
  expect(rowOf('macOS-26.7.2-25G955')).toMatchObject({ cve: [], exploited: false });
  expect(rowOf('macOS-26.7.1(a)-25G909001a')).toMatchObject({
    cve: ['CVE-2031-10009'],
    exploited: true,
  });
  expect(detailOf('macOS-26.7.1(a)-25G909001a')).toMatchObject({
    securityContent: 'https://support.apple.com/en-us/198150',
  });
});

test('words for a restart that are not known are reported and kept', async () => {
  const { entries, detailOf } = await synced(software);
  expect(entries.get('901-00005')?.unknownWords).toEqual([
    { vocabulary: 'restart behaviour', word: 'RequireRelaunch', shownAs: 'nothing' },
  ]);
  expect(detailOf('901-00005')).toMatchObject({
    restartBehaviour: 'Log out required',
    vendorRestart: ['RequireLogout', 'RequireRelaunch'],
  });
});

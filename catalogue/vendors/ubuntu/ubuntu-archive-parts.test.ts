import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Publication } from '../../definition/feed.ts';
import { documentFrom } from '../../testing/document-from.ts';
import {
  createReader,
  formatEntry,
  formatMessages,
  type Instead,
  indexEntries,
} from '../../testing/feed-reader.ts';
import { findPart } from '../../testing/find-part.ts';
import { readAllItems } from '../../testing/read-all-items.ts';
import { ubuntuFeed } from './ubuntu-feed.ts';

const reader = createReader(ubuntuFeed);
const { fixtures, instead } = reader;
const jammy = 'jammy-security';
const suite = findPart(ubuntuFeed, jammy);
const dists = `http://security.ubuntu.com/ubuntu/dists/${jammy}`;
const lanternd = `${jammy}|main|lanternd|2:4.1-5ubuntu0.1|amd64`;
const entries = (publication?: Publication) => reader.entries(jammy, publication);
const said = (publication?: Publication) => reader.said(jammy, publication);
const serving = (pattern: RegExp, served: ReturnType<Instead>, more = {}) =>
  instead((url) => (pattern.test(url) ? served : undefined), more);

test("opens a suite's signed release, its non-empty indexes, the notices and the priorities", async () => {
  expect(await reader.documents(jammy)).toEqual([
    `${dists}/InRelease`,
    `${dists}/main/binary-amd64/Packages`,
    `${dists}/universe/binary-amd64/Packages`,
    'https://usn.ubuntu.com/usn-db/database.json.bz2',
    'https://security-metadata.canonical.com/osv/osv-all.tar.xz',
    true,
  ]);
  await expect(reader.documents('noble-updates')).rejects.toThrow(NotPublished);
});

test('reads every field of a package, with the notices of its source version', async () => {
  const lantern = (await entries()).get(lanternd);
  expect(lantern?.list.key).toBe('linux_patch_repository');
  expect(formatEntry(lantern)).toEqual({
    patchId: lanternd,
    title: 'lighting daemon',
    sourcePkgName: 'lantern',
    sourcePkgVersion: '2:4.1-5ubuntu0.1',
    binaryPkgName: 'lanternd',
    binaryPkgVersion: '2:4.1-5ubuntu0.1',
    releaseDate: 1938000000500,
    distribution: jammy,
    urgency: 'high',
    priority: 'optional',
    arch: 'amd64',
    releaseDateFrom: 'Notice USN-9001-1',
    component: 'main',
    section: 'net',
    size: 69728,
    downloadUrl:
      'http://security.ubuntu.com/ubuntu/pool/main/l/lantern/lanternd_4.1-5ubuntu0.1_amd64.deb',
    checksum: '1'.repeat(64),
    notices: ['USN-9001-1', 'USN-9002-1'],
    cve: ['CVE-2031-20001', 'CVE-2031-20002', 'CVE-2031-20003'],
  });
});

test('reads a separate source version, and finds a signed kernel by its binary package', async () => {
  const key = `${jammy}|main|linux-image-6.1.0-9-generic|6.1.0-9.9|amd64`;
  const kernel = formatEntry((await entries()).get(key));
  expect(kernel).toMatchObject({
    sourcePkgName: 'linux-signed',
    sourcePkgVersion: '6.1.0-9.9+1',
    priority: 'standard',
    description: expect.stringMatching(
      /^A kernel image for generic\. {2}This version .{5} is signed\.\n\nIt is not for everyone\.$/,
    ),
    notices: ['USN-9003-1'],
    cve: ['CVE-2031-20004'],
  });
  expect(Object.keys(kernel)).not.toEqual(expect.arrayContaining(['releaseDate']));
  expect(kernel).not.toHaveProperty('urgency');
});

test('lists two versions of a package, without a date when no notice names them, and with the phased percentage', async () => {
  const read = await entries();
  const wicks = [...read.values()].filter(({ row }) => row.binaryPkgName === 'wick');
  expect(wicks.map(({ row }) => [row.binaryPkgVersion, row.phasedUpdate])).toEqual([
    ['0.9-1ubuntu0.1', null],
    ['0.9-1ubuntu0.2', 40],
  ]);
  for (const { row, detail } of wicks)
    expect({ ...row, ...detail }).toMatchObject({
      title: 'wick',
      releaseDate: null,
      urgency: null,
      sourcePkgName: 'wick',
      priority: 'extra',
      notices: [],
      cve: [],
      releaseDateFrom: null,
    });
  // Priorities that dpkg does not know are shown as written; the engine reports them.
  expect(read.get(`${jammy}|universe|candle|1.0-1|all`)?.row).toMatchObject({
    priority: 'source',
    title: 'candles',
    phasedUpdate: null,
  });
});

test.each([
  [
    'by its Release file, unless a notice names them',
    undefined,
    [Date.UTC(2022, 3, 21, 17, 16, 8), 'Release file of jammy'],
  ],
  ['not at all without the table of releases', null, [null, null]],
  [
    'not at all before the release',
    'version,series,release\n22.04,jammy,2022-04-22\n',
    [null, null],
  ],
])('dates packages of a release %s', async (_how, csv, dated) => {
  const release = ubuntuFeed.otherParts?.toPart('jammy');
  if (!release) throw new Error('An administrator can add it');
  const read = await readAllItems(release, await release.contents(serving(/ubuntu\.csv$/, csv)));
  expect(
    [...indexEntries(read).values()].map(({ key, row, detail }) => [
      key,
      row.releaseDate,
      detail.releaseDateFrom,
    ]),
  ).toEqual([
    ['jammy|main|lanternd|2:4.1-5ubuntu0.1|amd64', 1938000000500, 'Notice USN-9001-1'],
    ['jammy|main|tallow|1.0-1|all', ...dated],
  ]);
});

test('rejects a record without a version', async () => {
  expect(await said()).toEqual([
    'USN-9003-1: timestamp "not a time" is not a date that can be read',
    expect.stringMatching(/^USN-9005-1: .*cannot be read/),
    'snuffer: it has no Version',
  ]);
});

test("reads packages without notices and priorities, and uses the notices' last copy", async () => {
  const read = await entries(serving(/usn-db|osv-all/, null));
  expect(read.size).toBe(5);
  expect(read.get(lanternd)?.row).toMatchObject({ releaseDate: null, urgency: null });
  const last = [await fixtures.open('https://usn.ubuntu.com/usn-db/database.json.bz2')];
  const copied = await entries(serving(/usn-db/, null, { readLast: async () => last }));
  expect(copied.get(lanternd)?.row.releaseDate).toBe(1938000000500);
});

test('reports a component that is listed but not published, and withdraws none of its records', async () => {
  const without = await suite.contents(serving(/universe/, null));
  expect(without.isComplete).toBe(false);
  expect(formatMessages(await readAllItems(suite, without))).toContain(
    'universe: listed, but not published; the records already known stay',
  );
  await expect(suite.contents(serving(/binary-amd64/, null))).rejects.toThrow(
    'of the indexes it lists (main, universe) none is published',
  );
});

test('adds a remark on a state older than the last one', async () => {
  const release = await fixtures.open(`${dists}/InRelease`);
  const text = (await release.text()).replace('04 Jun 2031', '05 Jun 2031');
  const after = (document: typeof release) =>
    said({ ...fixtures, readLast: async () => [document] });
  expect(await after(documentFrom(release.url, text))).toContain(
    'this state of 2031-06-04T09:08:07.000Z is older than one that was read before, of 2031-06-05T09:08:07.000Z',
  );
  expect(await after(release)).toEqual(await said());
});

test('refuses an archive with an unknown key', async () => {
  await expect(suite.contents({ ...fixtures, trustedKeys: [] })).rejects.toThrow(
    'none of its signatures is good: Could not find signing key with key ID',
  );
});

test('throws when the archive of priorities is not a tar archive', async () => {
  await expect(said(serving(/osv-all/, '<html>'.repeat(200)))).rejects.toThrow(
    'osv-all.tar.xz cannot be read: it is not a tar archive',
  );
});

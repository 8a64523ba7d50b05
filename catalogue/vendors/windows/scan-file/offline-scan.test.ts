import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Entry } from '../../../definition/feed.ts';
import { formatEntry, formatMessages } from '../../../testing/feed-reader.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { readAllItems } from '../../../testing/read-all-items.ts';
import { scanFileFrom, scanMembers, sha1, toUuid } from '../fixtures/offline-scan-members.ts';
import { url } from '../testing/scan-readings.ts';
import { offlineScanPart } from './offline-scan.ts';

const fixtures = new URL('../fixtures/', import.meta.url);
const fixture = fileURLToPath(new URL(url.replace('https://', ''), fixtures));

test('matches the fixture with its members, and writes it when it is missing', async () => {
  if (!existsSync(fixture)) {
    await mkdir(dirname(fixture), { recursive: true });
    await writeFile(fixture, scanFileFrom(scanMembers));
  }
  expect((await readFile(fixture)).equals(scanFileFrom(scanMembers))).toBe(true);
});

const readings = await readAllItems(
  offlineScanPart,
  await offlineScanPart.contents(publicationFrom(fixtures)),
);
const entriesOfList = (list: 'kb_repository' | 'patch') =>
  new Map(
    readings
      .filter((reading): reading is Entry => reading.kind === 'entry' && reading.list.key === list)
      .map((entry) => [entry.key, entry]),
  );
const [kbs, patches] = [entriesOfList('kb_repository'), entriesOfList('patch')];
const allOfEntry = (entry: Entry | undefined) => ({ ...entry?.row, ...entry?.detail });
const kb = (revision: number, more = '') => allOfEntry(kbs.get(toUuid(revision) + more));
const patch = (revision: number) => allOfEntry(patches.get(toUuid(revision)));

test("combines a bundle's words with the files of its parts", () => {
  const cve = ['CVE-2024-90009', 'CVE-2024-90010', 'ADV240001'];
  const shared = {
    uuid: toUuid(1001),
    title:
      '2024-01 Cumulative Update for Windows 10 Version 22H2 for x64-based Systems (KB5090122)',
    releaseDate: Date.UTC(2024, 0, 9, 18, 0, 5),
    kbId: 'KB5090122',
    severity: 'Critical',
    architecture: ['x64'],
    restartBehaviour: 'Can request restart',
    description:
      'A security issue has been identified in a Microsoft software product that could affect your system.',
    superseded: true,
    vendorSeverity: 'Critical',
    uninstallNotes: 'It can be removed.',
    uninstallRestartBehaviour: 'Can request restart',
    supersededUnnamed: 1,
    supersededBy: ['KB5091763'],
    cve,
    fileDetails: [
      `Windows10.0-KB5090122-x64.cab 423995537 ${Buffer.from('lcu-1'.padEnd(32, '.')).toString('hex')} https://catalog.s.download.windowsupdate.com/c/msdownload/update/software/secu/2024/01/windows10.0-kb5090122-x64_1a2b.cab`,
    ],
  };
  expect(formatEntry(kbs.get(toUuid(1001)))).toEqual({
    ...shared,
    category: 'Security Updates',
    productName: ['Windows 10, version 1903 and later'],
    size: 423_995_537,
    supportUninstallation: true,
    cabExists: true,
    referenceLink: 'https://support.microsoft.com/help/5090122',
    ownDate: Date.UTC(2024, 0, 9, 18, 0, 5),
    ownSuperseded: true,
    ownSupersededBy: ['KB5091763'],
    ownCve: cve,
  });
  expect(formatEntry(patches.get(toUuid(1001)))).toEqual({
    ...shared,
    supportUrl: 'https://support.microsoft.com/help/5090122',
    category: 'Security Updates; Windows 10, version 1903 and later',
  });
});

test('ignores older revisions, parts, categories, rules and elements without an id', () => {
  expect([...patches.keys()]).toEqual(
    [1001, 2001, 1101, 1201, 1202, 1301, 1302, 1303, 1304, 1404].map(toUuid),
  );
});

test('excludes images of Windows from the size, but not the other parts', () => {
  const hosted = (pattern: string) => expect.stringMatching(`^https://catalog\\.${pattern}/`);
  expect(kb(2001)).toMatchObject({
    size: 969_677_118 + 86_374_256 + 16_969_715,
    productName: ['Windows 10, version 1903 and later', 'Microsoft Server operating system-21H2'],
    supersedes: ['KB5090122'],
    cabExists: true,
    supportUninstallation: false,
    fileDetails: [
      {
        name: 'Windows10.0-KB5091763-x64.psf',
        downloadUrl: hosted('sf\\.dl\\.delivery\\.mp\\.microsoft\\.com'),
      },
      { name: 'Windows10.0-KB5091763-x64.wim', downloadUrl: null },
      { name: 'D0EB17_Edition.wim', size: 7_817_398_740 },
      { name: 'SSU-19041-x64.cab', downloadUrl: hosted('s\\.download\\.windowsupdate\\.com/d') },
    ],
  });
});

test('counts one of several parts for different languages', () => {
  expect(kb(1101)).toMatchObject({
    title: 'Driver Set & Tools (KB5090200)',
    category: 'Driver Sets',
    size: 3500,
    severity: 'Unspecified',
    architecture: ['ARM64'],
    cabExists: false,
    restartBehaviour: 'Not required',
    productName: [],
    referenceLink: 'https://support.microsoft.com/help/5090200',
  });
});

test('reads a single update with its SHA-1 checksum and its bulletin', () => {
  expect(kb(1201)).toMatchObject({
    size: 77,
    architecture: ['x86'],
    restartBehaviour: 'Required',
    supportUninstallation: false,
  });
  expect(patch(1201)).toMatchObject({
    bulletinId: 'MS16-001',
    kbId: 'KB3124280',
    supportUrl: 'http://support.microsoft.com',
    supersededBy: ['KB3124281', 'KB3124282'],
    fileDetails: [{ checksum: Buffer.from(sha1('old-4'), 'base64').toString('hex') }],
  });
});

test('lists an update of two KBs as two rows and one patch, in another language and without a date', () => {
  const common = {
    title: 'Windows 7 用セキュリティ更新プログラム (KB3124281)',
    releaseDate: null,
    productName: [],
    cabExists: null,
  };
  expect(kb(1202)).toMatchObject({
    ...common,
    kbId: 'KB3124281',
    size: null,
    supersedes: ['KB3124280'],
    supportUninstallation: null,
  });
  expect(kb(1202, ' KB3124282')).toMatchObject({ ...common, kbId: 'KB3124282' });
  expect(patch(1202)).toMatchObject({ kbId: 'KB3124281' });
});

test('leaves superseded unknown for two updates that replace each other', () => {
  for (const [revision, other] of [
    [1301, ['KB5090302']],
    [1302, ['KB5090301']],
  ] as const)
    expect(kb(revision)).toMatchObject({
      supersededBy: other,
      supersedes: other,
      superseded: null,
    });
});

test('marks an update as superseded by one that the file lacks, and as current when nothing replaces it', () => {
  for (const record of [kb(2001), patch(2001)])
    expect(record).toMatchObject({ supersededBy: [], superseded: true, supersededUnnamed: 1 });
  expect(kb(1303)).toMatchObject({ superseded: false, supersededUnnamed: null });
});

test('reads a KB from the title, or none', () => {
  expect(kb(1303)).toMatchObject({ kbId: 'KB2267602', category: 'Definition Updates' });
  expect(kbs.has(toUuid(1304))).toBe(false);
  expect(patch(1304)).toMatchObject({ kbId: null, title: 'Security Intelligence Update' });
});

test('rejects damaged updates with the reason', () => {
  const said = (revision: number, reason: string) => `${toUuid(revision)}: ${reason}`;
  expect(formatMessages(readings)).toEqual([
    said(1304, 'It names no KB, so that it is a patch only and not in the KB base.'),
    said(1401, 'It has no English title: l/en/1401 is missing.'),
    expect.stringContaining(
      said(1402, 'Its properties cannot be read: x/1402 is not well formed at line 1: '),
    ),
    said(
      1403,
      'It has no properties: x/1403 is missing. It has no English title: l/en/1403 is missing.',
    ),
    said(
      1405,
      'It has no properties: x/1405 contains something else. It is left out of KB5090404.',
    ),
  ]);
  const rejections = readings.filter(({ kind }) => kind === 'rejection');
  expect(rejections).toMatchObject(Array.from({ length: 5 }, () => ({ url })));
  expect(kb(1404)).toMatchObject({ architecture: ['x64'], size: null, fileDetails: [] });
});

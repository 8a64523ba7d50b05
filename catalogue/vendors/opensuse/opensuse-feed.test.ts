import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Publication } from '../../definition/feed.ts';
import { createReader, formatEntry, formatMessages } from '../../testing/feed-reader.ts';
import { opensuseFeed } from './opensuse-feed.ts';

const { documents, entries, fixtures, instead, readText, said } = createReader(opensuseFeed);
const archive = 'https://ftp.suse.com/pub/projects/security/csaf.tar.bz2';
const leap = 'https://download.opensuse.org/update/leap/15.6';
const withoutArchive = instead((url) => (url === archive ? null : undefined));

async function bulletinIds(publication?: Publication): Promise<string[]> {
  const read = [...(await entries('15.6', publication)).values()];
  return read.map(({ row }) => String(row.bulletinId)).toSorted();
}

test('opens the updateinfo of each repository, the index of one without it, and the bulletins', async () => {
  expect(await documents('15.6')).toEqual([
    `${leap}/oss/repodata/sum-updateinfo.xml.gz`,
    `${leap}/non-oss/repodata/repomd.xml`,
    `${leap}/sle/repodata/sum-updateinfo.xml.gz`,
    archive,
    true,
  ]);
  await expect(documents('15.3')).rejects.toThrow(NotPublished);
});

test('reads every field of a patch of two repositories, with the name of its bulletin', async () => {
  expect(formatEntry((await entries('15.6')).get('15.6:openSUSE-2021-137'))).toEqual({
    title: 'Security update for lanternd',
    releaseDate: Date.UTC(2021, 5, 3),
    bulletinId: 'openSUSE-SU-2021:0137-2',
    severity: 'Moderate',
    binaryPkgName: ['lanternd', 'lanternd-devel', 'lanternd-libs'],
    category: 'security',
    osVersion: ['openSUSE Leap 15.6'],
    patchName: 'openSUSE-2021-137',
    description:
      'This update for lanternd fixes the following issues:\n\n- Overflow in <wick> parsing (boo#2098001)\n',
    rebootSuggested: true,
    restartSuggested: true,
    vendorSeverity: 'moderate',
    vendorCategory: 'security',
    status: 'stable',
    referenceLink: 'https://lists.example.org/openSUSE-SU-2021_0137-2/',
    cve: ['CVE-2021-20001'],
    references: [expect.any(String), expect.any(String)],
    packages: [
      expect.stringMatching(/^lanternd 4\.1-bp156\.2\.1 x86_64 /),
      expect.stringMatching(/^lanternd-devel 4\.1-bp156\.2\.1 aarch64 /),
      expect.stringMatching(/^lanternd 4\.1-bp156\.2\.1 src /),
      expect.stringMatching(/^lanternd-libs 4\.1-bp156\.2\.1 x86_64 /),
    ],
  });
});

test('yields a row for each release of a patch, with the bulletin of that release', async () => {
  expect((await entries('15.5')).get('15.5:openSUSE-2021-137')?.row).toMatchObject({
    bulletinId: 'openSUSE-SU-2021:0137-1',
    osVersion: ['openSUSE Leap 15.5'],
  });
});

test('omits retracted patches, and replaces a patch by its re-release', async () => {
  const patches = await entries('15.6');
  expect([...patches.keys()].toSorted()).toEqual([
    '15.6:openSUSE-2021-137',
    '15.6:openSUSE-2021-138',
    '15.6:openSUSE-2021-141',
    '15.6:openSUSE-SLE-15.6-2021-91',
    '15.6:openSUSE-SLE-15.6-2021-92',
  ]);
  expect(patches.get('15.6:openSUSE-2021-138')?.row).toMatchObject({
    title: 'Recommended update for candle, second',
    binaryPkgName: ['candle'],
    category: 'bugfix',
  });
});

test("derives ids from patch numbers without a bulletin, and reads the bulletins' last copy when they are gone", async () => {
  const listed = [
    'SUSE-RU-2021:0092-1',
    'SUSE-SU-2021:0140-1',
    'openSUSE-FU-2021:0141-1',
    'openSUSE-RU-2021:0138-1',
    'openSUSE-SU-2021:0137-2',
  ];
  expect(await bulletinIds()).toEqual(listed);
  const last = [await fixtures.open(archive)];
  expect(await bulletinIds({ ...withoutArchive, readLast: async () => last })).toEqual(listed);
  expect(await bulletinIds(withoutArchive)).toEqual([
    'SUSE-RU-2021:0092-1',
    'SUSE-SU-2021:0091-1',
    'openSUSE-FU-2021:0141-1',
    'openSUSE-RU-2021:0138-1',
    'openSUSE-SU-2021:0137-1',
  ]);
});

test("adds remarks on unreadable bulletins, and rejects an unusable patch under its row's key", async () => {
  expect(await said('15.6')).toEqual([
    `${archive}: csaf/opensuse-su-2021_0151-1.json is not a CSAF document that can be read`,
  ]);
  const text =
    '<updates><update><id>openSUSE-2021-1</id><pkglist><collection><package arch="noarch"/></collection></pkglist></update></updates>';
  const read = await readText('15.6', `${leap}/oss/repodata/updateinfo.xml`, text);
  expect(formatMessages(read)).toEqual([
    expect.stringMatching(/^openSUSE-2021-1: .* \[15\.6:openSUSE-2021-1\]$/),
  ]);
});

import { expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import { createReader, formatEntry, formatMessages } from '../../testing/feed-reader.ts';
import { oraclelinuxFeed } from './oraclelinux-feed.ts';

const { documents, entries, fixtures, instead, readText, said } = createReader(oraclelinuxFeed, {
  now: Date.UTC(2021, 5, 30),
});
const repositories = 'https://yum.oracle.com/repo/OracleLinux/OL8';
const allDefinitions = 'https://linux.oracle.com/security/oval/com.oracle.elsa-all.xml.bz2';

test("opens the updateinfo of the release's repositories, and the definitions", async () => {
  expect(await documents('8')).toEqual([
    `${repositories}/baseos/latest/x86_64/repodata/sum-updateinfo.xml.gz`,
    `${repositories}/appstream/x86_64/repodata/sum-updateinfo.xml.gz`,
    allDefinitions,
    true,
  ]);
  await expect(documents('10')).rejects.toThrow(NotPublished);
});

test('reads every field of an advisory of two repositories, with CVEs and ratings of the definitions', async () => {
  expect(formatEntry((await entries('8')).get('8:ELSA-2021-4101'))).toEqual({
    title: 'lanternd security update',
    releaseDate: Date.UTC(2021, 5, 3),
    bulletinId: 'ELSA-2021-4101',
    severity: 'Important',
    binaryPkgName: ['lanternd', 'lanternd-tools'],
    category: 'security',
    osVersion: ['Oracle Linux 8'],
    description: '[4.1-7]\n- Fixed an overflow [Orabug: 30000001]',
    vendorSeverity: 'Important',
    vendorCategory: 'security',
    status: 'final',
    referenceLink: 'https://linux.oracle.com/errata/ELSA-2021-4101.html',
    cve: ['CVE-2021-20001', 'CVE-2021-20002'],
    modules: ['lantern-tools 4 - - -'],
    vulnerabilities: [
      'CVE-2021-20001 5.5 CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N',
      'CVE-2021-20001 1.2 AV:L/AC:H/Au:S/C:N/I:P/A:N',
    ],
    packages: [
      expect.stringMatching(/^lanternd-tools 2:4\.1-7\.module\+el8 \S+ \S+ lantern-tools:4 /),
      expect.stringMatching(/^lanternd 2:4\.1-7\.el8 x86_64 \S+ - /),
    ],
    references: [expect.any(String), expect.any(String)],
  });
});

test('reads an id with a suffix, N/A as no severity and the ksplice flavour as its own package', async () => {
  expect((await entries('8')).get('8:ELSA-2021-12887-1')).toMatchObject({
    row: {
      bulletinId: 'ELSA-2021-12887-1',
      severity: 'Unspecified',
      binaryPkgName: ['wick'],
    },
    detail: {
      packages: [{ version: '5.4-1.ksplice1.el8' }, { version: '5.4-1.el8' }],
      vulnerabilities: [],
    },
  });
});

test('reads a title with markup and adds a remark', async () => {
  expect(await said('8')).toEqual([expect.stringContaining('ELBA-2021-4102 is not well formed')]);
  expect((await entries('8')).get('8:ELBA-2021-4102')?.row).toMatchObject({
    title: 'candle bug fix update',
    releaseDate: Date.UTC(2021, 5, 4, 5, 6, 7),
    severity: 'Unspecified',
    category: 'bugfix',
  });
});

test('yields a row for each release of an advisory', async () => {
  const read = await entries('9');
  expect([...read].map(([key, { row }]) => [key, row.osVersion])).toEqual([
    ['9:ELSA-2021-4101', ['Oracle Linux 9']],
  ]);
});

test('requests the definitions by year when they are not one document', async () => {
  const all = await (await fixtures.open(allDefinitions)).text();
  const yearly = instead((url) =>
    !url.includes('/oval/') ? undefined : url.endsWith('-2021.xml.bz2') ? all : null,
  );
  const advisory = (await entries('9', yearly)).get('9:ELSA-2021-4101');
  expect(advisory?.detail.cve).toEqual(['CVE-2021-20001', 'CVE-2021-20002']);
  const years = yearly.requested.flatMap((url) => /elsa-(\w+)\.xml/.exec(url)?.[1] ?? []);
  expect([years[0], years[1], years.at(-1)]).toEqual(['all', '2006', '2021']);
});

test('lists the advisories without any definitions', async () => {
  const without = instead((url) => (url.includes('/oval/') ? null : undefined));
  expect((await entries('8', without)).get('8:ELSA-2021-4101')?.detail).toMatchObject({
    cve: ['CVE-2021-20001'],
    vulnerabilities: [],
  });
});

test("rejects an unusable advisory under its row's key, so that the row stays", async () => {
  const text =
    '<updates><update><id>ELSA-2021-1</id><pkglist><collection><package arch="noarch"/></collection></pkglist></update></updates>';
  const address = `${repositories}/baseos/latest/x86_64/repodata/updateinfo.xml`;
  expect(formatMessages(await readText('8', address, text))).toEqual([
    expect.stringMatching(/^ELSA-2021-1: .* \[8:ELSA-2021-1\]$/),
  ]);
});

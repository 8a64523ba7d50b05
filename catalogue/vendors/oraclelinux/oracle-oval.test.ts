import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createDocument } from '../../parsers/create-document.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { readOracleOval } from './oraclelinux-feed.ts';

const definition = (inside: string) =>
  `<definition><metadata>${inside}</metadata><criteria/></definition>`;
const oval = (...definitions: string[]) =>
  readOracleOval([
    documentFrom(
      'https://example.org/oval.xml',
      `<oval_definitions><definitions>${definitions.map(definition).join('')}</definitions></oval_definitions>`,
    ),
  ]);

test('reads the ratings that are stated', async () => {
  const advisory = (cve: string) =>
    `<reference source="ELSA" ref_id="ELSA-2021-1"/><advisory><cve ${cve}</cve></advisory>`;
  const ratings = async (cve: string) => (await oval(advisory(cve))).getCves('ELSA-2021-1');
  expect(await ratings('cvss3="7.0">CVE-2021-20001')).toEqual([
    { cve: 'CVE-2021-20001', ratings: [{ score: '7.0', vector: null }] },
  ]);
  expect(await ratings('cvss3="" cvss2="N/A">CVE-2021-20001')).toEqual([
    { cve: 'CVE-2021-20001', ratings: [] },
  ]);
  expect(await ratings('href="">none')).toEqual([]);
});

test('reads all CVEs of an element, and adds a remark on those that are none', async () => {
  const { getCves, remarks } = await oval(
    '<reference source="ELSA" ref_id="ELSA-2021-1"/><advisory><cve cvss3="7.0">CVE-2021-20001, CVE-2021-20002</cve><cve>CVE-2021-2</cve></advisory>',
  );
  const ratings = [{ score: '7.0', vector: null }];
  expect(getCves('ELSA-2021-1')).toEqual([
    { cve: 'CVE-2021-20001', ratings },
    { cve: 'CVE-2021-20002', ratings },
  ]);
  expect(remarks).toEqual([
    { kind: 'remark', remark: 'ELSA-2021-1: "CVE-2021-2" is not a CVE id that can be read' },
  ]);
});

test('adds a remark on definitions without an advisory', async () => {
  const { remarks } = await oval('<reference source="CVE" ref_id="CVE-2021-1"/>', '<title/>');
  expect(remarks).toEqual([
    {
      kind: 'remark',
      remark: 'https://example.org/oval.xml: definitions that name no advisory were left out: 2',
    },
  ]);
});

test('knows no CVEs without documents', async () => {
  expect((await readOracleOval([])).getCves('ELSA-2021-1')).toEqual([]);
});

describeWithMirror('OVAL definitions in the feed mirror', () => {
  const read = (path: string) => {
    const { href } = new URL(path, feedMirror);
    return readOracleOval([
      createDocument({ url: href, sha256: href, size: 0, lastModified: null }, () =>
        createReadStream(fileURLToPath(href)),
      ),
    ]);
  };
  const all = 'linux.oracle.com/security/oval/com.oracle.elsa-all.xml.bz2';
  const any = expect.any(String);
  const edgeCase = 'edge-cases/rpm/oracle-oval/';

  test.each([
    [
      all,
      'ELSA-2007-0057',
      [
        'CVE-2007-0493 5.5 CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N 1.2 AV:L/AC:H/Au:S/C:N/I:P/A:N',
        'CVE-2007-0494 3.1 CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L',
      ],
    ],
    [all, 'ELSA-2015-2561', [expect.stringMatching(/^CVE-2015-7545/)]],
    // The damaged definition of 2015 is skipped.
    [`${edgeCase}broken-oval-data.xml.bz2`, 'ELSA-2007-0057', [any, any]],
    [`${edgeCase}broken-oval-data.xml.bz2`, 'ELSA-2014-2010', [any]],
    [`${edgeCase}broken-oval-data.xml.bz2`, 'ELSA-2016-3646', Array.from({ length: 7 }, () => any)],
    [`${edgeCase}broken-oval-data.xml.bz2`, 'ELSA-2015-2561', []],
    [`${edgeCase}invalid-title-format.xml.bz2`, 'ELSA-2007-0057', [any, any]],
    [
      `${edgeCase}elsa-2018-1196-1.xml.bz2`,
      'ELSA-2018-1196-1',
      [expect.stringMatching(/^CVE-2017-5715/)],
    ],
    [`${edgeCase}ksplice_data.xml`, 'ELSA-2021-9151', [any, any]],
  ])('reads in %s the vulnerabilities of %s', async (path, id, expected) => {
    const { getCves, remarks } = await read(path);
    const lines = getCves(id).map(({ cve, ratings }) =>
      [cve, ...ratings.map(({ score, vector }) => `${score} ${vector}`)].join(' '),
    );
    expect(lines).toEqual(expected);
    const damaged = remarks.map(({ remark }) => /is not well formed at line/.test(remark));
    expect(damaged).toEqual(path.includes('broken') ? [true] : []);
  });

  test.each(['not-xml.xml.bz2', 'not-bzip2.xml.bz2'])('refuses %s with a reason', async (name) => {
    await expect(read(edgeCase + name)).rejects.toThrow('it is not XML');
  });
});

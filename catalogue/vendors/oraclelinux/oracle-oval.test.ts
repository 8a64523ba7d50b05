import { createReadStream } from 'node:fs';
import { expect, test } from 'vitest';
import { documentOf } from '../../parsers/document-of.ts';
import { describeWithMirror, feedMirror } from '../../testing/describe-with-mirror.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { readOracleOval } from './oracle-oval.ts';

const definition = (inside: string) =>
  `<definition><metadata>${inside}</metadata><criteria/></definition>`;
const oval = (...definitions: string[]) =>
  readOracleOval([
    documentFrom(
      'https://example.org/oval.xml',
      `<oval_definitions><definitions>${definitions.map(definition).join('')}</definitions></oval_definitions>`,
    ),
  ]);

test('ratings as far as they are given', async () => {
  const advisory = (cve: string) =>
    `<reference source="ELSA" ref_id="ELSA-2021-1"/><advisory><cve ${cve}</cve></advisory>`;
  const ratings = async (cve: string) => (await oval(advisory(cve))).cvesOf('ELSA-2021-1');
  expect(await ratings('cvss3="7.0">CVE-2021-20001')).toEqual([
    { cve: 'CVE-2021-20001', ratings: [{ score: '7.0', vector: null }] },
  ]);
  expect(await ratings('cvss3="" cvss2="N/A">CVE-2021-20001')).toEqual([
    { cve: 'CVE-2021-20001', ratings: [] },
  ]);
  expect(await ratings('href="">none')).toEqual([]);
});

test('remarks on definitions that name no advisory', async () => {
  const { remarks } = await oval('<reference source="CVE" ref_id="CVE-2021-1"/>', '<title/>');
  expect(remarks).toEqual([
    {
      kind: 'remark',
      remark: 'https://example.org/oval.xml: definitions that name no advisory were left out: 2',
    },
  ]);
});

test('without documents nothing is known', async () => {
  expect((await readOracleOval([])).cvesOf('ELSA-2021-1')).toEqual([]);
});

describeWithMirror('definitions of the mirror and the edge cases', () => {
  const file = (path: string) => {
    const address = new URL(path, feedMirror);
    return readOracleOval([
      documentOf({ url: address.href, sha256: address.href, size: 0, lastModified: null }, () =>
        createReadStream(address),
      ),
    ]);
  };
  const edgeCase = (name: string) => file(`edge-cases/rpm/oracle-oval/${name}`);

  test('definitions of the mirror', async () => {
    const { cvesOf, remarks } = await file(
      'linux.oracle.com/security/oval/com.oracle.elsa-all.xml.bz2',
    );
    expect(remarks).toEqual([]);
    expect(cvesOf('ELSA-2007-0057')).toEqual([
      {
        cve: 'CVE-2007-0493',
        ratings: [
          { score: '5.5', vector: 'CVSS:3.1/AV:L/AC:L/PR:L/UI:N/S:U/C:H/I:N/A:N' },
          { score: '1.2', vector: 'AV:L/AC:H/Au:S/C:N/I:P/A:N' },
        ],
      },
      {
        cve: 'CVE-2007-0494',
        ratings: [{ score: '3.1', vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:N/A:L' }],
      },
    ]);
    expect(cvesOf('ELSA-2015-2561').map(({ cve }) => cve)).toEqual(['CVE-2015-7545']);
  });

  test('a broken definition is passed over and spoken of, the others are read', async () => {
    const { cvesOf, remarks } = await edgeCase('broken-oval-data.xml.bz2');
    expect(remarks).toMatchObject([
      { kind: 'remark', remark: expect.stringContaining('is not well formed at line') },
    ]);
    for (const id of ['ELSA-2007-0057', 'ELSA-2014-2010', 'ELSA-2016-3646'])
      expect(cvesOf(id).length, id).toBeGreaterThan(0);
    expect(cvesOf('ELSA-2015-2561')).toEqual([]);
  });

  test('a title of another form does not matter, a suffix is part of the id', async () => {
    expect((await edgeCase('invalid-title-format.xml.bz2')).cvesOf('ELSA-2007-0057')).toHaveLength(
      2,
    );
    expect((await edgeCase('elsa-2018-1196-1.xml.bz2')).cvesOf('ELSA-2018-1196-1')).toMatchObject([
      { cve: 'CVE-2017-5715' },
    ]);
    expect((await edgeCase('ksplice_data.xml')).cvesOf('ELSA-2021-9151')).toHaveLength(2);
    expect((await edgeCase('data.xml')).remarks).toEqual([]);
  });

  test('what is no XML, compressed or not, is an error in words', async () => {
    for (const name of ['not-xml.xml.bz2', 'not-bzip2.xml.bz2'])
      await expect(edgeCase(name)).rejects.toThrow('it is no XML');
  });
});

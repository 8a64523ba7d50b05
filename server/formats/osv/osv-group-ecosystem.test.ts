/** Advisories of a group of a distribution are in an ecosystem of their own, in the archive and in queries. */
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { unzipped } from '../../operations/downloads/testing/zip-files.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { writeRecords } from '../../testing/record-factories.ts';

describeApp('the ecosystem of a group', (service) => {
  const { operator } = service;

  beforeAll(async () => {
    const { database } = service;
    await writeRecords(database, 'rockylinux_patch', [
      erratum('RLSA-2024:4211', 'Low', [['kernel', '4.18.0-553.8.1.el8_10']], {
        releases: ['Rocky Linux 8'],
      }),
      erratum('RXSA-2024:4211', 'Low', [['kernel', '4.18.0-553.8.1.el8_10.cloud.0.1']], {
        releases: ['Rocky Linux SIG Cloud 8'],
      }),
      erratum('RLSA-2024:9', 'Low', [['kernel', '5.14.0-9.el9']], { releases: ['Rocky Linux 9'] }),
    ]);
    await buildRecordIndex({ database, signal: new AbortController().signal });
  });

  test('is stated by the archive', async () => {
    const { bytes } = await operator.get('/osv/Rocky%20Linux/all.zip');
    const ecosystems = Object.values(await unzipped(bytes)).map((content) => {
      const record = JSON.parse(String(content)) as {
        readonly id: string;
        readonly affected: readonly { readonly package: { readonly ecosystem: string } }[];
      };
      return [record.id, record.affected.map((one) => one.package.ecosystem)];
    });
    expect(Object.fromEntries(ecosystems)).toEqual({
      'RLSA-2024:4211': ['Rocky Linux:8'],
      'RXSA-2024:4211': ['Rocky Linux:8:SIG Cloud'],
      'RLSA-2024:9': ['Rocky Linux:9'],
    });
  });

  const version = '4.18.0-553.5.1.el8_10';
  const kernel = (ecosystem: string) => ({ package: { name: 'kernel', ecosystem } });
  test.each([
    [{ ...kernel('Rocky Linux:8'), version }, ['RLSA-2024:4211']],
    [kernel('Rocky Linux:8'), ['RLSA-2024:4211']],
    [{ ...kernel('Rocky Linux:8'), version: '4.18.0-553.8.1.el8_10' }, []],
    [
      { package: { purl: `pkg:rpm/rocky-linux/kernel@${version}?distro=rocky-8.10` } },
      ['RLSA-2024:4211'],
    ],
    [{ ...kernel('Rocky Linux:8:SIG Cloud'), version: `${version}.cloud.0.1` }, ['RXSA-2024:4211']],
    [kernel('Rocky Linux:8:SIG Cloud'), ['RXSA-2024:4211']],
    [{ ...kernel('Rocky Linux:8:SIG Cloud'), version: '4.18.0-553.8.1.el8_10.cloud.0.1' }, []],
    [kernel('Rocky Linux'), ['RLSA-2024:4211', 'RLSA-2024:9', 'RXSA-2024:4211']],
  ])('%j is answered by %j', async (query, expected) => {
    const { status, json } = await operator.post('/osv/v1/query', query);
    expect(status).toBe(200);
    const vulns = (json['vulns'] ?? []) as readonly { readonly id: string }[];
    expect(vulns.map(({ id }) => id)).toEqual(expected);
  });

  test.each(['Rocky Linux:9:SIG Cloud', 'Rocky Linux:8:SIG Kernel'])(
    '%s without records is refused',
    async (ecosystem) => {
      const { status, json } = await operator.post('/osv/v1/query', kernel(ecosystem));
      expect([status, json['code']]).toEqual([400, 3]);
      expect(json['message']).toContain(
        `no records of rocky ${ecosystem.slice(12).replace(':', ' ')}`,
      );
    },
  );
});

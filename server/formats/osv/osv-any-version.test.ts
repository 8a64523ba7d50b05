/** Queries of osv.dev without a version find every advisory of the package. */
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { erratum } from '../../machines/testing/machine-catalogue.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { writeRecords } from '../../testing/record-factories.ts';

const modular = (id: string, stream: string, version: string, release = 'AlmaLinux 8') =>
  erratum(id, 'Low', [], {
    releases: [release],
    detail: { packages: [{ name: 'nodejs', version, architecture: 'x86_64', module: stream }] },
  });

const notice = (id: string, pocket: string | null, type = 'USN') => ({
  key: id,
  row: { noticeId: id, title: 'openssl', type },
  detail: {
    releasePackages: [
      { name: 'openssl', version: '3.0.2-0ubuntu1.9', osVersion: 'Ubuntu 22.04 LTS', pocket },
    ].map((row) => ({ ...row, is_source: true })),
  },
});

describeApp('queries without a version', (service) => {
  beforeAll(async () => {
    const { database } = service;
    await writeRecords(database, 'almalinux_patch', [
      modular('ALSA-2024:1', 'nodejs:18', '1:18.19.1-1.module_el8.9.0+3734+1a3a0c4b'),
      modular('ALSA-2024:2', 'nodejs', '1:20.9.0-1.module_el8.9.0+3700+5ca8b2e1'),
      erratum('ALSA-2024:3', 'Low', [['nodejs', '1:10.24.0-1.el8']]),
      // Built for another release.
      erratum('ALSA-2024:4', 'Low', [['nodejs', '0~rc1-1.el9']]),
      erratum('ALSA-2024:5', 'Low', [['nodejs', '1:12.1.0-1.el8']], {
        detail: { status: 'retracted' },
      }),
      erratum('ALSA-2024:6', 'Low', [['nodejs-docs', '1:10.24.0-1.el8']]),
    ]);
    await writeRecords(database, 'rockylinux_patch', [
      modular(
        'RLSA-2024:1',
        'nodejs:18',
        '18.19.1-1.module+el8.9.0+1720+33f5c4ba',
        'Rocky Linux 8',
      ),
    ]);
    await writeRecords(database, 'linux_notice', [
      notice('USN-1-1', 'security'),
      notice('USN-2-1', 'esm-infra'),
      notice('USN-3-1', 'fips-updates'),
      notice('USN-4-1', 'backports'),
      notice('LSN-5-1', null, 'LSN'),
    ]);
    const { signal } = new AbortController();
    await buildRecordIndex({ database, signal });
  });

  const ids = async (query: object): Promise<readonly string[]> => {
    const single = await service.operator.post('/osv/v1/query', query).json;
    const batch = await service.operator.post('/osv/v1/querybatch', { queries: [query] }).json;
    const read = ({ vulns = [] }: { readonly vulns?: readonly { readonly id: string }[] }) =>
      vulns.map(({ id }) => id);
    const [first] = (batch as { readonly results: readonly object[] }).results;
    expect(read(first ?? {})).toEqual(read(single));
    return read(single);
  };
  const alma = ['ALSA-2024:1', 'ALSA-2024:2', 'ALSA-2024:3', 'ALSA-2024:4'];

  test.each([
    [{ package: { name: 'nodejs', ecosystem: 'AlmaLinux:8' } }, alma],
    [{ package: { name: 'nodejs', ecosystem: 'AlmaLinux:8' }, version: '' }, alma],
    [{ package: { name: 'nodejs', ecosystem: 'AlmaLinux:8' }, version: '0' }, alma],
    [{ package: { name: 'nodejs', ecosystem: 'AlmaLinux' } }, alma],
    [{ package: { purl: 'pkg:rpm/almalinux/nodejs?distro=almalinux-8' } }, alma],
    [{ package: { purl: 'pkg:rpm/almalinux/nodejs@0?distro=almalinux-8' } }, alma],
    [{ package: { name: 'nodejs', ecosystem: 'Rocky Linux:8' } }, ['RLSA-2024:1']],
    // Fixes for subscribers are in an ecosystem of their own. Backports are nobody's fix.
    [{ package: { name: 'openssl', ecosystem: 'Ubuntu:22.04:LTS' } }, ['LSN-5-1', 'USN-1-1']],
    [
      { package: { name: 'openssl', ecosystem: 'Ubuntu:Pro:22.04:LTS' } },
      ['LSN-5-1', 'USN-1-1', 'USN-2-1', 'USN-3-1'],
    ],
  ])('%j finds every advisory of the package', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  test('a version is compared with the builds of the same kind alone', async () => {
    const query = { package: { name: 'nodejs', ecosystem: 'AlmaLinux:8' }, version: '9.0.0-1.el8' };
    expect(await ids(query)).toEqual(['ALSA-2024:3']);
  });

  test('finds those that the archive has under the package', async () => {
    const { json } = await service.operator.get('/osv/AlmaLinux/ALSA-2024:5.json');
    expect(json).toHaveProperty('withdrawn');
    for (const id of alma)
      expect((await service.operator.get(`/osv/AlmaLinux/${id}.json`)).json).toMatchObject({
        affected: [{ package: { ecosystem: 'AlmaLinux:8', name: 'nodejs' } }],
      });
  });
});

/** Records as the lists have them, and real machines judged against the feed mirror. */
import { expect, test } from 'vitest';
import type { Feed } from '../../definition/feed.ts';
import { describeWithMirror } from '../../testing/describe-with-mirror.ts';
import { findPart } from '../../testing/find-part.ts';
import { describeWithInventories, inventoryFile } from '../../testing/machine-inventories.ts';
import { readPartEntries } from '../../testing/mirror-entries.ts';
import { almalinuxFeed } from '../../vendors/almalinux/almalinux-feed.ts';
import { oraclelinuxFeed } from '../../vendors/oraclelinux/oraclelinux-feed.ts';
import { inventoryText } from '../inventory/inventory-text.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { type CataloguedRelease, cataloguedRelease } from './catalogued-release.ts';
import { judgePackages } from './judge-packages.ts';
import type { RecordVerdict } from './machine-fixes.ts';
import { packageRecord } from './package-record.ts';

const release = (name: string): CataloguedRelease => ({
  names: [name],
  family: 'deb',
  epochs: true,
});

test('reads an erratum of a release', () => {
  const erratum = {
    key: 'one',
    row: { osVersion: ['AlmaLinux 8'] },
    detail: {
      status: 'final',
      packages: [
        {
          name: 'nodejs',
          version: '1:16.20.2-3.module',
          architecture: 'x86_64',
          module: 'nodejs:16:1:2',
        },
        { name: 'npm', version: null },
      ],
    },
  };
  expect(packageRecord(erratum, release('AlmaLinux 8'))).toEqual({
    key: 'one',
    retracted: false,
    livepatch: false,
    fixes: [
      {
        by: 'binary',
        name: 'nodejs',
        version: '1:16.20.2-3.module',
        architecture: 'x86_64',
        module: 'nodejs:16:1:2',
        pocket: null,
      },
    ],
  });
  expect(packageRecord(erratum, release('AlmaLinux 9'))).toBeNull();
  const retracted = { ...erratum, detail: { ...erratum.detail, status: 'retracted' } };
  expect(packageRecord(retracted, release('AlmaLinux 8'))?.retracted).toBe(true);
});

test('reads the source package and the binary packages of an advisory', () => {
  const advisory = {
    key: 'one',
    row: {
      osVersion: 'Debian 11',
      pkgName: 'util-linux',
      pkgAndVersion: 'util-linux 2.36.1-8+deb11u1',
    },
    detail: {
      packages: [{ name: 'bsdutils', version: '1:2.36.1-8+deb11u1', architecture: 'amd64' }],
    },
  };
  expect(packageRecord(advisory, release('Debian 11'))?.fixes).toMatchObject([
    { by: 'source', name: 'util-linux', version: '2.36.1-8+deb11u1' },
    { by: 'binary', name: 'bsdutils', version: '1:2.36.1-8+deb11u1' },
  ]);
});

test('reads the rows of a notice for one release', () => {
  const rows = ['Ubuntu 14.04 LTS', 'Ubuntu 14.04', 'Ubuntu 14.0', 'Ubuntu 16.04 LTS'].map(
    (osVersion) => ({
      osVersion,
      name: 'bash',
      version: osVersion,
      is_source: osVersion === 'Ubuntu 14.04',
      pocket: 'security',
    }),
  );
  const notice = { key: 'one', row: { type: 'LSN' }, detail: { releasePackages: rows } };
  expect(packageRecord(notice, release('Ubuntu 14.04'))).toMatchObject({
    livepatch: true,
    fixes: [
      { by: 'binary', version: 'Ubuntu 14.04 LTS', pocket: 'security' },
      { by: 'source', version: 'Ubuntu 14.04' },
    ],
  });
  expect(packageRecord(notice, release('Ubuntu 18.04'))).toBeNull();
});

describeWithMirror('records of the feed mirror', () => {
  describeWithInventories('on real machines', () => {
    async function verdicts(
      machine: string,
      feed: Feed,
    ): Promise<ReadonlyMap<string, RecordVerdict>> {
      const read = readInventory(
        ['os-release', 'rpm-qa-qf.txt', 'uname-r.txt']
          .map((file) => inventoryText(inventoryFile(`${machine}/${file}`)))
          .join(''),
      );
      const found = cataloguedRelease(read.machine);
      if (found === null) throw new Error(`${machine} names no release of the catalogue`);
      const records = (await readPartEntries(findPart(feed, '8')))
        .map((entry) => packageRecord(entry, found))
        .filter((record) => record !== null);
      expect(records.length).toBeGreaterThan(1000);
      return judgePackages(read.machine, found, records);
    }

    test('finds nothing on a patched Oracle Linux, though records list builds of ksplice and FIPS', async () => {
      const found = await verdicts('oracle-8.10', oraclelinuxFeed);
      expect([...found].filter(([, { kind }]) => kind !== 'notMissing')).toEqual([]);
    });

    test('finds the records after the last update of an AlmaLinux', async () => {
      const found = await verdicts('alma-8.9', almalinuxFeed);
      expect(found.get('8:ALSA-2025:1517')).toMatchObject({
        kind: 'missing',
        evidence: [{ name: 'libxml2', installed: '2.9.7-16.el8_8.1', fixed: '2.9.7-18.el8_10.2' }],
      });
      expect([...found.values()].filter(({ kind }) => kind === 'uncertain')).toEqual([]);
    });
  });
});

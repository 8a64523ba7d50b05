/** Finds fixes of real machines in the feed mirror by keys, and compares them with reading all records. */
import { expect, test } from 'vitest';
import { describeWithMirror } from '../../testing/describe-with-mirror.ts';
import { findPart } from '../../testing/find-part.ts';
import { describeWithInventories, inventoryFile } from '../../testing/machine-inventories.ts';
import { readPartEntries } from '../../testing/mirror-entries.ts';
import { almalinuxFeed } from '../../vendors/almalinux/almalinux-feed.ts';
import { centosFeed } from '../../vendors/centos/centos-feed.ts';
import { opensuseFeed } from '../../vendors/opensuse/opensuse-feed.ts';
import { oraclelinuxFeed } from '../../vendors/oraclelinux/oraclelinux-feed.ts';
import { inventoryText } from '../inventory/inventory-text.ts';
import { readInventory } from '../inventory/read-inventory.ts';
import { cataloguedRelease } from './catalogued-release.ts';
import { findByKeys, findByReading } from './testing/fixes-by-keys.ts';

describeWithMirror('records of the feed mirror', () => {
  describeWithInventories('on real machines', () => {
    const machines = [
      ['alma-8.9', 'rpm-qa-qf.txt', findPart(almalinuxFeed, '8')],
      ['alma-8.9-modules', 'rpm-qa.txt', findPart(almalinuxFeed, '8')],
      ['oracle-8.10', 'rpm-qa-qf.txt', findPart(oraclelinuxFeed, '8')],
      ['centos-7.7', 'rpm-qa.txt', findPart(centosFeed, 'errata')],
      ['opensuse-leap-15.3', 'rpm-qa-qf.txt', findPart(opensuseFeed, '15.3')],
    ] as const;
    test.each(machines)(
      'finds by keys on %s the same fixes as by reading all records',
      async (name, list, part) => {
        const files = ['os-release', list];
        const text = files.map((file) => inventoryText(inventoryFile(`${name}/${file}`))).join('');
        const { machine } = readInventory(text);
        const release = cataloguedRelease(machine);
        if (release === null) throw new Error(`${name} names no release of the catalogue`);
        const records = await readPartEntries(part);
        const plain = findByReading(records, release, machine);
        expect(findByKeys(records, release, machine)).toEqual(plain);
        expect(records.length).toBeGreaterThan(100);
      },
    );
  });
});

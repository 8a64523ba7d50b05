/** Days from a CVE's publication to each vendor's fix, and the order of CVEs by number. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { readSearch } from '../../../records/criteria/search-request.ts';
import { SearchStore } from '../../../records/search/search-store.ts';
import { buildCveFacts } from '../../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../../testing/record-factories.ts';
import type { Database } from '../database.ts';
import { refreshStaleCves } from './stale-cve-store.ts';
import { writeFacts } from './vulnerability-store.ts';

const day = 86_400_000;
const published = Date.UTC(2026, 2, 10, 15);
const alma = 'almalinux_patch';
const rocky = 'rockylinux_patch';

describeWithDatabase('days to fix', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  const erratum = (list: ListKey, key: string, cve: readonly string[], days: number | null) => {
    const releaseDate = days === null ? null : published + days * day;
    const row = { title: key, bulletinId: key, releaseDate };
    return writeRecords(database, list, [{ key, row, detail: { cve } }]);
  };
  const publish = (cve: string, at: number, lastModified = 1, stale?: 'all are stale') =>
    database.transaction((tx) =>
      writeFacts(tx, [buildCveFacts(cve, { published: at, lastModified })], 1, stale),
    );
  async function found(sort: string, filter = '') {
    await refreshStaleCves(database);
    const search = readSearch(
      getList('vulnerabilities'),
      { offset: 0, size: 100, sort },
      filter === '' ? {} : { filter },
    );
    const { rows } = await new SearchStore(database).find(search);
    return JSON.parse(`[${rows}]`) as Record<string, unknown>[];
  }

  test("are counted from the publication to each vendor's first record", async () => {
    await erratum(alma, 'ALSA-1', ['CVE-2026-1001'], 12.2);
    await erratum(alma, 'ALSA-2', ['CVE-2026-1001'], 40);
    await erratum(rocky, 'RLSA-1', ['CVE-2026-1001', 'CVE-2026-1002'], -3);
    await erratum(alma, 'ALSA-3', ['CVE-2026-1003'], null);
    await publish('CVE-2026-1001', published);
    await publish('CVE-2026-1003', published);
    const of = async (cve: string) => (await found('cve')).find((row) => row['cve'] === cve);
    expect(await of('CVE-2026-1001')).toMatchObject({
      recordCount: 3,
      vendors: ['AlmaLinux', 'Rocky Linux'],
      daysToFix: -3,
      vendorDays: ['AlmaLinux 12', 'Rocky Linux -3'],
    });
    // The publication or the day of the record is unknown.
    expect(await of('CVE-2026-1002')).toMatchObject({ daysToFix: null, vendorDays: null });
    expect(await of('CVE-2026-1003')).toMatchObject({ daysToFix: null, vendorDays: null });
    const search = "lower(vendorDays) in ('almalinux 12')";
    expect((await found('cve', search)).map(({ cve }) => cve)).toEqual(['CVE-2026-1001']);
    expect((await found('cve', 'daysToFix < 0')).map(({ cve }) => cve)).toEqual(['CVE-2026-1001']);
  });

  test('are days of the calendar: the time of a release date says nothing', async () => {
    const late = Date.UTC(2026, 2, 10, 23, 59);
    await erratum(alma, 'ALSA-1', ['CVE-2026-1001', 'CVE-2026-1002'], -15 / 24);
    await erratum(rocky, 'RLSA-1', ['CVE-2026-1001', 'CVE-2026-1002'], 9 / 24);
    await publish('CVE-2026-1001', published);
    await publish('CVE-2026-1002', late);
    for (const row of await found('cve'))
      expect(row).toMatchObject({ daysToFix: 0, vendorDays: ['AlmaLinux 0', 'Rocky Linux 1'] });
  });

  test('follow the publication and the records, also when all records are computed in one pass', async () => {
    await erratum(alma, 'ALSA-1', ['CVE-2026-1001'], 10);
    await erratum(rocky, 'RLSA-1', ['CVE-2026-1001'], 20);
    await found('cve');
    await publish('CVE-2026-1001', published, 1, 'all are stale');
    expect(await found('cve')).toMatchObject([{ vendorDays: ['AlmaLinux 10', 'Rocky Linux 20'] }]);
    await publish('CVE-2026-1001', published - 5 * day, 2, 'all are stale');
    expect(await found('cve')).toMatchObject([{ vendorDays: ['AlmaLinux 15', 'Rocky Linux 25'] }]);
    await withdrawRecords(database, alma, [1]);
    expect(await found('cve')).toMatchObject([{ daysToFix: 25, vendorDays: ['Rocky Linux 25'] }]);
  });

  test('are found in the order of year and number, not of letters', async () => {
    const inOrder = [
      'CVE-1999-0001',
      'CVE-2024-0999',
      'CVE-2024-9999',
      'CVE-2024-10000',
      'CVE-2024-1000000',
      'CVE-2025-0001',
    ];
    for (const cve of inOrder.toReversed()) await publish(cve, published);
    expect((await found('cve')).map(({ cve }) => cve)).toEqual(inOrder);
    expect((await found('-cve')).map(({ cve }) => cve)).toEqual(inOrder.toReversed());
  });
});

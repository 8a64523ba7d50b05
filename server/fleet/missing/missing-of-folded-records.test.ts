/** A machine misses the record for its own product, with its severity, risk and CVEs, whichever product's record represents the update. */
import { beforeAll, describe, expect, test } from 'vitest';
import { day } from '../../identity/sign-in/testing/sign-in-app.ts';
import { serverUpdate } from '../../machines/testing/machine-catalogue.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { type Found, withMachinesOfClients } from '../testing/machines-of-clients.ts';

const products = { '2019': '10.0.17763', '2022': '10.0.20348' } as const;
type Year = keyof typeof products;
const years = ['2019', '2022'] as const;
const cveOf = (year: Year) => `CVE-${year}-5000`;

const systeminfo = (year: Year) =>
  `OS Name:     Microsoft Windows Server ${year} Standard\nOS Version:  ${products[year]} N/A Build ${products[year].slice(5)}\nHotfix(s):   1 Hotfix(s) Installed.\n             [01]: KB5000001\n`;

function updateFor(year: Year, severity: string, releaseDate: number) {
  const update = serverUpdate('KB5036909', `${products[year]}.9999`);
  return {
    ...update,
    key: `KB5036909 ${year}`,
    row: {
      ...update.row,
      productName: `Windows Server ${year}`,
      severity,
      releaseDate,
      cve: [cveOf(year)],
    },
  };
}

describe.each([
  ['2019', '2022'],
  ['2022', '2019'],
] as const)('an update that is critical on Windows Server %s alone', (critical, moderate) => {
  describeWithDatabase('is counted and found by product', (open) => {
    const fleet = withMachinesOfClients(open);
    const { stan } = fleet.service;
    beforeAll(async () => {
      const { database, now } = fleet.service;
      await buildRecordIndex({ database });
      await writeRecords(database, 'patch_repository', [
        updateFor(critical, 'Critical', now),
        updateFor(moderate, 'Moderate', now),
      ]);
    });
    async function reportMachines(): Promise<ReadonlyMap<Year, number>> {
      const ids = new Map<Year, number>();
      for (const year of years) ids.set(year, await fleet.add(year, systeminfo(year)));
      await fleet.judge();
      return ids;
    }
    const search = async (path: string, filter: string) =>
      (await stan.post(path, { filter }).json) as unknown as Found;
    const machines = async (filter: string) =>
      (await search('/machines/search', filter)).objList.map(({ machineKey }) => machineKey);
    const cves = async (filter: string) =>
      (await search('/vulnerabilities/search', filter)).objList
        .map(({ cve }) => String(cve))
        .toSorted();

    test('in the numbers of machines and the records behind them', async () => {
      const ids = await reportMachines();
      const update = await search('/records/search', "lower(identifier) = 'kb5036909'");
      expect(update).toMatchObject({ totalCount: 1, objList: [{ severity: 'Critical' }] });
      for (const year of years) {
        const [row] = (await fleet.search({ filter: `machineKey = '${year}'` })).objList;
        const behind = async (criterion: string) =>
          (await search('/records/search', `${criterion} = '#${ids.get(year)}'`)).totalCount;
        const isCritical = year === critical;
        const found = await Promise.all(['missingOn', 'criticalOn', 'moderateOn'].map(behind));
        expect(found).toEqual([1, Number(isCritical), Number(!isCritical)]);
        expect([row?.['missing'], row?.['missingCritical'], row?.['missingModerate']]).toEqual(
          found,
        );
        for (const criterion of ['importantOn', 'lowOn', 'unspecifiedOn', 'exploitedOn'])
          expect(await behind(criterion)).toBe(0);
      }
    });

    test('in the machines that miss a CVE', async () => {
      await reportMachines();
      for (const year of years)
        for (const filter of [`misses = '${cveOf(year)}'`, `misses like '${cveOf(year)}%'`])
          expect(await machines(filter)).toEqual([year]);
    });

    test("in the plan of what is past CISA's date", async () => {
      const { database, operator, now } = fleet.service;
      const today = Math.floor(now / day) * day;
      await writeCveFacts(
        database,
        buildKevFacts(cveOf(critical), { dueDate: today - day }),
        buildKevFacts(cveOf(moderate), { dueDate: today + day }),
      );
      await refreshStaleCves(database);
      await reportMachines();
      const body = { name: 'P', criteria: '', choice: 'overdue' };
      expect(await operator.post('/machines/plans', body).json).toMatchObject({
        names: [{ name: `host-${critical}` }],
        tasks: [{ system: `Windows Server ${critical}`, machines: [{ state: 'open' }] }],
      });
    });

    test('in the CVEs of a record, and of the whole update', async () => {
      const { objList } = await search('/records/search', "lower(identifier) = 'kb5036909'");
      expect(await cves(`namedBy = 'all_patches/${String(objList[0]?.['id'])}'`)).toEqual(
        years.map(cveOf),
      );
      expect(await cves("namedBy = 'KB5036909'")).toEqual(years.map(cveOf));
      const { objList: records } = await search('/windows/kb/search', "lower(kbId) = 'kb5036909'");
      expect(records).toHaveLength(2);
      for (const { id, productName } of records)
        expect(await cves(`namedBy = 'patch_repository/${String(id)}'`)).toEqual([
          cveOf(String(productName).slice(-4) as Year),
        ]);
    });
  });
});

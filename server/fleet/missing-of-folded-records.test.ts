/** A machine misses the record for its own product, also where the record for another product represents the update. */
import { beforeAll, expect, test } from 'vitest';
import { serverUpdate } from '../machines/testing/machine-catalogue.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { type Found, withMachinesOfClients } from './testing/machines-of-clients.ts';

const products = { '2019': '10.0.17763', '2022': '10.0.20348' } as const;

const systeminfo = (year: keyof typeof products) =>
  `OS Name:     Microsoft Windows Server ${year} Standard\nOS Version:  ${products[year]} N/A Build ${products[year].slice(5)}\nHotfix(s):   1 Hotfix(s) Installed.\n             [01]: KB5000001\n`;

function updateFor(year: keyof typeof products) {
  const update = serverUpdate('KB5036909', `${products[year]}.9999`);
  return {
    ...update,
    key: `KB5036909 ${year}`,
    row: { ...update.row, productName: `Windows Server ${year}` },
  };
}

describeWithDatabase('records that are folded under another of the same update', (open) => {
  const fleet = withMachinesOfClients(open);
  const { stan } = fleet.service;
  beforeAll(() =>
    writeRecords(fleet.service.database, 'patch_repository', [
      updateFor('2022'),
      updateFor('2019'),
    ]),
  );

  test('are among the records that a machine misses, as its row counts them', async () => {
    const ids = {
      '2019': await fleet.add('2019', systeminfo('2019')),
      '2022': await fleet.add('2022', systeminfo('2022')),
    };
    await fleet.judge();
    const search = async (body: object) =>
      (await stan.post('/records/search', body).json) as unknown as Found;
    expect((await search({ filter: "lower(identifier) = 'kb5036909'" })).totalCount).toBe(1);
    for (const [key, id] of Object.entries(ids)) {
      const [row] = (await fleet.search({ filter: `machineKey = '${key}'` })).objList;
      const { totalCount, objList } = await search({ filter: `missingOn = '#${id}'` });
      expect([row?.['missing'], totalCount, objList[0]?.['identifier']]).toEqual([
        1,
        1,
        'KB5036909',
      ]);
    }
  });
});

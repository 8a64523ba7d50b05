import { catalogueLists } from '@patch/catalogue/lists.ts';
import { vendorSourceKeys } from '@patch/catalogue/sources.ts';
import { hasAtomFeeds } from '@patch/contract/reports/atom-feed-endpoints.ts';
import { parseAtomFeed } from 'feedsmith';
import { beforeAll, expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { seedRecords } from '../../testing/seeded-resources.ts';

describeApp('Atom feeds of a catalogue with a record in each list', (service) => {
  const { stan, anyone } = service;
  beforeAll(async () => {
    await seedRecords(service.database);
  });

  const countEntries = async (path: string) => {
    const { secretAddress } = (await stan.post(`${path}/atomfeeds`).json) as {
      readonly secretAddress: string;
    };
    const { status, bytes } = await anyone.get(secretAddress.replace(/^.*\/api/, ''));
    return status === 200 ? (parseAtomFeed(bytes.toString()).entries?.length ?? 0) : status;
  };

  test.each(vendorSourceKeys)(
    'has the records of all lists of %s, each update once',
    async (source) => {
      const lists = catalogueLists.filter((list) => list.source === source);
      // The lists with KBs have the same KB.
      const kbLists = lists.filter(({ countedBy }) => countedBy !== undefined);
      const expected = lists.length - Math.max(0, kbLists.length - 1);
      expect(await countEntries(`/sources/${source}`)).toBe(expected);
    },
  );

  test.each(catalogueLists.filter(hasAtomFeeds))(
    'has the record of a view of $key',
    async ({ key }) => {
      const search = { criteria: '', keyword: '', sort: null, columns: null };
      const body = { list: key, name: key, shared: false, isDefault: false, search };
      const { id } = (await stan.post('/views', body).json) as { readonly id: number };
      expect(await countEntries(`/views/${id}`)).toBeGreaterThan(0);
    },
  );
});

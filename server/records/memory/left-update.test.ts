/** In memory, an update has the risk of the records that it has left. */
import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from '../search/search-store.ts';
import { ListMemories } from './list-memories.ts';

describeWithDatabase('an update of several records', (open) => {
  test('is no longer exploited when the record that said so is withdrawn, or belongs to another update', async () => {
    const database = await open();
    const row = { kbId: 'KB5000001', productName: 'Windows 11', severity: 'Low' };
    const write = (key: string, more: object) =>
      writeRecords(database, 'patch_repository', [{ key, row: { ...row, ...more } }]);
    await write('first', {});
    await write('second', {});
    const ids = await write('third', { exploited: true });
    await write('fourth', { exploited: true });
    const memories = new ListMemories(database);
    const store = new SearchStore(database, { memories });
    const search = readSearch(
      getList('all_patches'),
      { offset: 0, size: 5 },
      { filter: "lower(identifier) = 'kb5000001' and exploited = true" },
    );
    await store.readIntoMemory(search);
    const count = async () => (await store.find(search)).total;
    expect(await count()).toBe(1);
    await withdrawRecords(database, 'patch_repository', [ids.get('third')]);
    expect(await count()).toBe(1);
    await write('fourth', { exploited: true, kbId: 'KB5000002' });
    expect(await count()).toBe(0);
  });
});

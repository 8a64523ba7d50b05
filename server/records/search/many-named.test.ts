/** Many records have the keyword as their name: all of them come first, in the list's order. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { windowsKbList } from '@patch/catalogue/vendors/windows/windows-kb-list.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { isInMemory } from '../memory/memory-search.ts';
import { SearchStore } from './search-store.ts';

const kbs = listOfKey(windowsKbList.key);
const day = 86_400_000;

/** Every third is named KB5034441, the others supersede it. Each is a day older than the one before it; every seventh has no date. */
const rows = Array.from({ length: 60 }, (_, n) => ({
  name: `Update ${n}`,
  kbId: n % 3 === 0 ? 'KB5034441' : `KB${5_100_000 + n}`,
  supersedes: n % 3 === 0 ? [] : ['KB5034441'],
  ...(n % 7 !== 0 && { releaseDate: 1_700_000_000_000 - n * day }),
}));

const isNamed = (n: number) => n % 3 === 0;
const isDated = (n: number) => n % 7 !== 0;
const numbers = [...rows.keys()];
/** Those without a date come last, the one written last first. */
const byDate = [...numbers.filter(isDated), ...numbers.filter((n) => !isDated(n)).toReversed()];
const inOrder = [...byDate.filter(isNamed), ...byDate.filter((n) => !isNamed(n))].map(
  (n) => `Update ${n}`,
);

describeWithDatabase('a keyword that names many records', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await writeRows(database, kbs, rows);
  });

  const pageOf = (keyword: string, offset: number, size: number) =>
    readSearch(kbs, { offset, size }, { keyword });

  const namesFound = async (store: SearchStore, search: Search) => {
    const { rows: found, total } = await store.find(search);
    expect(total).toBe(rows.length);
    return (JSON.parse(`[${found}]`) as { name: string }[]).map(({ name }) => name);
  };

  // Memory has the words of a keyword, and not the KB's number with its letters.
  test.each([
    ['PostgreSQL', 'KB5034441', false],
    ['memory', '5034441', true],
  ] as const)('answers page after page of any size from %s', async (_tier, keyword, fromMemory) => {
    const memories = new ListMemories(database);
    const store = new SearchStore(database, fromMemory ? { memories } : {});
    await store.readIntoMemory(pageOf(keyword, 0, 1));
    expect(isInMemory(memories, pageOf(keyword, 0, 1))).toBe(fromMemory);
    for (const size of [1, 7, 25, 100]) {
      const found: string[] = [];
      for (let offset = 0; offset < rows.length; offset += size)
        found.push(...(await namesFound(store, pageOf(keyword, offset, size))));
      expect(found).toEqual(inOrder);
    }
  });
});

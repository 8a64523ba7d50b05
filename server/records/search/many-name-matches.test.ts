/** Records whose name equals the keyword come first, in the order of the list, also when they are many. */
import { getList } from '@patch/catalogue/lists.ts';
import { windowsKbList } from '@patch/catalogue/vendors/windows/lists/windows-kb-list.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { canRunInMemory } from '../memory/memory-search.ts';
import { SearchStore } from './search-store.ts';

const kbs = getList(windowsKbList.key);
const day = 86_400_000;

/** Every third record is KB5034441, and the others supersede it. Each is a day older than the previous one; every seventh has no date. */
const rows = Array.from({ length: 60 }, (_, n) => ({
  name: `Update ${n}`,
  kbId: n % 3 === 0 ? 'KB5034441' : `KB${5_100_000 + n}`,
  supersedes: n % 3 === 0 ? [] : ['KB5034441'],
  ...(n % 7 !== 0 && { releaseDate: 1_700_000_000_000 - n * day }),
}));

const isNameMatch = (n: number) => n % 3 === 0;
const isDated = (n: number) => n % 7 !== 0;
const numbers = [...rows.keys()];
/** Rows without a date come last, in descending order of ids. */
const byDate = [...numbers.filter(isDated), ...numbers.filter((n) => !isDated(n)).toReversed()];
const inOrder = [...byDate.filter(isNameMatch), ...byDate.filter((n) => !isNameMatch(n))].map(
  (n) => `Update ${n}`,
);

describeWithDatabase('a keyword that equals the name of many records', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await writeRows(database, kbs, rows);
  });

  const readPage = (keyword: string, offset: number, size: number) =>
    readSearch(kbs, { offset, size }, { keyword });

  const namesFound = async (store: SearchStore, search: Search) => {
    const { rows: found, total } = await store.find(search);
    expect(total).toBe(rows.length);
    return (JSON.parse(`[${found}]`) as { name: string }[]).map(({ name }) => name);
  };

  // Memory cannot search a KB number with its letters.
  test.each([
    ['PostgreSQL', 'KB5034441', false],
    ['memory', '5034441', true],
  ] as const)('returns pages of any size from %s', async (_tier, keyword, fromMemory) => {
    const memories = new ListMemories(database);
    const store = new SearchStore(database, fromMemory ? { memories } : {});
    await store.readIntoMemory(readPage(keyword, 0, 1));
    expect(canRunInMemory(memories, readPage(keyword, 0, 1))).toBe(fromMemory);
    for (const size of [1, 7, 25, 100]) {
      const found: string[] = [];
      for (let offset = 0; offset < rows.length; offset += size)
        found.push(...(await namesFound(store, readPage(keyword, offset, size))));
      expect(found).toEqual(inOrder);
    }
  });
});

import { getList } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { readSearch } from '../criteria/search-request.ts';
import type { ListMemories } from './list-memories.ts';
import { ListMemory } from './list-memory.ts';
import { getKeywordTexts } from './memory-search.ts';
import { findGroupsInMemory } from './row-groups.ts';

const list = getList('patch_repository');
const day = 86_400_000;
/** More rows than are compared with each other. */
const rowCount = 60_000;

interface PlainRow {
  readonly id: number;
  readonly kb: string | null;
  readonly released: number | null;
}

const plainRows: readonly PlainRow[] = Array.from({ length: rowCount }, (_, index) => ({
  id: index + 1,
  // The products of an update are released on several days. Every 50th row has no update.
  kb: index % 50 === 0 ? null : `kb${(index * 7919) % 20_011}`,
  released: index % 11 === 0 ? null : ((index * 31) % 4000) * day,
}));

/** Two updates of three have the word `patch`, and rank before those with a word that begins so. */
const toWord = ({ id, kb }: PlainRow) =>
  Number((kb ?? `${id}`).replace('kb', '')) % 3 === 0 ? 'patches' : 'patch';

function buildMemories(): ListMemories {
  const memory = new ListMemory(list);
  const [column] = [...memory.names.keys()].filter((name) => name.includes('kb_id'));
  const texts = getKeywordTexts(list);
  for (const text of texts) memory.openTexts(text.column, text.inOrder);
  memory.write({
    ids: plainRows.map(({ id }) => id),
    listed: plainRows.map(() => true),
    fields: new Map([['releaseDate', plainRows.map(({ released }) => released)]]),
    names: new Map([[column ?? '', plainRows.map(({ kb }) => kb)]]),
    texts: new Map(texts.map(({ column: name }) => [name, plainRows.map(toWord)])),
  });
  for (const text of texts) memory.completeTexts(text.column);
  const memories: Pick<ListMemories, 'has' | 'load'> = {
    has: () => true,
    load: () => Promise.resolve({ memory } as Awaited<ReturnType<ListMemories['load']>>),
  };
  return memories as ListMemories;
}

/** Groups the rows by hand, the newest first. */
function groupPlainly() {
  const ordered = plainRows.toSorted(
    (a, b) => (b.released ?? -1) - (a.released ?? -1) || b.id - a.id,
  );
  return [...Map.groupBy(ordered, ({ id, kb }) => kb ?? id).values()].map((members) =>
    members.map(({ id }) => id),
  );
}

describe('updates of many rows', () => {
  const memories = buildMemories();
  const find = (query: object, body = {}) =>
    findGroupsInMemory(memories, readSearch(list, { offset: 0, size: 25, ...query }, body));

  test('are read in the order of the list until the page is complete', async () => {
    const groups = groupPlainly();
    for (const offset of [0, 25, 975]) {
      const page = await find({ offset });
      expect(page?.groups.map(({ ids }) => ids)).toEqual(groups.slice(offset, offset + 25));
      expect(page).toMatchObject({ total: rowCount, updates: groups.length });
    }
  });

  test('are read from all ranks of a word, with all their records', async () => {
    const wholeIds = new Set(
      plainRows.filter((row) => toWord(row) === 'patch').map(({ id }) => id),
    );
    const isWhole = ([id]: readonly number[]) => wholeIds.has(id ?? 0);
    const groups = groupPlainly();
    const ranked = [...groups.filter(isWhole), ...groups.filter((group) => !isWhole(group))];
    const page = await find({}, { keyword: 'patch' });
    expect(page?.groups.map(({ ids }) => ids)).toEqual(ranked.slice(0, 25));
    expect(page?.groups.map(({ matching }) => matching)).toEqual(
      ranked.slice(0, 25).map(({ length }) => length),
    );
  });

  test('are left to PostgreSQL far from the first one, and in another order', async () => {
    expect(await find({ offset: 10_000 })).toBeNull();
    expect(await find({ sort: 'severity,-releaseDate' })).toBeNull();
  });
});

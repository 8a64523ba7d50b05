/** Views that were saved when a keyword of several words was one phrase. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { keywordName } from '@patch/contract/filter/keyword-terms.ts';
import { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migratedBefore } from '../../testing/migrated-before.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from '../search/search-store.ts';
import { viewsSeenBy } from './saved-view-store.ts';

const kbs = listOfKey('patch_repository');

const names = [
  'Windows Server 2022',
  'Server 2022 for Windows',
  'say "yes" now',
  '"quoted"',
  'quoted',
  'a\u00a0b',
  'a b',
  '100% sure',
];
const saved = [
  '',
  'server',
  'Server 2022',
  '  server 2022 ',
  'server  2022',
  'say "yes"',
  '"quoted"',
  '"say "yes',
  'A\u00a0B',
  '\u3000sure\ufeff',
  '100% sure',
  'quoted"',
  ' ',
  `${'x'.repeat(126)} "${'y'.repeat(126)}"`,
];

describeWithDatabase('views saved when a keyword was one phrase', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await migratedBefore(database, '220');
    await database.script(
      `insert into users (id, name, name_folded, email, email_folded, password_hash, user_type, must_change_password, created_time)
         overriding system value values (1, 'Ada', 'ada', 'ada@example.org', 'ada@example.org', 'x', 'Admin', false, 1)`,
    );
    for (const [place, keyword] of saved.entries()) {
      const search = { criteria: 'severity.in.Critical', keyword, sort: null, columns: ['kbId'] };
      await database.query(
        `insert into saved_view (id, list, owner_id, name, name_folded, shared, search, updated_time)
           overriding system value values ($1, 'patch_repository', 1, $2, $2, false, $3::jsonb, 7)`,
        [place + 1, `view ${place + 1}`, JSON.stringify(search)],
      );
    }
    await migrate(database);
    const entries = names.map((name, place) => {
      const row = { name, kbId: `KB500000${place}` };
      return { key: `${place}`, row, detail: {}, contentHash: contentHash(row, {}) };
    });
    await database.transaction((tx) => writeEntries(tx, kbs, 'part', entries, 1));
  });

  const views = async () => {
    const all = await viewsSeenBy(database, { id: 1, isAdmin: true }, null);
    return all.toSorted((a, b) => a.id - b.id);
  };

  describe.each(saved.map((keyword, place) => [keyword, place] as const))(
    '%j',
    (keyword, place) => {
      test('finds what it found as a phrase', async () => {
        const view = (await views())[place];
        expect(view?.search).toMatchObject({ criteria: 'severity.in.Critical', columns: ['kbId'] });
        expect(view?.updatedAt).toBe(7);
        const search = readSearch(
          kbs,
          { offset: 0, size: 100, sort: 'id' },
          { keyword: view?.search.keyword },
        );
        const { rows } = await new SearchStore(database).find(search);
        const found = (JSON.parse(`[${rows}]`) as { name: string }[]).map(({ name }) => name);
        expect(found).toEqual(names.filter((name) => fold(name).includes(fold(keyword.trim()))));
      });

      test('is still within what a view may hold', async () => {
        const view = (await views())[place];
        expect(SavedView.safeParse(view).error).toBeUndefined();
        expect(keywordName(view?.search.keyword ?? '')).toBe(keyword.trim());
      });
    },
  );

  test('a single word stays as it was', async () => {
    expect((await views())[1]?.search.keyword).toBe('server');
  });
});

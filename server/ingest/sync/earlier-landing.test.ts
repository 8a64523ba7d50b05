/** A database that an earlier landing wrote is opened by this one: records keep their ids, what people prefer stays, and the next sync says what the documents say. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { fixturesOf } from '@patch/catalogue/testing/vendor-fixtures.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { migrate, migrationsFolder } from '../../platform/database/migrate.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { folderUpstream } from './folder-upstream.ts';
import { SyncBench } from './testing/sync-bench.ts';

const feed = vendorFeeds.wsus;
if (feed === undefined) throw new Error('There is no feed of Windows');

/** The last migration of that landing. */
const lastMigration = '140-advisory-dates.sql';

/** As that landing kept them: each KB dated by the first document that names it. */
const january = Date.UTC(2024, 0, 9, 8);
const earlierRows = [
  {
    id: 101,
    key: 'KB5090122|12097',
    kb: 'KB5090122',
    product: 'Windows 10 Version 22H2 for x64-based Systems',
  },
  { id: 102, key: 'KB5090129|11923', kb: 'KB5090129', product: 'Windows Server 2022' },
];

describeWithDatabase('a database of an earlier landing', (open) => {
  let database: Database;
  let bench: SyncBench;
  let folder: string;

  beforeEach(async () => {
    database = await open();
    await database.script('drop schema public cascade; create schema public');
    folder = await mkdtemp(join(tmpdir(), 'earlier-landing-'));
    const isOfThen = (path: string) => !path.endsWith('.sql') || basename(path) <= lastMigration;
    await cp(migrationsFolder, folder, { recursive: true, filter: isOfThen });
    const applied = await migrate(database, folder);
    if (applied.at(-1) !== lastMigration)
      throw new Error(`The last migration of then is ${applied.at(-1)}`);
    for (const { id, key, kb, product } of earlierRows)
      await database.query(
        `insert into patch_repository (id, natural_key, part, content_hash, created_time, updated_time, keyword, kb_id, kb_id_folded,
           product_name, product_name_folded, release_date, revision)
         overriding system value values ($1, $2, 'msrc', 'of another version', 1000, 1000, $3, $4, $3, $5, lower($5), $6, 1)`,
        [id, key, kb.toLowerCase(), kb, product, january],
      );
    await database.script(
      `select setval(pg_get_serial_sequence('patch_repository', 'id'), 200);
       update list_revision set revision = 1, listed = 2 where list = 'patch_repository';
       insert into feed_part (source, part, feed_version, read_time) values ('wsus', 'msrc', 2, 1000);
       insert into users (name, name_folded, email, email_folded, user_type, password_hash, must_change_password, created_time)
         values ('ada', 'ada', '', '', 'Admin', '-', false, 1000);
       insert into user_preference select id, 'patch_repository', '{"columns": ["kbId", "latestKb"]}' from users;
       insert into saved_view (list, owner_id, name, name_folded, shared, search, updated_time)
         select 'patch_repository', id, 'Server 2022', 'server 2022', true,
           '{"criteria": "productName.equal.Windows Server 2022", "keyword": "", "sort": null, "columns": null}', 1000 from users;`,
    );
    bench = await SyncBench.open(database);
  });
  afterEach(async () => {
    await bench.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('keeps ids, preferences and views, and gets the dates that the documents state', async () => {
    expect((await migrate(database)).length).toBeGreaterThan(0);
    const run = await bench.sync(feed, {
      source: 'wsus',
      upstream: folderUpstream(fixturesOf(feed)),
    });
    expect(run).toMatchObject({ state: expect.stringMatching(/^succeeded/), withdrawn: 0 });
    const rows = await queryRows(
      database,
      z.object({
        id: z.number(),
        kb: z.string(),
        product: z.string(),
        date: z.number(),
        created: z.number(),
        withdrawn: z.number().nullable(),
      }),
      `select id, kb_id as kb, product_name as product, release_date as date, created_time as created, withdrawn_time as withdrawn
       from patch_repository where id < 200 order by id`,
    );
    // The scan file dates the first; of the second only the guide knows.
    const scanned = Date.UTC(2024, 0, 9, 18, 0, 5);
    expect(rows).toEqual([
      {
        id: 101,
        kb: 'KB5090122',
        product: earlierRows[0]?.product,
        date: scanned,
        created: 1000,
        withdrawn: null,
      },
      {
        id: 102,
        kb: 'KB5090129',
        product: earlierRows[1]?.product,
        date: january,
        created: 1000,
        withdrawn: null,
      },
    ]);
    expect((await database.query('select value from user_preference')).rows).toEqual([
      { value: { columns: ['kbId', 'latestKb'] } },
    ]);
    expect((await database.query('select name, shared from saved_view')).rows).toEqual([
      { name: 'Server 2022', shared: true },
    ]);
  });
});

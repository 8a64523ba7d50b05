/** Reads the rows that syncs of a source have written, for tests that compare two states. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { NameRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** Content hashes of listed rows by list and natural key. */
export type Rows = ReadonlyMap<string, string>;

export async function readSyncedRows(database: Database, { fills }: Feed): Promise<Rows> {
  const rows = new Map<string, string>();
  for (const { key: list } of fills) {
    const listed = await queryRows(
      database,
      z.object({ natural_key: z.string(), content_hash: z.string() }),
      `select natural_key, content_hash from ${list} where withdrawn_time is null order by natural_key`,
    );
    for (const { natural_key, content_hash } of listed)
      rows.set(`${list} ${natural_key}`, content_hash);
  }
  return rows;
}

/** Removes all data of syncs. */
export async function forgetRows(database: Database): Promise<void> {
  const rows = await queryRows(
    database,
    NameRow,
    `select tablename as name from pg_tables where schemaname = 'public'
       and tablename ~ '^((sync|feed)_.*|quarantine|stored_record|record_(epss|risk)|package_(fix|status)|vendor_score)$'`,
  );
  await database.script(`truncate ${rows.map(({ name }) => name).join(', ')} cascade`);
}

/** Expects that each row equals that before or after the change. */
export function expectBetween(rows: Rows, before: Rows, after: Rows): void {
  const wrong = [...new Set([...rows.keys(), ...before.keys(), ...after.keys()])].filter(
    (key) => rows.get(key) !== before.get(key) && rows.get(key) !== after.get(key),
  );
  expect(wrong).toEqual([]);
}

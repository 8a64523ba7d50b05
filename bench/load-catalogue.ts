/** Fills a list with made-up rows through the entry writer. Indexes that the writer does not use are made after the rows: the same tables, sooner. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { buildRecordIndex } from '@patch/server/platform/database/build-record-index.ts';
import { contentHash } from '@patch/server/platform/database/content-hash.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { writeEntries } from '@patch/server/platform/database/entry-writer.ts';
import { refreshStatistics } from '@patch/server/platform/database/refresh-statistics.ts';
import { refreshStaleCves } from '@patch/server/platform/database/stale-cve-store.ts';
import { z } from 'zod';
import { queryRows } from '../server/platform/database/query-rows.ts';
import { type MadeEntry, madeEntry } from './errata-generator.ts';

const batch = 5_000;

export const loadCatalogue = (
  database: Database,
  rows: number,
  say: (line: string) => void,
): Promise<void> =>
  loadRecords(database, { list: listOfKey('almalinux_patch'), rows, made: madeEntry, say });

export interface RecordsToLoad {
  readonly list: ListDefinition;
  readonly rows: number;
  readonly made: (n: number) => MadeEntry;
  /** Without the indexes of words, which take the longest: for what searches nothing. */
  readonly withoutWords?: boolean;
  readonly say: (line: string) => void;
}

export async function loadRecords(
  database: Database,
  { list, rows, made: madeRecord, withoutWords = false, say }: RecordsToLoad,
): Promise<void> {
  // As at the first start of a service: otherwise each start would index these records again.
  await buildRecordIndex({ database });
  const indexes = await queryRows(
    database,
    z.object({ name: z.string(), definition: z.string() }),
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ($1, 'record', 'vulnerability', 'package_fix') and indexname not in (select conname from pg_constraint)
       and indexname not in ('record_by_cve', 'record_by_update')`,
    [list.key],
  );
  await database.script(indexes.map(({ name }) => `drop index ${name};`).join('\n'));
  const begun = Date.now();
  for (let from = 0; from < rows; from += batch) {
    const entries = Array.from({ length: Math.min(batch, rows - from) }, (_, place) => {
      const entry = madeRecord(from + place);
      return { ...entry, contentHash: contentHash(entry.row, entry.detail) };
    });
    await database.transaction((session) => writeEntries(session, list, 'made up', entries, begun));
    if ((from + batch) % 100_000 === 0)
      say(`${from + batch} rows after ${Math.round((Date.now() - begun) / 1000)} s`);
  }
  // As at the end of a run: otherwise the service does it beside what is measured.
  await refreshStaleCves(database);
  const made = indexes.filter(({ name }) => !withoutWords || !name.endsWith('_by_words'));
  for (const { name, definition } of made) {
    const since = Date.now();
    // On a busy machine the index of words takes longer than a statement of the service may.
    await database.transaction(async (session) => {
      await session.script('set local statement_timeout = 0');
      await session.script(definition);
    });
    say(`${name} after ${Date.now() - since} ms`);
  }
  await refreshStatistics(database, {
    [list.key]: rows,
    record: rows,
    vulnerability: rows,
    package_fix: rows,
    fix_series: rows,
  });
}

/** What the list takes on disk: [relation, bytes], the largest first. */
export async function sizesOf(database: Database): Promise<readonly (readonly [string, number])[]> {
  const rows = await queryRows(
    database,
    z.object({ name: z.string(), bytes: z.number() }),
    `select relname as name, pg_total_relation_size(oid) - case when relkind = 'r' then pg_indexes_size(oid) else 0 end as bytes from pg_class
     where relname like 'almalinux_patch%' or relname like 'entry_detail%' order by bytes desc`,
  );
  return rows.filter(({ bytes }) => bytes > 0).map(({ name, bytes }) => [name, bytes]);
}

/** Fills a list with generated records through the entry writer. Indexes that the writer does not use are made after the records, which is sooner. */
import { setImmediate } from 'node:timers/promises';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { refreshStaleCves } from '@patch/server/platform/database/cves/stale-cve-store.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { queryRows } from '@patch/server/platform/database/query-rows.ts';
import { buildRecordIndex } from '@patch/server/platform/database/records/build-record-index.ts';
import { writeRecords } from '@patch/server/platform/database/records/entry-writer.ts';
import {
  projectRecord,
  type RecordProjection,
} from '@patch/server/platform/database/records/project-record.ts';
import { refreshStatistics } from '@patch/server/platform/database/refresh-statistics.ts';
import { contentHash } from '@patch/server/platform/database/rows/content-hash.ts';
import { z } from 'zod';
import type { Load } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { type MadeEntry, madeEntry } from './errata-generator.ts';

const batchSize = 5_000;

/** The list that is searched, fetched and judged. */
export const list: ListDefinition = getList('almalinux_patch');

export const errataLoad = ({ rows, say }: BenchOptions): Load => ({
  name: `errata-${rows}`,
  load: (database) => loadRecords(database, rows, madeEntry, say),
});

export async function loadRecords(
  database: Database,
  rows: number,
  make: (n: number) => MadeEntry,
  say: (line: string) => void,
): Promise<void> {
  // As at the first start of a service: otherwise each start would index these records again.
  await buildRecordIndex({ database });
  const indexes = await queryRows(
    database,
    z.object({ name: z.string(), definition: z.string() }),
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename in ('stored_record', 'vulnerability', 'package_fix') and indexname not in (select conname from pg_constraint)
       and indexname not in ('stored_record_by_cve', 'stored_record_by_update')`,
    [],
  );
  await database.script(indexes.map(({ name }) => `drop index ${name};`).join('\n'));
  const since = Date.now();
  let written: Promise<unknown> = Promise.resolve();
  let records: RecordProjection[] = [];
  for (let n = 0; n < rows; n += 1) {
    const entry = make(n);
    const hash = contentHash(entry.row, entry.detail);
    records.push(projectRecord(list, { ...entry, contentHash: hash }));
    // As a sync does, whose entries are read from a file: the next batch is projected while the database writes this one.
    if (n % 50 === 0) await setImmediate();
    if (records.length < batchSize && n < rows - 1) continue;
    await written;
    const batch = records;
    records = [];
    written = database.transaction((session) =>
      writeRecords(session, list, 'made up', batch, since),
    );
    if ((n + 1) % 100_000 === 0)
      say(`${n + 1} records after ${Math.round((Date.now() - since) / 1000)} s`);
  }
  await written;
  // As at the end of a run: otherwise the service does it beside what is measured.
  await refreshStaleCves(database);
  // An index of words takes longer than a statement of the service may.
  for (const { definition } of indexes)
    await database.transaction(async (session) => {
      await session.script('set local statement_timeout = 0');
      await session.script(definition);
    });
  const tables = ['stored_record', 'vulnerability', 'package_fix', 'fix_series', 'stale_cve'];
  await refreshStatistics(database, Object.fromEntries(tables.map((name) => [name, rows])));
}

/** Returns the bytes of the named tables with their indexes; of all tables without names. */
export async function bytesOnDisk(database: Database, names = ''): Promise<number> {
  const [row] = await queryRows(
    database,
    z.object({ bytes: z.number() }),
    `select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace and relname ~ $1`,
    [names],
  );
  return row?.bytes ?? 0;
}

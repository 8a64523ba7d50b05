/** What risk runs wrote into a database: rows by table, bytes of its log, and the revisions of vendors' lists. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Database } from '@patch/server/platform/database/database.ts';
import { z } from 'zod';
import { queryRows } from '../server/platform/database/query-rows.ts';
import type { RiskWrites } from './risk-report.ts';

const tables = ['epss_score', 'vulnerability', 'record_epss', 'record_risk', 'record'];

const MarkRow = z.object({ transaction: z.number(), log: z.string(), revisions: z.number() });

export type WriteMark = z.infer<typeof MarkRow>;

const vendorLists = catalogueLists.filter(({ source }) => source !== null).map(({ key }) => key);
const revisionsSql = `(select sum(revision)::float8 from list_revision where list in ('${vendorLists.join("', '")}'))`;

export async function writesBefore(database: Database): Promise<WriteMark> {
  const [mark] = await queryRows(
    database,
    MarkRow,
    `select txid_current()::float8 as transaction, pg_current_wal_lsn()::text as log, ${revisionsSql} as revisions`,
  );
  if (mark === undefined) throw new Error('The database gives no mark');
  return mark;
}

const SinceRow = z.object({ bytes: z.number(), revisions: z.number() });
const CountRow = z.object({ count: z.number() });

/** Of a row that was written several times, the last version counts. */
export async function writesSince(database: Database, mark: WriteMark): Promise<RiskWrites> {
  const rows: Record<string, number> = {};
  for (const table of tables) {
    const [{ count } = { count: 0 }] = await queryRows(
      database,
      CountRow,
      `select count(*) as count from ${table} where xmin::text::bigint >= $1::bigint`,
      [mark.transaction],
    );
    rows[table] = count;
  }
  const [since] = await queryRows(
    database,
    SinceRow,
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::float8 as bytes, ${revisionsSql} as revisions`,
    [mark.log],
  );
  return {
    rows,
    megabytes: (since?.bytes ?? 0) / 1_048_576,
    listsChanged: (since?.revisions ?? 0) - mark.revisions,
  };
}

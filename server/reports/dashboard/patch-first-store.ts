/** Reads what the ranked updates need beside their rows: the machines that miss them, and which of their CVEs are known exploited. */
import { getList } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { SortKey } from '../../records/criteria/search-request.ts';
import { orderSql } from '../../records/search/search-sql.ts';

const MissedRow = z.object({ id: z.number(), machines: z.number() });

/** Returns the first records in this order that machines miss, by their id in All patches, with the number of machines. */
export async function readMissedRecords(
  database: Queryable,
  sort: readonly SortKey[],
  maxRecords: number,
): Promise<ReadonlyMap<number, number>> {
  const list = getList('all_patches');
  const rows = await queryRows(
    database,
    MissedRow,
    `select id, machines from (select list as missed_list, record_id as missed_record, machines from missing_record where machines > 0) as missed
     join all_patches on list = missed_list and record_id = missed_record
     where superseded is not true order by ${orderSql(list, sort)} limit ${maxRecords}`,
  );
  return new Map(rows.map(({ id, machines }) => [id, machines]));
}

const CveRow = z.object({ cve: z.string() });

/** Returns those of the CVEs (folded) that are known exploited. */
export async function readExploitedCves(
  database: Queryable,
  cves: readonly string[],
): Promise<ReadonlySet<string>> {
  if (cves.length === 0) return new Set();
  const rows = await queryRows(
    database,
    CveRow,
    'select cve_folded as cve from vulnerability where exploited_since is not null and cve_folded = any($1::text[])',
    [arrayText(cves)],
  );
  return new Set(rows.map(({ cve }) => cve));
}

/** Reads the facts that due dates of records follow from, as the catalogue has them now. */
import type { DatedRecord, KnownExploitation } from '@patch/catalogue/fleet/due-date.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { riskJoins } from '../../platform/database/searched-relation.ts';

const DatedRow = z.object({
  id: z.number(),
  releaseDate: z.number().nullable(),
  severity: z.string().nullable(),
  exploited: z.boolean().nullable(),
  known: ownJson<readonly KnownExploitation[]>().nullable(),
});

const knownSql = `(select json_agg(json_build_object('since', exploited_since, 'due', due_date) order by cve_folded)
  from vulnerability where exploited_since is not null and cve_folded = any(string_to_array(record.cve_folded, E'\\n')))`;
const factsSql = `release_date as "releaseDate", record.severity, record_risk.exploited,
  case when record_risk.exploited then ${knownSql} end as known`;

async function readDated(
  database: Queryable,
  text: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DatedRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows(database, DatedRow, text, [arrayText(ids)]);
  return new Map(rows.map(({ id, known, ...facts }) => [id, { ...facts, known: known ?? [] }]));
}

/** Returns the facts by the ids of records. Withdrawn records have none. */
export const readDatedRecords = (database: Queryable, recordIds: readonly number[]) =>
  readDated(
    database,
    `select record.id, ${factsSql} from record ${riskJoins('record')} where record.id = any($1::bigint[])`,
    recordIds,
  );

/** Returns the facts by the ids of `missing_record`. Withdrawn records have none. */
export const readDatedMissing = (database: Queryable, missingIds: readonly number[]) =>
  readDated(
    database,
    `select missing_record.id, ${factsSql} from missing_record
     join record on record.list = missing_record.list and record.id = missing_record.record_id ${riskJoins('record')}
     where missing_record.id = any($1::int[])`,
    missingIds,
  );

/** Returns CISA's dates of the CVEs that exploited records name, by the ids of these records. */
export async function readKnownExploitation(
  database: Queryable,
  exploited: readonly number[],
): Promise<ReadonlyMap<number, readonly KnownExploitation[]>> {
  if (exploited.length === 0) return new Map();
  const rows = await queryRows(
    database,
    DatedRow.pick({ id: true, known: true }),
    `select id, ${knownSql} as known from record where id = any($1::bigint[])`,
    [arrayText(exploited)],
  );
  return new Map(rows.map(({ id, known }) => [id, known ?? []]));
}

/** Stores up to which change each list has been judged, and marks parts for a new judgement. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';

const PositionRow = z.object({ revision: z.number(), recordId: z.number() });
export type Position = z.infer<typeof PositionRow>;

export async function hasJudgedParts(database: Queryable): Promise<boolean> {
  const [hasParts = false] = await queryValues(
    database,
    z.boolean(),
    'select exists(select from inventory_part where judged)',
  );
  return hasParts;
}

/** Sets the positions of the lists to their ends. */
export async function skipToNow(tx: Queryable, lists: readonly CatalogueList[]): Promise<void> {
  await tx.query(
    `insert into judged_list (list, revision, record_id) select list, revision, $2::bigint from list_revision where list = any($1::text[])
     on conflict (list) do update set revision = excluded.revision, record_id = excluded.record_id`,
    [arrayText(lists.map(({ key }) => key)), Number.MAX_SAFE_INTEGER],
  );
}

/** Returns null for a list that was never followed. */
export async function readPosition(
  database: Queryable,
  list: CatalogueList,
): Promise<Position | null> {
  const [position = null] = await queryRows(
    database,
    PositionRow,
    'select revision, record_id as "recordId" from judged_list where list = $1',
    [list.key],
  );
  return position;
}

export async function writePosition(
  tx: Queryable,
  list: CatalogueList,
  { revision, recordId }: Position,
): Promise<void> {
  await tx.query(
    `insert into judged_list (list, revision, record_id) values ($1, $2, $3)
     on conflict (list) do update set revision = excluded.revision, record_id = excluded.record_id`,
    [list.key, revision, recordId],
  );
}

const ChangedRow = z.object({ id: z.number(), revision: z.number(), withdrawn: z.boolean() });
export type ChangedRecord = z.infer<typeof ChangedRow>;

/** Returns changed and withdrawn records in the order of their changes. */
export async function readChangedRecords(
  database: Queryable,
  list: CatalogueList,
  { revision, recordId }: Position,
  limit: number,
): Promise<readonly ChangedRecord[]> {
  return queryRows(
    database,
    ChangedRow,
    `select id, revision, withdrawn_time is not null as withdrawn from ${list.key}
     where (revision, id) > ($1::bigint, $2::bigint) order by revision, id limit $3`,
    [revision, recordId, limit],
  );
}

export async function judgeAllAgain(tx: Queryable): Promise<void> {
  await judgeAgain(tx, 'true', []);
}

export async function judgeMacsAgain(tx: Queryable): Promise<void> {
  await judgeAgain(tx, `kind = 'macos'`, []);
}

/** A part that lacks the record may depend on its former content. */
const lackingRecords = `id in (select part_id from part_missing join missing_record on missing_record.id = missing_id
  where list = $2 and record_id = any($3::bigint[]))`;

export async function judgeProductsAgain(
  tx: Queryable,
  list: CatalogueList,
  ids: readonly number[],
  products: readonly string[],
): Promise<void> {
  const values = [arrayText(products), list.key, arrayText(ids)];
  await judgeAgain(
    tx,
    `kind = 'windows' and (scope = any($1::text[]) or ${lackingRecords})`,
    values,
  );
}

/** Finds parts by the names under which the index of records has the releases. */
export async function judgeApplicationsAgain(
  tx: Queryable,
  list: CatalogueList,
  ids: readonly number[],
): Promise<void> {
  const lines = await queryValues(
    tx,
    z.string().nullable(),
    'select names from record where list = $1 and record_id = any($2::bigint[])',
    [list.key, arrayText(ids)],
  );
  const names = [...new Set(lines.flatMap((text) => text?.split('\n') ?? []))];
  const values = [arrayText(names), list.key, arrayText(ids)];
  await judgeAgain(
    tx,
    `kind = 'applications' and (names && $1::text[] or ${lackingRecords})`,
    values,
  );
}

async function judgeAgain(tx: Queryable, where: string, values: readonly unknown[]): Promise<void> {
  await tx.query(`update inventory_part set judged = false where judged and ${where}`, values);
}

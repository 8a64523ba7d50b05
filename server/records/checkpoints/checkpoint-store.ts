/** Stores checkpoints, and the versions of records that they have. See docs/decisions/093. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { Checkpoint } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { isIndexed } from '../../platform/database/records/record-index-row.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

/** The lists of vendors, in the order in which writers of several lists lock them. */
export const vendorLists = catalogueLists.filter(isIndexed);

const selectCheckpoints = sql`
  select id, name, created_time as "createdTime", created_by as "createdBy" from checkpoint`;

/** Returns all checkpoints, newest first. */
export const readCheckpoints = (database: Queryable) =>
  query.rows(database, Checkpoint)`${selectCheckpoints} order by id desc`;

const Revisions = z.record(z.string(), z.number());
export type Revisions = Readonly<z.infer<typeof Revisions>>;

/** Returns the revisions by list; null if there is no such checkpoint. */
export const readCheckpointRevisions = (database: Queryable, id: number) =>
  query.value(database, Revisions)`select revisions from checkpoint where id = ${id}`;

/** Makes creations and removals wait for each other until the transaction ends. Returns how many checkpoints exist. */
export async function lockCheckpoints(tx: Queryable): Promise<number> {
  await query.run(tx)`lock table checkpoint in share row exclusive mode`;
  return query.requiredValue(tx, z.number())`select count(*) from checkpoint`;
}

/** Writers of a list that have begun end first, and those that begin later keep what the checkpoint has. */
const writerTimeoutMs = 10_000;

/**
 * Returns null when a checkpoint has the name.
 * @throws DatabaseError of the code 55P03 when a writer takes too long.
 */
export async function addCheckpoint(
  tx: Queryable,
  {
    name,
    createdBy,
    rule = null,
  }: { readonly name: string; readonly createdBy: string; readonly rule?: number | null },
  now: number,
): Promise<Checkpoint | null> {
  await tx.query(`set local lock_timeout = ${writerTimeoutMs}`);
  const revisions = await query.rows(tx, z.object({ list: z.string(), revision: z.number() }))`
    select list, revision from list_revision where list = any(${keysText}::text[])
    order by array_position(${keysText}::text[], list) for share`;
  const byList = Object.fromEntries(revisions.map(({ list, revision }) => [list, revision]));
  return query.row(tx, Checkpoint)`
    insert into checkpoint (name, name_folded, created_time, created_by, rule_id, revisions)
    values (${name}, ${fold(name)}, ${now}, ${createdBy}, ${rule}, ${JSON.stringify(byList)}::jsonb)
    on conflict (name_folded) do nothing
    returning id, name, created_time as "createdTime", created_by as "createdBy"`;
}

const keysText = arrayText(vendorLists.map(({ key }) => key));

/** Removes a checkpoint, and the versions that no other one has. The checkpoints must be locked. Returns its name; null if there is none. */
export async function removeCheckpoint(tx: Queryable, id: number): Promise<string | null> {
  const name = await query.value(tx, z.string())`
    delete from checkpoint where id = ${id} returning name`;
  if (name !== null)
    await query.run(tx)`
      delete from kept_record where not exists (select from checkpoint
        where (revisions ->> kept_record.list)::bigint >= from_revision and (revisions ->> kept_record.list)::bigint < until_revision)`;
  return name;
}

/** Stores which records are approved or declined for a ring. The rings must be locked for each change. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { maxDecidedRecords, RingDecision } from '@patch/contract/licensing/ring-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryValues } from '../../platform/database/query-rows.ts';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { hasNameSql } from '../../platform/database/searched-relation.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { raiseDecisionRevision } from './ring-store.ts';

export const StoredDecision = RingDecision.omit({ label: true }).extend({ ringId: z.number() });
export type StoredDecision = z.infer<typeof StoredDecision>;
export type NewDecision = Pick<
  StoredDecision,
  'ringId' | 'list' | 'name' | 'decision' | 'reason' | 'decidedBy' | 'decidedTime'
>;

const isApproved = sql`decision = 'approved'`;

const selectDecisions = sql`
  select ring_decision.id, ring_id as "ringId", list, ring_decision.name, decision, reason, decided_time as "decidedTime", decided_by as "decidedBy",
    records, "firstRecord", ${isApproved} and newest <= coalesce((revisions ->> list)::bigint, 0) as "isCaughtUp"
  from ring_decision join ring on ring.id = ring_id join checkpoint on checkpoint.id = checkpoint_id
  cross join lateral (select count(*)::int as records, min(stored.id) as "firstRecord", coalesce(max(stored.list_revision), 0) as newest
    from ring_record join stored_record as stored on stored.id = record_id where decision_id = ring_decision.id) as decided`;

/** Returns the decisions of a ring, newest first. */
export const readDecisions = (database: Queryable, ring: number) =>
  query.rows(database, StoredDecision)`
    ${selectDecisions} where ring_id = ${ring} order by decided_time desc, ring_decision.id desc`;

export const readDecision = (database: Queryable, id: number) =>
  query.row(database, StoredDecision)`${selectDecisions} where ring_decision.id = ${id}`;

export const countOtherDecisions = (
  tx: Queryable,
  { ringId, list, name }: Pick<NewDecision, 'ringId' | 'list' | 'name'>,
) =>
  query.requiredValue(tx, z.number())`
    select count(*)::int from ring_decision where ring_id = ${ringId} and (list, name_folded) <> (${list}, ${fold(name)})`;

/** Returns the records of a list that people know by the name, also withdrawn ones, and one more than may be decided about. */
export async function findRecordsOfName(
  database: Queryable,
  list: ListDefinition,
  name: string,
): Promise<readonly number[]> {
  const find = (condition: string) =>
    queryValues(
      database,
      z.number(),
      `select id from ${list.key} where ${condition} order by id limit ${maxDecidedRecords + 1}`,
      [arrayText([fold(name)])],
    );
  const [first, ...others] = list.identity.flatMap(
    (field) => columnsOfField(list, field).folded ?? [],
  );
  const found = first === undefined ? [] : await find(hasNameSql(list, first, '$1'));
  if (found.length > 0 || others.length === 0) return found;
  return find(others.map((column) => `${column} = any($1::text[])`).join(' or '));
}

/** Replaces what was decided about the name, and what other names have decided about its records. Returns the id. */
export async function addDecision(
  tx: Queryable,
  decision: NewDecision,
  records: readonly number[],
): Promise<number> {
  const { ringId, list, name, decision: what, reason, decidedBy, decidedTime } = decision;
  const told = { name, decision: what, reason, decidedBy, decidedTime };
  const id = await query.requiredValue(tx, z.number())`
    insert into ring_decision ${sql.values({ ringId, list, nameFolded: fold(name), ...told })}
    on conflict (ring_id, list, name_folded) do update set ${sql.assignments(told)} returning id`;
  await removeRecords(tx, ringId, id);
  await query.run(tx)`
    insert into ring_record (ring_id, record_id, list, decision_id, decision, revision)
    select ${ringId}, record_id, ${list}, ${id}, ${what}, (select decision_revision from ring where id = ${ringId})
    from unnest(${arrayText(records)}::bigint[]) as record_id
    on conflict (ring_id, record_id) do update set decision_id = excluded.decision_id, decision = excluded.decision, revision = excluded.revision`;
  return id;
}

export async function removeDecision(tx: Queryable, { id, ringId }: StoredDecision): Promise<void> {
  await removeRecords(tx, ringId, id);
  await query.run(tx)`delete from ring_decision where id = ${id}`;
}

/** The records stay without a decision, so that clients hear of it. */
async function removeRecords(tx: Queryable, ringId: number, id: number): Promise<void> {
  const revision = await raiseDecisionRevision(tx, ringId);
  await query.run(tx)`
    update ring_record set decision_id = null, decision = null, revision = ${revision} where decision_id = ${id}`;
}

/**
 * Stores rings, and which clients and groups of machines are in them. A change raises the revisions of its clients, so that each process reads
 * them again. What is held back on machines is read when it is needed.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { Ring } from '@patch/contract/licensing/ring-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

const registry = getList('floto_user');

const selectRings = sql`
  select ring.id, ring.name, json_build_object('id', checkpoint.id, 'name', checkpoint.name) as checkpoint,
    promoted_time as "promotedTime", promoted_by as "promotedBy",
    (select coalesce(json_agg(json_build_object('id', id, 'name', coalesce(client_name, '')) order by client_name_folded, id), '[]')
     from licensed_client where ring_id = ring.id) as clients,
    (select coalesce(json_agg(json_build_object('id', id, 'name', name) order by name_folded), '[]')
     from machine_group where ring_id = ring.id) as groups,
    (select json_build_object('rule', json_build_object('id', id, 'name', name), 'afterDays', after_days)
     from checkpoint_rule where id = ring.rule_id) as follows, passes_exploited as "passesExploited",
    (select count(*)::int from ring_decision where ring_id = ring.id and decision = 'approved') as approved,
    (select count(*)::int from ring_decision where ring_id = ring.id and decision = 'declined') as declined
  from ring join checkpoint on checkpoint.id = checkpoint_id`;

/** Returns all rings, by name. */
export const readRings = (database: Queryable) =>
  query.rows(database, Ring)`${selectRings} order by ring.name_folded`;

export const readRing = (database: Queryable, id: number) =>
  query.row(database, Ring)`${selectRings} where ring.id = ${id}`;

/** Makes changes of rings wait for each other until the transaction ends. Returns how many exist. */
export async function lockRings(tx: Queryable): Promise<number> {
  await query.run(tx)`lock table ring in share row exclusive mode`;
  return query.requiredValue(tx, z.number())`select count(*) from ring`;
}

export interface Promotion {
  readonly checkpoint: number;
  readonly by: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const promotionColumns = ({ checkpoint, by, now }: Promotion) => ({
  checkpointId: checkpoint,
  promotedTime: now,
  promotedBy: by,
});

/**
 * Returns null when a ring has the name.
 * @throws DatabaseError of the code 23503 when there is no such checkpoint.
 */
export const addRing = (tx: Queryable, name: string, promotion: Promotion) =>
  query.value(tx, z.number())`
    insert into ring ${sql.values({ name, nameFolded: fold(name), ...promotionColumns(promotion) })}
    on conflict (name_folded) do nothing returning id`;

/** Returns false when another ring has the name. The rings must be locked. */
export async function renameRing(tx: Queryable, id: number, name: string): Promise<boolean> {
  const taken = await query.value(tx, z.number())`
    select id from ring where name_folded = ${fold(name)} and id <> ${id}`;
  if (taken !== null) return false;
  await query.run(tx)`update ring set name = ${name}, name_folded = ${fold(name)} where id = ${id}`;
  return true;
}

/** @throws DatabaseError of the code 23503 when there is no such checkpoint. */
export async function promoteRing(tx: Queryable, id: number, promotion: Promotion): Promise<void> {
  await query.run(tx)`
    update ring set ${sql.assignments(promotionColumns(promotion))},
      newest_checkpoint = greatest(newest_checkpoint, checkpoint_id) where id = ${id}`;
  await announceClients(tx, id, await lockClients(tx, id, []));
}

/** Raises the revision of what is decided for the ring, of which its clients then hear. Returns it. The rings must be locked. */
export async function raiseDecisionRevision(tx: Queryable, id: number): Promise<number> {
  const revision = await query.requiredValue(tx, z.number())`
    update ring set decision_revision = decision_revision + 1 where id = ${id} returning decision_revision`;
  await announceClients(tx, id, await lockClients(tx, id, []));
  return revision;
}

/** Does nothing when it is so already. */
export async function setPassesExploited(tx: Queryable, id: number, passes: boolean) {
  const changed = await query.runOne(tx)`
    update ring set passes_exploited = ${passes}, exploited_revision = decision_revision + 1
    where id = ${id} and passes_exploited <> ${passes}`;
  if (changed) await raiseDecisionRevision(tx, id);
}

export interface Follows {
  readonly rule: number;
  readonly afterDays: number;
}

/** Sets the rule that the ring follows; null: none. A ring that did not follow the rule may move to checkpoints that it has left. */
export const setFollows = (tx: Queryable, id: number, follows: Follows | null) =>
  query.run(tx)`
    update ring set after_days = ${follows?.afterDays ?? 0}, rule_id = ${follows?.rule ?? null},
      newest_checkpoint = case when rule_id = ${follows?.rule ?? null} then newest_checkpoint else 0 end
    where id = ${id}`;

const Move = z.object({
  ring: z.number(),
  name: z.string(),
  rule: z.string(),
  from: z.string(),
  checkpoint: z.number(),
  to: z.string(),
});

const dayMs = 24 * 3_600_000;

/** Returns the rings that follow a rule, and have to move to the newest checkpoint that is old enough. */
export const findMoves = (database: Queryable, now: number) =>
  query.rows(database, Move)`
    select ring.id as ring, ring.name, checkpoint_rule.name as rule, present.name as from, next.id as checkpoint, next.name as to
    from ring join checkpoint_rule on checkpoint_rule.id = rule_id join checkpoint as present on present.id = checkpoint_id
    cross join lateral (
      select id, name from checkpoint where rule_id = ring.rule_id and id > greatest(checkpoint_id, newest_checkpoint)
        and created_time <= ${now} - after_days * ${dayMs}::bigint
      order by id desc limit 1) as next
    order by ring.id`;

/** Makes these clients, and no others, members. Returns false when one does not exist. */
export async function setRingClients(
  tx: Queryable,
  id: number,
  clients: readonly number[],
): Promise<boolean> {
  const locked = await lockClients(tx, id, clients);
  const known = new Set(locked);
  if (!clients.every((client) => known.has(client))) return false;
  const members = new Set(clients);
  await announceClients(tx, id, clients);
  await announceClients(
    tx,
    null,
    locked.filter((client) => !members.has(client)),
  );
  return true;
}

/** Makes these groups, and no others, members. Returns those of them that do not exist, or whose machines do not report with keys. */
export async function setRingGroups(
  tx: Queryable,
  id: number,
  groups: readonly number[],
): Promise<readonly number[]> {
  await query.run(tx)`update machine_group set ring_id = null where ring_id = ${id}`;
  const members = await query.values(tx, z.number())`
    update machine_group set ring_id = ${id} where id = any(${arrayText(groups)}::bigint[]) and criteria is null returning id`;
  return groups.filter((group) => !members.includes(group));
}

/** Its clients and groups are members of no ring afterwards. */
export async function removeRing(tx: Queryable, id: number): Promise<void> {
  await announceClients(tx, null, await lockClients(tx, id, []));
  await setRingGroups(tx, id, []);
  await query.run(tx)`delete from ring where id = ${id}`;
}

/** Locks the members of a ring and other clients before the registry's revision is raised, as other writers do. Returns their ids. */
const lockClients = (tx: Queryable, ring: number, others: readonly number[]) =>
  query.values(tx, z.number())`
    select id from licensed_client where ring_id = ${ring} or id = any(${arrayText(others)}::bigint[]) order by id for update`;

async function announceClients(
  tx: Queryable,
  ring: number | null,
  clients: readonly number[],
): Promise<void> {
  if (clients.length === 0) return;
  const revision = await raiseRevision(tx, registry, 0);
  await query.run(tx)`
    update licensed_client set ring_id = ${ring}, revision = ${revision} where id = any(${arrayText(clients)}::bigint[])`;
}

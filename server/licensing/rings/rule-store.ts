/** Stores the rules that make checkpoints, and which of their moments are done. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { CheckpointRule } from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

export const StoredRule = CheckpointRule.omit({ nextTime: true, problem: true }).extend({
  /** Moments up to this time are done. */
  doneTime: z.number(),
  isBlocked: z.boolean(),
});
export type StoredRule = z.infer<typeof StoredRule>;
export type RuleValues = Omit<StoredRule, 'id' | 'doneTime' | 'isBlocked'>;

const selectRules = sql`select ${sql.columns(StoredRule)} from checkpoint_rule`;

/** Returns all rules, by name. */
export const readRules = (database: Queryable) =>
  query.rows(database, StoredRule)`${selectRules} order by name_folded`;

export const readRule = (database: Queryable, id: number) =>
  query.row(database, StoredRule)`${selectRules} where id = ${id}`;

export const countRules = (database: Queryable) =>
  query.requiredValue(database, z.number())`select count(*) from checkpoint_rule`;

/** Returns null when a rule has the name. */
export const addRule = (tx: Queryable, values: RuleValues, now: number) =>
  query.value(tx, z.number())`
    insert into checkpoint_rule ${sql.values({ ...values, nameFolded: fold(values.name), doneTime: now })}
    on conflict (name_folded) do nothing returning id`;

/** Returns false when another rule has the name. Changes of rules must wait for each other. */
export async function changeRule(
  tx: Queryable,
  id: number,
  { name, week, weekday, hour, timeZone, keep }: RuleValues,
  doneTime: number,
): Promise<boolean> {
  const taken = await query.value(tx, z.number())`
    select id from checkpoint_rule where name_folded = ${fold(name)} and id <> ${id}`;
  if (taken !== null) return false;
  const values = { name, nameFolded: fold(name), week, weekday, hour, timeZone, keep, doneTime };
  await query.run(tx)`
    update checkpoint_rule set ${sql.assignments(values)}, is_blocked = is_blocked and done_time = ${doneTime} where id = ${id}`;
  return true;
}

/** Its checkpoints stay, and its rings follow none. */
export const removeRule = (tx: Queryable, id: number) =>
  query.run(tx)`delete from checkpoint_rule where id = ${id}`;

/** Returns the longest time after which a ring follows the rule; null if none does. */
export const readAfterDays = (database: Queryable, id: number) =>
  query.requiredValue(database, z.number().nullable())`
    select max(after_days) from ring where rule_id = ${id}`;

/** Returns false if another process has done the moment, or the rule was changed or removed. */
export const claimMoment = (tx: Queryable, { id, doneTime }: StoredRule, moment: number) =>
  query.runOne(tx)`
    update checkpoint_rule set done_time = ${moment}, is_blocked = false where id = ${id} and done_time = ${doneTime}`;

/** Returns false if it was noted before, or if the moment is no longer due. */
export const noteBlocked = (database: Queryable, { id, doneTime }: StoredRule) =>
  query.runOne(database)`
    update checkpoint_rule set is_blocked = true where id = ${id} and done_time = ${doneTime} and not is_blocked`;

/** Returns the checkpoints that the rule made before its newest ones, except those that a ring is on. */
export const findSurplus = (tx: Queryable, id: number, newest: number) =>
  query.values(tx, z.number())`
    select id from (select id from checkpoint where rule_id = ${id} order by id desc offset ${newest}) as older
    where not exists (select from ring where checkpoint_id = older.id) order by id`;

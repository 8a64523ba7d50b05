/** Routes of the rules that make checkpoints. */
import { maxCheckpoints } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import {
  type CheckpointRule,
  changeCheckpointRuleEndpoint,
  checkpointRulesEndpoint,
  createCheckpointRuleEndpoint,
  longestAfterDays,
  maxRules,
  removeCheckpointRuleEndpoint,
} from '@patch/contract/licensing/checkpoint-rule-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { ClientContext } from '../clients/client-context.ts';
import { lockRings } from './ring-store.ts';
import { dateOf, findLastMoment, findNextMoment, type Schedule } from './rule-moments.ts';
import {
  addRule,
  changeRule,
  countRules,
  readAfterDays,
  readRule,
  readRules,
  removeRule,
  type StoredRule,
} from './rule-store.ts';

/** Changes of rules wait for each other, and for those of rings, by the lock of the rings. */
export function ruleRoutes(route: RouteRegistrar, { database, clock }: ClientContext): void {
  const toReply = (rule: StoredRule) => describeRule(rule, clock());

  route(checkpointRulesEndpoint, async () => {
    const objList = (await readRules(database)).map(toReply);
    return { objList, totalCount: objList.length };
  });

  route(createCheckpointRuleEndpoint, async ({ body, changed }) => {
    const created = await database.transaction(async (tx) => {
      await lockRings(tx);
      if ((await countRules(tx)) >= maxRules)
        throw new AppError(
          'too_many_rules',
          `There are ${maxRules} rules already. Remove one first.`,
        );
      const id = await addRule(tx, body, clock());
      if (id === null) throw nameTaken(body.name);
      return requireRule(tx, id);
    });
    const reply = toReply(created);
    changed({ subject: `checkpoint rule ${created.name}`, after: reply });
    return reply;
  });

  route(changeCheckpointRuleEndpoint, async ({ params: { id }, body, changed }) => {
    const given = Object.fromEntries(
      Object.entries(body).filter(([, value]) => value !== undefined),
    );
    const [before, after] = await database.transaction(async (tx) => {
      await lockRings(tx);
      const stored = await requireRule(tx, id);
      const values = { ...stored, ...given };
      const afterDays = await readAfterDays(tx, id);
      if (afterDays !== null) requireReachable(values, afterDays);
      const doneTime = isSameSchedule(stored, values) ? stored.doneTime : clock();
      if (!(await changeRule(tx, id, values, doneTime))) throw nameTaken(values.name);
      return [stored, await requireRule(tx, id)] as const;
    });
    const reply = toReply(after);
    changed({ subject: `checkpoint rule ${after.name}`, before: toReply(before), after: reply });
    return reply;
  });

  route(removeCheckpointRuleEndpoint, async ({ params: { id }, changed }) => {
    const before = await database.transaction(async (tx) => {
      await lockRings(tx);
      const stored = await requireRule(tx, id);
      await removeRule(tx, id);
      return stored;
    });
    changed({ subject: `checkpoint rule ${before.name}`, before: toReply(before) });
    return {};
  });
}

function describeRule({ doneTime: _doneTime, isBlocked, ...rule }: StoredRule, now: number) {
  const problem = isBlocked
    ? `The checkpoint of ${dateOf(rule, findLastMoment(rule, now))} was not made: there are ${maxCheckpoints} checkpoints already. It is made when one is removed.`
    : null;
  return { ...rule, nextTime: findNextMoment(rule, now), problem };
}

const isSameSchedule = (a: Schedule, b: Schedule) =>
  (['week', 'weekday', 'hour', 'timeZone'] as const).every((name) => a[name] === b[name]);

async function requireRule(tx: Queryable, id: number): Promise<StoredRule> {
  const rule = await readRule(tx, id);
  if (rule === null) throw noSuchRule(id);
  return rule;
}

export const noSuchRule = (id: number) =>
  new AppError('no_such_rule', `The rule ${id} does not exist.`);

const nameTaken = (name: string) =>
  new AppError('name_taken', `Another rule is named '${name}'. Choose another name.`);

/** @throws AppError `rule_keeps_too_few` when the rule removes its checkpoints before a ring could move to them. */
export function requireReachable(
  rule: Pick<CheckpointRule, 'name' | 'week' | 'keep'>,
  afterDays: number,
): void {
  const longest = longestAfterDays(rule);
  if (afterDays > longest)
    throw new AppError(
      'rule_keeps_too_few',
      `${rule.name} keeps ${rule.keep} checkpoints, so that a ring can follow it after ${longest} days at most. Keep more, or follow earlier.`,
    );
}

/** Rules that make checkpoints by themselves, and that rings may follow. */
import { z } from 'zod';
import { IdParams, instant, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { BrowserZone, HourOfDay } from '../reports/alert-endpoints.ts';

const tag = 'Rings';
const users = { tag, access: 'standard', machines: 'none', scope: 'read' } as const;
const approvers = { tag, access: 'approver', scope: 'clients' } as const;

export const maxRules = 20;
export const minKeep = 2;
export const maxKeep = 50;
export const maxAfterDays = 90;
/** The name of a checkpoint has the date too. */
export const maxRuleName = 80;

/** In the order of ISO 8601. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** Each month has four of each weekday. */
export const maxWeek = 4;

const ruleShape = {
  name: plainLine(maxRuleName, `Size of Name must be at most ${maxRuleName}.`),
  week: z
    .number()
    .int()
    .min(1)
    .max(maxWeek)
    .nullable()
    .describe('2 with Tuesday: on the second Tuesday of each month. Null: each week'),
  weekday: z.enum(weekdays),
  hour: HourOfDay,
  timeZone: BrowserZone.describe('Of the weekday and the hour: an IANA name'),
  keep: z
    .number()
    .int()
    .min(minKeep)
    .max(maxKeep)
    .describe(
      'How many of its checkpoints are kept: the newest. When the rule makes one, older ones are removed unless a ring is on them',
    ),
};

export const CheckpointRule = z.object({
  id: z.number().int(),
  ...ruleShape,
  name: z.string(),
  timeZone: z.string(),
  nextTime: instant.describe('When it makes the next checkpoint'),
  problem: z.string().nullable().describe('Why a checkpoint that is due was not made'),
});
export type CheckpointRule = z.infer<typeof CheckpointRule>;

/**
 * Returns the longest time after which a ring can follow the rule. A checkpoint is removed when it is as old as `keep` weeks or months, of
 * 28 days at least, so that no checkpoint would ever be older.
 */
export const longestAfterDays = ({ week, keep }: Pick<CheckpointRule, 'week' | 'keep'>): number =>
  Math.min(maxAfterDays, keep * (week === null ? 7 : 28) - 1);

export const checkpointRulesEndpoint = defineEndpoint({
  ...users,
  name: 'checkpoint_rules',
  summary: 'All rules that make checkpoints, by name',
  method: 'GET',
  path: '/checkpoints/rules',
  reply: z.object({ objList: z.array(CheckpointRule), totalCount: z.number().int() }),
});

export const createCheckpointRuleEndpoint = defineEndpoint({
  ...approvers,
  name: 'create_checkpoint_rule',
  summary: 'Create a rule that makes checkpoints by itself, named by the rule and the date',
  method: 'POST',
  path: '/checkpoints/rules',
  body: z.strictObject(ruleShape),
  reply: CheckpointRule,
  status: 201,
});

export const changeCheckpointRuleEndpoint = defineEndpoint({
  ...approvers,
  name: 'change_checkpoint_rule',
  summary: 'Change a rule; omitted fields stay, and a new time counts from now on',
  method: 'PUT',
  path: '/checkpoints/rules/{id}',
  params: IdParams,
  body: z.strictObject(ruleShape).partial(),
  reply: CheckpointRule,
});

export const removeCheckpointRuleEndpoint = defineEndpoint({
  ...approvers,
  name: 'remove_checkpoint_rule',
  summary: 'Remove a rule; its checkpoints stay, and rings that follow it are moved by hand',
  method: 'DELETE',
  path: '/checkpoints/rules/{id}',
  params: IdParams,
  reply: z.object({}),
});

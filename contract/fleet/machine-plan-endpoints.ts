/** Plans: the fewest updates that close what machines miss, grouped by what is run, and how far they are installed. */
import { z } from 'zod';
import { IdParams, instant, integerText, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { MissingRecord } from './assessment-endpoint.ts';
import { DueDate } from './machine-endpoints.ts';
import { MachineCriteria } from './machine-group-endpoints.ts';

const tag = 'Machines';
const users = { tag, access: 'standard', scope: 'read' } as const;
const operators = { tag, access: 'operator', scope: 'clients' } as const;

export const maxPlans = 200;
export const maxPlanMachines = 5000;
export const maxPlanRecords = 500;
/** The states of each plan are read from its machines. */
export const maxPlansOfPage = 25;

/** Records that a plan closes: known exploited records, overdue ones, also critical and important ones, all, or chosen ones. */
export const planChoices = ['exploited', 'overdue', 'serious', 'all', 'records'] as const;
export type PlanChoice = (typeof planChoices)[number];

export const NewPlan = z
  .strictObject({
    name: plainLine(100, 'Size of Name must be less than 100.'),
    criteria: MachineCriteria,
    choice: z
      .enum(planChoices)
      .describe(
        'What is closed: `exploited` known exploited records; `overdue` records whose due date is over by the policies of the groups of the machines; `serious` exploited, critical and important ones; `all`; `records` the ones in records',
      ),
    records: z
      .array(plainLine(255))
      .min(1)
      .max(maxPlanRecords)
      .optional()
      .describe('As the criterion misses: CVEs, KBs, advisories, or records as list/number'),
  })
  .refine(
    ({ choice, records }) => (choice === 'records') === (records !== undefined),
    'must have records with the choice records, and only with it',
  );
export type NewPlan = z.infer<typeof NewPlan>;

/**
 * `open` misses an update of the task. `scheduled` is open with a window that has not ended. `waiting`: the window is over, and the machine
 * has not reported since. `failed`: it has, and still misses one. `moved` has another release than the task is for. `done` reported since
 * the plan was made and misses none. `notNeeded`: an update is accepted, or none is missing any more without a report since, because the vendor withdrew it. `unknown`: the machine is gone,
 * cannot be judged, or its last report does not show whether an update is installed.
 */
export const taskStates = [
  'open',
  'scheduled',
  'waiting',
  'failed',
  'moved',
  'done',
  'notNeeded',
  'unknown',
] as const;
export type TaskState = (typeof taskStates)[number];

const stateCounts = z
  .object(
    Object.fromEntries(taskStates.map((state) => [state, z.number().int()])) as Record<
      TaskState,
      z.ZodNumber
    >,
  )
  .describe('Machines by the state of the task on them');

export const PlanUpdate = MissingRecord.pick({
  list: true,
  recordId: true,
  identifier: true,
  title: true,
  severity: true,
  exploited: true,
}).extend({
  restart: z.string().nullable(),
  closes: z
    .array(z.string())
    .describe('Identifiers of other missing records of the plan that it closes'),
  knownIssues: z.number().int().nullable().describe('Of a KB; null: none stated'),
  due: DueDate.nullable().describe(
    'The earliest due date of what it closes, on machines that still miss it; null: nothing is missing any more',
  ),
});
export type PlanUpdate = z.infer<typeof PlanUpdate>;

export const PlanWindow = z
  .strictObject({ from: instant, until: instant })
  .refine(({ from, until }) => from < until, 'must end after it begins');
export type PlanWindow = z.infer<typeof PlanWindow>;

export const PlanTask = z.object({
  position: z.number().int(),
  system: z.string().describe('The release of all machines of the task: AlmaLinux 9'),
  manager: z
    .enum(['dnf', 'yum', 'zypper', 'apt', 'windowsUpdate', 'winget', 'softwareupdate'])
    .nullable()
    .describe('Null: no program that installs it is known'),
  command: z
    .string()
    .nullable()
    .describe('For a root shell, or an elevated PowerShell; null without one'),
  restart: z.string().nullable().describe('The restart that one of the updates asks for'),
  updates: z.array(PlanUpdate),
  window: z.object({ from: instant, until: instant }).nullable(),
  states: stateCounts,
  machines: z.array(
    z.object({
      id: z.number().int(),
      state: z.enum(taskStates),
      movedTo: z.string().optional().describe('With the state moved: the release of the machine'),
    }),
  ),
});
export type PlanTask = z.infer<typeof PlanTask>;

export const PlanSummary = z.object({
  id: z.number().int(),
  name: z.string(),
  criteria: z.string().describe('As written in the address of the list of machines'),
  choice: z.enum(planChoices),
  records: z.array(z.string()).describe('With the choice records: what they were named'),
  createdAt: instant,
  createdBy: z.string(),
  machines: z.number().int().describe('Machines that met the criteria when the plan was made'),
  unjudged: z.number().int().describe('Those of them of which nothing was known'),
  unclosed: z.number().int().describe('Records of the choice that no known update closes'),
  mayMiss: z
    .number()
    .int()
    .describe(
      'Machines with nothing to install that may miss records of the choice, or need a subscription for them',
    ),
  leftOut: z
    .number()
    .int()
    .describe('Records of the choice that rings of the machines do not have'),
  tasks: z.number().int(),
  states: stateCounts.describe('Machines with tasks, by the task that is least done'),
});
export type PlanSummary = z.infer<typeof PlanSummary>;

const NamedMachine = z.object({ id: z.number().int(), name: z.string() });

const CountedRecord = PlanUpdate.pick({ list: true, recordId: true, identifier: true }).extend({
  machines: z.number().int(),
});

export const Plan = PlanSummary.omit({ tasks: true }).extend({
  tasks: z.array(PlanTask),
  names: z.array(NamedMachine).describe('Of the machines of the tasks'),
  sameNames: z
    .array(NamedMachine.extend({ key: z.string().nullable() }))
    .describe(
      'Machines of the tasks whose name another machine of the plan or of the same client has, each with the key that patch-report makes of the identifier of the machine. Null: a key of another form, so that no script can tell which machine it is',
    ),
  nothingToDo: z.number().int().describe('Machines that missed nothing of the choice, certainly'),
  notJudged: z
    .array(NamedMachine)
    .describe('Machines that are not judged: nothing is known of them'),
  beingJudged: z.array(NamedMachine).describe('Machines that were not judged yet'),
  notClosed: z
    .array(CountedRecord)
    .describe('Records of the choice that no known update closes, each with its machines'),
  heldBack: z
    .array(CountedRecord)
    .describe(
      'Records of the choice that the plan leaves out on machines whose rings do not have them, or decline them, each with these machines',
    ),
});
export type Plan = z.infer<typeof Plan>;

export const plansEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'machine_plans',
  summary: `Plans with how far they are, the newest first, at most ${maxPlansOfPage} in a page`,
  method: 'GET',
  path: '/machines/plans',
  query: z.strictObject({
    offset: integerText.default(0),
    size: integerText.pipe(z.number().min(1).max(maxPlansOfPage)).default(10),
  }),
  reply: z.object({ objList: z.array(PlanSummary), totalCount: z.number().int() }),
});

export const createPlanEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'create_machine_plan',
  summary: `Plan the fewest updates that close what machines miss, at most ${maxPlanMachines}; nothing is executed`,
  method: 'POST',
  path: '/machines/plans',
  body: NewPlan,
  reply: Plan,
  status: 201,
});

export const planEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'machine_plan',
  summary: 'A plan with the state of each task on each machine, as the reports since then show it',
  method: 'GET',
  path: '/machines/plans/{id}',
  params: IdParams,
  reply: Plan,
});

export const schedulePlanTaskEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'schedule_plan_task',
  summary: 'Schedule a task of a plan for a window, or take the window back with null',
  method: 'PUT',
  path: '/machines/plans/{id}/tasks/{position}',
  params: z.object({ id: integerText, position: integerText }),
  body: z.strictObject({ window: PlanWindow.nullable() }),
  reply: Plan,
});

export const removePlanEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'remove_machine_plan',
  summary: 'Remove a plan',
  method: 'DELETE',
  path: '/machines/plans/{id}',
  params: IdParams,
  reply: z.object({}),
});

export const planFiles = ['playbook.yml', 'plan.sh', 'plan.ps1', 'plan.csv', 'plan.json'] as const;
export type PlanFile = (typeof planFiles)[number];

export const planFileEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'plan_file',
  summary:
    'A plan as a file: an Ansible playbook, a shell script or a PowerShell script without the machines of which a task is done, or the whole plan with its states as CSV or JSON',
  method: 'GET',
  path: '/machines/plans/{id}/files/{file}',
  params: z.object({ id: integerText, file: z.enum(planFiles) }),
  reply: z.string(),
  streams: 'file',
});

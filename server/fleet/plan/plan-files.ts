/** Writes plans as files. */
import type { Plan, PlanFile } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { csvLines } from '../../platform/file-export/csv-lines.ts';
import { playbookOfPlan } from './plan-playbook.ts';
import { powershellOfPlan } from './plan-powershell.ts';
import { shellOfPlan } from './plan-shell.ts';

interface FileForm {
  /** Media type. */
  readonly type: string;
  readonly write: (plan: Plan) => string;
}

export const planFileForms: Readonly<Record<PlanFile, FileForm>> = {
  'playbook.yml': { type: 'application/yaml', write: playbookOfPlan },
  'plan.sh': { type: 'text/x-shellscript; charset=utf-8', write: shellOfPlan },
  'plan.ps1': { type: 'text/plain; charset=utf-8', write: powershellOfPlan },
  'plan.csv': { type: 'text/csv; charset=utf-8', write: csvOfPlan },
  'plan.json': { type: 'application/json', write: (plan) => `${JSON.stringify(plan, null, 2)}\n` },
};

const time = (value: number | undefined) =>
  value === undefined ? '' : new Date(value).toISOString();

/** Returns the earliest date as 2027-03-28; empty without any. */
function earliestDay(dates: readonly (number | null)[]): string {
  const [first] = dates.filter((date) => date !== null).toSorted((a, b) => a - b);
  return first === undefined ? '' : new Date(first).toISOString().slice(0, 10);
}

/** A line for each task on each machine. */
function csvOfPlan({ tasks, names }: Plan): string {
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const head = [
    'task',
    'system',
    'machine',
    'state',
    'updates',
    'command',
    'restart',
    'from',
    'until',
    'due',
  ];
  const lines = tasks.flatMap((task) =>
    task.machines.map(({ id, state }) => [
      task.position + 1,
      task.system,
      nameOf.get(id) ?? `#${id}`,
      state,
      task.updates.map(({ identifier, title }) => identifier ?? title ?? '').join(' '),
      task.command ?? '',
      task.restart ?? '',
      time(task.window?.from),
      time(task.window?.until),
      state === 'done' ? '' : earliestDay(task.updates.map(({ due }) => due?.dueDate ?? null)),
    ]),
  );
  return csvLines([head, ...lines]);
}

/** Compares the plan of all machines with what each machine's own assessment installs. */
import { expect } from 'vitest';
import type { Findings } from '../../machines/machine-findings.ts';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { makePlan } from '../plan/make-plan.ts';

const words = (commands: readonly (string | null)[]) =>
  commands.flatMap((command) => command?.split(/\s+/) ?? []).toSorted();

/** @param assessed The findings of each machine, by its id. */
export async function expectPlans(
  database: Database,
  now: number,
  assessed: ReadonlyMap<number, Pick<Findings, 'install' | 'commandFor'>>,
): Promise<void> {
  const work = { database, now, signal: new AbortController().signal };
  const ids = [...assessed.keys()];
  const { tasks, plan } = await makePlan(work, ids, 'all');
  expect(plan.machines).toBe(ids.length);
  const planned = tasks.flatMap(({ updates, machines }) =>
    updates.flatMap(({ list, recordId }) =>
      machines.map((id) => `${id} ${toRecordKey(list, recordId)}`),
    ),
  );
  const installed = [...assessed].flatMap(([id, { install }]) =>
    install.map(({ key }) => `${id} ${key}`),
  );
  expect(planned.toSorted()).toEqual(installed.toSorted());
  for (const [id, { install }] of assessed) {
    const alone = await makePlan(work, [id], 'all');
    const own = alone.tasks.filter(({ manager }) => manager !== 'windowsUpdate');
    expect(own.flatMap(({ machines }) => machines)).toEqual(own.map(() => id));
    const named = new Set(words(install.map(({ command }) => command)));
    expect(new Set(words(own.map(({ command }) => command)))).toEqual(named);
  }
}

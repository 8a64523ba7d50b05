/** Makes a plan: the steps of all machines as tasks, and what is left unplanned. */
import type { Plan } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { readHeldBack } from '../../machines/held-back-store.ts';
import { readShownRecords, toRecordKey } from '../../machines/machine-records-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import type { Closed } from './chosen-records.ts';
import { MachineReader, type PlanWork } from './machine-reader.ts';
import { findMachineSteps } from './machine-steps.ts';
import { CollectedSteps, describeTasks, type TaskToStore } from './plan-tasks.ts';
import { readReferences } from './planned-machine-store.ts';

interface MadePlan {
  readonly tasks: readonly TaskToStore[];
  readonly plan: Pick<
    Plan,
    'machines' | 'nothingToDo' | 'mayMiss' | 'notJudged' | 'beingJudged' | 'notClosed' | 'heldBack'
  >;
}

/** @param reader Is left with what the parts of the machines miss. */
export async function makePlan(
  work: PlanWork,
  ids: readonly number[],
  closed: Closed,
  reader = new MachineReader(work),
): Promise<MadePlan> {
  const collected = new CollectedSteps();
  const notClosed = new Map<number, number>();
  const leftOut = new Map<number, number>();
  const heldBack = await readHeldBack(work.database, [...new Set(ids.map(clientOfMachine))]);
  const plan = { machines: 0, nothingToDo: 0, mayMiss: 0, notJudged: [], beingJudged: [] } as Pick<
    Plan,
    'machines' | 'nothingToDo' | 'mayMiss' | 'notJudged' | 'beingJudged'
  >;
  for await (const found of findMachineSteps(work, ids, closed, { reader, heldBack })) {
    const { machine, steps } = found;
    plan.machines += 1;
    const named = { id: machine.id, name: machine.name };
    // Applications are judged also on machines whose release the catalogue does not have.
    if (!machine.isCounted) plan.beingJudged.push(named);
    else if (machine.notJudged) plan.notJudged.push(named);
    else if (steps.length + found.notClosed.length + found.heldBack.length === 0)
      plan[found.mayMiss ? 'mayMiss' : 'nothingToDo'] += 1;
    collected.add(found);
    for (const id of found.notClosed) notClosed.set(id, (notClosed.get(id) ?? 0) + 1);
    for (const id of found.heldBack) leftOut.set(id, (leftOut.get(id) ?? 0) + 1);
  }
  const [tasks, unclosed, held] = await Promise.all([
    describeTasks(work.database, collected, work.signal),
    describeCounted(work.database, notClosed),
    describeCounted(work.database, leftOut),
  ]);
  return { tasks, plan: { ...plan, notClosed: unclosed, heldBack: held } };
}

/** Returns the records with their machines, those on most machines first. */
async function describeCounted(
  database: Database,
  machines: ReadonlyMap<number, number>,
): Promise<Plan['notClosed']> {
  const references = await readReferences(database, [...machines.keys()]);
  const shown = await readShownRecords(database, [...references.values()]);
  return [...machines]
    .toSorted(([, a], [, b]) => b - a)
    .flatMap(([id, count]) => {
      const reference = references.get(id);
      const row =
        reference === undefined
          ? undefined
          : shown.get(toRecordKey(reference.list, reference.recordId));
      if (row === undefined) return [];
      const { list, recordId, identifier } = row;
      return [{ list, recordId, identifier, machines: count }];
    });
}

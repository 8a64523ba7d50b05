/** Concludes until when the updates of a plan are due: by what they close on the machines on which it is still missing. */
import { setImmediate as others } from 'node:timers/promises';
import { concludeDueDate, type PolicyOfGroup } from '@patch/catalogue/fleet/due-date.ts';
import type { DueDate } from '@patch/contract/machine-endpoints.ts';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import { readDatedMissing } from '../due/due-record-store.ts';
import type { MachinePolicies } from '../due/machine-policies.ts';
import { readActiveExceptions } from '../judgement/missing-exception-store.ts';
import { readPartsMissing } from '../judgement/part-missing-store.ts';
import type { PlanWork } from './machine-steps.ts';
import type { StoredTask } from './plan-store.ts';
import {
  readIdsByIdentifier,
  readMissingIds,
  readPlannedMachines,
} from './planned-machine-store.ts';

type DatedTask = Pick<StoredTask, 'updates' | 'machines'>;
type DueDates = (DueDate | null)[];

/** Machines between which other requests run. */
const machinesInTurn = 50;

/** Returns by task the earliest due date of each of its updates; null where nothing that it closes is missing any more. */
export async function readPlanDueDates(
  { database, signal, now }: PlanWork,
  tasks: readonly DatedTask[],
  policies: MachinePolicies,
): Promise<readonly (readonly (DueDate | null)[])[]> {
  const dueDates = tasks.map(({ updates }): DueDates => updates.map(() => null));
  const closers = await findClosers({ database }, tasks);
  const ids = [...new Set(closers.flatMap((own) => [...own.keys()]))];
  const dated = await readDatedMissing(database, ids);
  const missing = await readPartsMissing(database, ids);
  const exceptions = await readActiveExceptions(database, now);
  const conclude = (id: number, list: readonly PolicyOfGroup[]): DueDate | null => {
    const record = dated.get(id);
    return record === undefined ? null : concludeDueDate(record, list, now);
  };
  const tasksOf = Map.groupBy(
    tasks.flatMap(({ machines }, at) => machines.map((id) => ({ id, at }))),
    ({ id }) => id,
  );
  // By policies and task, what no machine so far was found to miss: most machines miss what others do, and are passed over.
  const open = new Map<readonly PolicyOfGroup[], readonly Set<number>[]>();
  for await (const machines of readPlannedMachines(database, [...tasksOf.keys()])) {
    signal.throwIfAborted();
    for (const [turn, { id, clientId, parts }] of machines.entries()) {
      if (turn % machinesInTurn === 0) await others();
      const list = policies.of(id);
      const ofTasks = open.get(list) ?? closers.map((own) => new Set(own.keys()));
      open.set(list, ofTasks);
      const left = (tasksOf.get(id) ?? []).filter(({ at }) => (ofTasks[at]?.size ?? 0) > 0);
      if (left.length === 0) continue;
      const missed = new Set(parts.flatMap((part) => missing.get(part) ?? []));
      for (const { at } of left)
        for (const missingId of ofTasks[at] ?? []) {
          if (!missed.has(missingId) || exceptions.covers(clientId, id, missingId)) continue;
          ofTasks[at]?.delete(missingId);
          const due = conclude(missingId, list);
          for (const update of closers[at]?.get(missingId) ?? [])
            keepEarliest(dueDates[at] ?? [], update, due);
        }
    }
  }
  return dueDates;
}

/** Returns by task which of its updates, by their indexes, close a missing record. */
async function findClosers(
  { database }: Pick<PlanWork, 'database'>,
  tasks: readonly DatedTask[],
): Promise<readonly ReadonlyMap<number, readonly number[]>[]> {
  const updates = tasks.flatMap((task) => task.updates);
  const own = await readMissingIds(database, updates);
  const named = await readIdsByIdentifier(
    database,
    updates.flatMap(({ closes }) => closes),
  );
  return tasks.map((task) => {
    const closers = new Map<number, number[]>();
    for (const [index, { list, recordId, closes }] of task.updates.entries()) {
      const ids = closes.flatMap((identifier) => named.get(`${list} ${identifier}`) ?? []);
      const itself = own.get(toRecordKey(list, recordId));
      for (const id of new Set(itself === undefined ? ids : [itself, ...ids]))
        closers.set(id, [...(closers.get(id) ?? []), index]);
    }
    return closers;
  });
}

/** A date counts before none, whose reason is shown only where no date is known. */
function keepEarliest(dueDates: DueDates, index: number, due: DueDate | null): void {
  const before = dueDates[index] ?? null;
  const isEarlier = (due?.dueDate ?? Infinity) < (before?.dueDate ?? Infinity);
  if (before === null || isEarlier) dueDates[index] = due;
}

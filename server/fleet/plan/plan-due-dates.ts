/** Concludes until when the updates of a plan are due: by what they close on the machines on which it is still missing. */
import {
  concludeDueDate,
  type DatedRecord,
  type PolicyOfGroup,
} from '@patch/catalogue/fleet/due-date.ts';
import type { DueDate } from '@patch/contract/fleet/machine-endpoints.ts';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import { readDatedMissing } from '../due/due-record-store.ts';
import type { MachinePolicies } from '../due/machine-policies.ts';
import type { ActiveExceptions } from '../judgement/missing-exception-store.ts';
import type { MachineReader, PlanWork } from './machine-reader.ts';
import type { TasksOfMachines } from './plan-states.ts';
import type { StoredTask } from './plan-store.ts';
import { type PlannedMachine, readIdsByIdentifier } from './planned-machine-store.ts';

type DatedTask = Pick<StoredTask, 'updates'>;

interface DueOptions extends Pick<MachineReader, 'missing'> {
  readonly ofMachine: TasksOfMachines;
  /** Of the updates of the tasks, by their keys. */
  readonly missingIds: ReadonlyMap<string, number>;
  readonly policies: MachinePolicies;
  readonly exceptions: ActiveExceptions;
  readonly now: number;
}

export class PlanDueDates {
  /** By task the earliest due date of each of its updates; null where nothing that it closes is missing any more. */
  readonly dueDates: readonly (DueDate | null)[][];
  readonly #closers: readonly Closers[];
  readonly #dated: ReadonlyMap<number, DatedRecord>;
  readonly #options: DueOptions;
  readonly #open = new Map<string, OpenRecords>();
  readonly #numbers = new Map<readonly PolicyOfGroup[], number>();
  readonly #known = new Map<readonly PolicyOfGroup[], Map<number, DueDate | null>>();

  static async read(
    { database }: Pick<PlanWork, 'database'>,
    tasks: readonly DatedTask[],
    options: DueOptions,
  ): Promise<PlanDueDates> {
    const closers = await findClosers({ database }, tasks, options.missingIds);
    const ids = new Set(closers.flatMap((own) => [...own.keys()]));
    return new PlanDueDates(tasks, closers, await readDatedMissing(database, [...ids]), options);
  }

  private constructor(
    tasks: readonly DatedTask[],
    closers: readonly Closers[],
    dated: ReadonlyMap<number, DatedRecord>,
    options: DueOptions,
  ) {
    this.dueDates = tasks.map(({ updates }) => updates.map(() => null));
    this.#closers = closers;
    this.#dated = dated;
    this.#options = options;
  }

  add({ id, clientId, parts }: PlannedMachine): void {
    const { ofMachine, policies, exceptions, missing } = this.#options;
    const list = policies.of(id);
    const open = this.#openUnder(list, ofMachine.get(id) ?? []);
    if (open.records.size === 0) return;
    for (const part of parts) {
      if (open.parts.has(part)) continue;
      let isWhole = true;
      for (const missingId of missing.get(part) ?? []) {
        const tasks = open.records.get(missingId);
        if (tasks === undefined) continue;
        if (exceptions.covers(clientId, id, missingId)) {
          isWhole = false;
          continue;
        }
        open.records.delete(missingId);
        this.#keep(missingId, tasks, list);
      }
      if (isWhole) open.parts.add(part);
    }
  }

  /** Most machines miss what others with the same policies and tasks do, and are passed over. */
  #openUnder(list: readonly PolicyOfGroup[], tasks: readonly number[]): OpenRecords {
    const number = this.#numbers.get(list) ?? this.#numbers.size;
    this.#numbers.set(list, number);
    const key = `${number} ${tasks.join()}`;
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const records = new Map<number, number[]>();
    for (const task of tasks)
      for (const missingId of this.#closers[task]?.keys() ?? []) {
        const own = records.get(missingId) ?? [];
        records.set(missingId, own);
        own.push(task);
      }
    const open = { records, parts: new Set<number>() };
    this.#open.set(key, open);
    return open;
  }

  #keep(missingId: number, tasks: readonly number[], list: readonly PolicyOfGroup[]): void {
    const due = this.#dueOf(missingId, list);
    if (due === null) return;
    for (const task of tasks)
      for (const update of this.#closers[task]?.get(missingId) ?? [])
        keepEarliest(this.dueDates[task] ?? [], update, due);
  }

  #dueOf(missingId: number, list: readonly PolicyOfGroup[]): DueDate | null {
    const known = this.#known.get(list) ?? new Map<number, DueDate | null>();
    this.#known.set(list, known);
    const before = known.get(missingId);
    if (before !== undefined) return before;
    const record = this.#dated.get(missingId);
    const due = record === undefined ? null : concludeDueDate(record, list, this.#options.now);
    known.set(missingId, due);
    return due;
  }
}

/** By missing record: the updates of a task, by their indexes, that close it. */
type Closers = ReadonlyMap<number, readonly number[]>;

/** Records of the same tasks that no machine so far was found to miss, and the parts that were looked at. */
interface OpenRecords {
  readonly records: Map<number, readonly number[]>;
  readonly parts: Set<number>;
}

/** Returns by task which of its updates, by their indexes, close a missing record. */
async function findClosers(
  { database }: Pick<PlanWork, 'database'>,
  tasks: readonly DatedTask[],
  missingIds: ReadonlyMap<string, number>,
): Promise<readonly Closers[]> {
  const updates = tasks.flatMap((task) => task.updates);
  const named = await readIdsByIdentifier(
    database,
    updates.flatMap(({ closes }) => closes),
  );
  return tasks.map((task) => {
    const closers = new Map<number, number[]>();
    for (const [index, { list, recordId, closes }] of task.updates.entries()) {
      const ids = closes.flatMap((identifier) => named.get(`${list} ${identifier}`) ?? []);
      const itself = missingIds.get(toRecordKey(list, recordId));
      for (const id of new Set(itself === undefined ? ids : [itself, ...ids]))
        closers.set(id, [...(closers.get(id) ?? []), index]);
    }
    return closers;
  });
}

/** A date counts before none, whose reason is shown only where no date is known. */
function keepEarliest(dueDates: (DueDate | null)[], index: number, due: DueDate): void {
  const before = dueDates[index] ?? null;
  const isEarlier = (due.dueDate ?? Infinity) < (before?.dueDate ?? Infinity);
  if (before === null || isEarlier) dueDates[index] = due;
}

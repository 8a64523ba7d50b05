/** Groups the steps of machines to tasks: what the same command installs on the same machines of one release. */
import { getList } from '@patch/catalogue/lists.ts';
import {
  installsPackages,
  macCommand,
  packageCommand,
  packageManager,
  wingetCommand,
} from '@patch/catalogue/machines/install/install-command.ts';
import { machineOfRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { macName, majorMac } from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import {
  applicationRelease,
  macRelease,
} from '@patch/catalogue/machines/judgement/update-record.ts';
import { readUpdateFacts } from '@patch/catalogue/records/update-facts.ts';
import type { PlanTask, PlanUpdate } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import {
  type RecordOfList,
  readInstallableRecords,
  readRecords,
  readShownRecords,
  toRecordKey,
} from '../../machines/machine-records-store.ts';
import type { Database } from '../../platform/database/database.ts';
import type { MachineStep, MachineSteps } from './machine-steps.ts';
import { type ReferencedRecord, readReferences } from './planned-machine-store.ts';

type StoredUpdate = Omit<PlanUpdate, 'due'>;

/** A task as it is stored. */
export interface TaskToStore extends Pick<PlanTask, 'system' | 'manager' | 'command' | 'restart'> {
  readonly updates: StoredUpdate[];
  /** Ids, ascending. */
  readonly machines: readonly number[];
}

/** The same step with the same packages, and the machines that take it. */
interface CollectedStep {
  readonly step: MachineStep;
  readonly machines: number[];
  /** Chosen records that it closes on any of the machines. */
  readonly closes: Set<number>;
}

/** Returns the steps of all machines, each once. Adding a machine takes no time of other requests. */
export class CollectedSteps {
  readonly #steps = new Map<string, CollectedStep>();
  /** Machines with equal parts share the objects of their steps. */
  readonly #known = new Map<MachineStep, CollectedStep>();
  /** By scope: whether its commands list packages, so that machines with other packages have another command. */
  readonly #listsPackages = new Map<string, boolean>();

  #words({ kind, scope, packages }: MachineStep): string {
    if (kind !== 'packages') return '';
    const machine = machineOfRelease(scope);
    const lists = this.#listsPackages.get(scope) ?? (machine !== null && installsPackages(machine));
    this.#listsPackages.set(scope, lists);
    return lists ? packages.map(({ name, version }) => `${name}=${version ?? ''}`).join() : '';
  }

  add({ machine, steps }: MachineSteps): void {
    for (const step of steps) {
      const known = this.#known.get(step) ?? this.#collect(step);
      known.machines.push(machine.id);
    }
  }

  #collect(step: MachineStep): CollectedStep {
    const key = `${step.stepId} ${step.kind} ${step.scope} ${this.#words(step)}`;
    const known = this.#steps.get(key) ?? { step, machines: [], closes: new Set<number>() };
    this.#steps.set(key, known);
    this.#known.set(step, known);
    for (const id of step.closes) known.closes.add(id);
    return known;
  }

  /** Returns groups of steps of one release that the same machines take: one task each. */
  group(): readonly (readonly CollectedStep[])[] {
    const groups = Map.groupBy(
      this.#steps.values(),
      ({ step, machines }) => `${step.kind}\n${step.scope}\n${machines.join()}`,
    );
    return [...groups.values()];
  }
}

/**
 * Describes the tasks: first those with exploited records, then those on most machines.
 * @throws DatabaseError
 */
export async function describeTasks(
  database: Database,
  collected: CollectedSteps,
  signal: AbortSignal,
): Promise<readonly TaskToStore[]> {
  const groups = collected.group();
  const all = groups.flat();
  const ids = new Set(all.flatMap(({ step, closes }) => [step.stepId, ...closes]));
  const records = await readPlannedRecords(database, [...ids], all, signal);
  return groups
    .map((group) => describeTask(group, records))
    .toSorted(
      (a, b) =>
        Number(isExploited(b)) - Number(isExploited(a)) ||
        b.machines.length - a.machines.length ||
        (a.system < b.system ? -1 : Number(a.system > b.system)),
    );
}

const isExploited = ({ updates }: TaskToStore) =>
  updates.some(({ exploited }) => exploited === true);

interface PlannedRecords {
  readonly references: ReadonlyMap<number, ReferencedRecord>;
  readonly shown: Awaited<ReturnType<typeof readShownRecords>>;
  readonly installable: Awaited<ReturnType<typeof readInstallableRecords>>;
  /** Records of steps that are no packages, by key. */
  readonly contents: ReadonlyMap<string, RecordOfList>;
}

async function readPlannedRecords(
  database: Database,
  ids: readonly number[],
  steps: readonly CollectedStep[],
  signal: AbortSignal,
): Promise<PlannedRecords> {
  const references = await readReferences(database, ids);
  const shown = await readShownRecords(database, [...references.values()]);
  const ofKind = (isOfPackages: boolean) =>
    steps.flatMap(({ step }) =>
      (step.kind === 'packages') === isOfPackages ? (references.get(step.stepId) ?? []) : [],
    );
  const contents = new Map<string, RecordOfList>();
  for (const [list, own] of Map.groupBy(ofKind(false), (one) => one.list)) {
    const recordIds = [...new Set(own.map(({ recordId }) => recordId))];
    for (const record of await readRecords(database, getList(list as never), recordIds, signal))
      contents.set(record.key, record);
  }
  const installable = await readInstallableRecords(database, ofKind(true));
  return { references, shown, installable, contents };
}

function describeTask(group: readonly CollectedStep[], records: PlannedRecords): TaskToStore {
  const [first] = group;
  if (first === undefined) throw new Error('A task has a step');
  const updates = group.flatMap((one) => describeUpdate(one, records) ?? []);
  const restarts = updates.flatMap(({ restart }) => restart ?? []);
  return {
    system: describeSystem(first.step, records),
    ...commandOf(group, records),
    restart: restarts.find((words) => /required|reboot/i.test(words)) ?? restarts[0] ?? null,
    updates,
    machines: first.machines,
  };
}

const keyOf = (id: number, { references }: Pick<PlannedRecords, 'references'>): string => {
  const reference = references.get(id);
  return reference === undefined ? '' : toRecordKey(reference.list, reference.recordId);
};

/** Returns null for a record that was removed meanwhile. */
function describeUpdate(
  { step, closes }: CollectedStep,
  records: PlannedRecords,
): StoredUpdate | null {
  const key = keyOf(step.stepId, records);
  const row = records.shown.get(key);
  if (row === undefined) return null;
  const { list, recordId, identifier, title, severity, exploited } = row;
  const content = records.contents.get(key)?.content;
  const facts =
    content === undefined ? null : readUpdateFacts(getList(list as never), content.detail);
  const others = [...closes].filter((id) => id !== step.stepId);
  return {
    list,
    recordId,
    identifier,
    title,
    severity,
    exploited,
    restart:
      records.installable.get(key)?.restart ??
      (step.kind === 'macos' ? 'Reboot' : wordOf(content, 'restartBehaviour')) ??
      facts?.restart ??
      null,
    closes: [
      ...new Set(others.flatMap((id) => records.shown.get(keyOf(id, records))?.identifier ?? [])),
    ].toSorted(),
    knownIssues: facts?.knownIssues ?? null,
  };
}

const wordOf = (content: RecordOfList['content'] | undefined, field: string): string | null => {
  const value = content?.row[field];
  return typeof value === 'string' && value !== '' ? value : null;
};

function describeSystem({ kind, scope, stepId }: MachineStep, records: PlannedRecords): string {
  const content = records.contents.get(keyOf(stepId, records))?.content;
  switch (kind) {
    case 'packages':
      return scope;
    case 'windows':
      return wordOf(content, 'productName') ?? scope;
    case 'macos':
      return majorMac(wordOf(content, 'version') ?? '') ?? macName;
    case 'applications':
      return 'Applications';
  }
}

function commandOf(
  group: readonly CollectedStep[],
  records: PlannedRecords,
): Pick<PlanTask, 'manager' | 'command'> {
  const [first] = group;
  const contents = group.flatMap(
    ({ step }) => records.contents.get(keyOf(step.stepId, records)) ?? [],
  );
  switch (first?.step.kind) {
    case 'packages': {
      const machine = machineOfRelease(first.step.scope);
      if (machine === null) return { manager: null, command: null };
      const steps = group.map(({ step }) => ({
        identifier: records.installable.get(keyOf(step.stepId, records))?.installedBy ?? '',
        packages: step.packages,
      }));
      return {
        manager: packageManager(machine),
        command: packageCommand(steps, machine)?.text ?? null,
      };
    }
    case 'macos': {
      const version =
        contents.map(({ key, content }) => macRelease({ key, ...content }).version)[0] ?? null;
      return {
        manager: 'softwareupdate',
        command: version === null ? null : (macCommand(version)?.text ?? null),
      };
    }
    case 'applications': {
      const commands = contents.map(({ key, content }) => {
        const { identifier, version } = applicationRelease({ key, ...content });
        return identifier === null || version === null ? null : wingetCommand(identifier, version);
      });
      const known = commands.flatMap((one) => one?.text ?? []);
      return { manager: 'winget', command: known.length < group.length ? null : known.join('\n') };
    }
    case 'windows':
      return { manager: 'windowsUpdate', command: null };
    case undefined:
      return { manager: null, command: null };
  }
}

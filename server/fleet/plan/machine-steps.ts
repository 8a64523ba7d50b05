/** Finds for each machine the steps that close what it misses: from the standing judgement, as one machine's page finds them. */
import { setImmediate as others } from 'node:timers/promises';
import type { PackageToInstall } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import type { Database } from '../../platform/database/database.ts';
import { findMissing, groupParts, type PartPlan, PartPlans } from '../counts/part-plans.ts';
import {
  type ActiveExceptions,
  readActiveExceptions,
} from '../judgement/missing-exception-store.ts';
import { type ChosenOn, type Closed, MissingOfParts } from './missing-of-parts.ts';
import { type PlannedMachine, readPlannedMachines } from './planned-machine-store.ts';

/** A step on one machine. Ids are of `missing_record`. */
export interface MachineStep extends Pick<PartPlan, 'kind' | 'scope'> {
  readonly stepId: number;
  /** The packages that it raises; of package managers only. */
  readonly packages: readonly PackageToInstall[];
  /** The chosen records that it closes on the machine. */
  readonly closes: readonly number[];
}

export interface MachineSteps {
  readonly machine: PlannedMachine;
  readonly steps: readonly MachineStep[];
  /** Chosen records that no step closes. */
  readonly notClosed: readonly number[];
}

export interface PlanWork {
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Machines between which other requests run. */
const machinesInTurn = 50;

/** Yields the machines that exist, in the order of their ids. Those that are not judged have no steps. */
export async function* findMachineSteps(
  work: PlanWork,
  ids: readonly number[],
  closed: Closed,
): AsyncGenerator<MachineSteps> {
  const { database, signal, now } = work;
  const exceptions = await readActiveExceptions(database, now);
  const plans = new PartPlans(work);
  const missing = new MissingOfParts(database);
  const steps: KnownSteps = new WeakMap();
  for await (const machines of readPlannedMachines(database, ids)) {
    signal.throwIfAborted();
    await missing.read(machines);
    const chosenOn = await missing.choose(closed, now);
    for (let from = 0; from < machines.length; from += machinesInTurn) {
      const some = machines.slice(from, from + machinesInTurn);
      yield* await stepsOf(some, { plans, chosenOn, exceptions, missing: missing.byPart, steps });
      await others();
    }
  }
}

/** By what is chosen on a machine, the steps of the plans so far: machines with equal parts have the same ones. */
type KnownSteps = WeakMap<ReadonlySet<number>, WeakMap<PartPlan, readonly MachineStep[]>>;

interface Known {
  readonly plans: PartPlans;
  readonly chosenOn: ChosenOn;
  readonly exceptions: ActiveExceptions;
  readonly missing: ReadonlyMap<number, readonly number[]>;
  readonly steps: KnownSteps;
}

async function stepsOf(
  machines: readonly PlannedMachine[],
  { plans, chosenOn, exceptions, missing, steps }: Known,
): Promise<readonly MachineSteps[]> {
  const found: MachineSteps[] = [];
  const ofMachines = machines.map((machine) => {
    const groups = groupParts(findMissing(machine, missing, exceptions));
    const chosen = chosenOn(machine.id);
    return {
      machine,
      chosen,
      groups: groups.filter((group) =>
        group.some((part) => part.missing.some((id) => chosen.has(id))),
      ),
    };
  });
  const read = await plans.read(ofMachines.flatMap(({ groups }) => groups));
  let at = 0;
  for (const { machine, chosen, groups } of ofMachines) {
    const own = read.slice(at, at + groups.length);
    at += groups.length;
    const knownSteps = steps.get(chosen) ?? new WeakMap<PartPlan, readonly MachineStep[]>();
    steps.set(chosen, knownSteps);
    const ownSteps = own.flatMap((plan) => {
      const known = knownSteps.get(plan) ?? stepsOfPlan(plan, chosen);
      knownSteps.set(plan, known);
      return known;
    });
    const notClosed = own.flatMap(({ closers }) =>
      [...closers].flatMap(([id, by]) => (by.length === 0 && chosen.has(id) ? [id] : [])),
    );
    found.push({ machine, steps: ownSteps, notClosed });
  }
  return found;
}

/** A step is taken only where it closes a chosen record. */
function stepsOfPlan(plan: PartPlan, chosen: ReadonlySet<number>): readonly MachineStep[] {
  const closes = new Map<number, number[]>();
  for (const [missingId, steps] of plan.closers) {
    if (!chosen.has(missingId)) continue;
    for (const step of steps) {
      const own = closes.get(step) ?? [];
      closes.set(step, own);
      own.push(missingId);
    }
  }
  return Array.from(closes, ([stepId, own]) => ({
    kind: plan.kind,
    scope: plan.scope,
    stepId,
    packages: plan.packages.get(stepId) ?? [],
    closes: own,
  }));
}

/** Finds for each machine the steps that close what it misses: from the standing judgement, as one machine's page finds them. */
import type { PackageToInstall } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { HeldBack } from '../../machines/held-back-store.ts';
import { type MissingOfPart, type PartGroup, PartGroups } from '../counts/part-groups.ts';
import { type PartPlan, PartPlans } from '../counts/part-plans.ts';
import { readActiveExceptions } from '../judgement/missing-exception-store.ts';
import { ChosenRecords, type Closed } from './chosen-records.ts';
import { inTurns, MachineReader, type PlanWork } from './machine-reader.ts';
import type { PlannedMachine } from './planned-machine-store.ts';

/** A step on one machine. Ids are of `missing_record`. */
export interface MachineStep extends Pick<PartPlan, 'kind' | 'scope'> {
  readonly stepId: number;
  /** The packages that it raises; of package managers only. */
  readonly packages: readonly PackageToInstall[];
  /** The chosen records that it closes on the machine. */
  readonly closes: readonly number[];
}

/** Machines with equal parts share these objects. */
interface PlannedSteps {
  readonly steps: readonly MachineStep[];
  /** Chosen records that no step closes. */
  readonly notClosed: readonly number[];
}

export interface MachineSteps extends PlannedSteps {
  readonly machine: PlannedMachine;
  /** Chosen records that the ring of the machine does not have. */
  readonly heldBack: readonly number[];
  /** Whether it may miss a chosen record, or needs a subscription for one. Only told of machines without steps. */
  readonly mayMiss: boolean;
}

/**
 * Yields the machines that exist, in the order of their ids. Those that are not judged have no steps.
 * @param reader Is left with what the parts of the machines miss.
 * @param heldBack What is not to be installed: neither to close itself nor to close others.
 */
export async function* findMachineSteps(
  work: PlanWork,
  ids: Iterable<number>,
  closed: Closed,
  { reader = new MachineReader(work), heldBack = new HeldBack() }: StepOptions = {},
): AsyncGenerator<MachineSteps> {
  const { database, now } = work;
  const exceptions = await readActiveExceptions(database, now);
  const chosen = new ChosenRecords(database, closed, now);
  const plans = new PartPlans(work);
  const parts = new PartGroups(reader.missing, exceptions);
  const known: KnownSteps = new Map();
  for await (const machines of reader.read(ids)) {
    await chosen.add(reader.missing);
    await chosen.add(reader.uncertain);
    const toPlan: MachineToPlan[] = [];
    const groups: PartGroup[] = [];
    for await (const turn of inTurns(machines))
      for (const machine of turn) {
        const wanted = chosen.on(machine.id);
        const { all, held } = splitHeldBack(machine, parts.find(machine), heldBack);
        const begin = groups.length;
        for (const group of parts.group(all)) if (hasAny(group, wanted)) groups.push(group);
        const own = [...held].filter((id) => wanted.has(id));
        const mayMiss =
          groups.length === begin &&
          machine.parts.some((part) =>
            reader.uncertain
              .get(part)
              ?.some(
                (id) => wanted.has(id) && !exceptions.covers(machine.clientId, machine.id, id),
              ),
          );
        toPlan.push({ machine, chosen: wanted, begin, end: groups.length, heldBack: own, mayMiss });
      }
    const read = await plans.read(groups);
    for await (const turn of inTurns(toPlan))
      for (const { machine, chosen: wanted, begin, end, heldBack: held, mayMiss } of turn)
        yield {
          machine,
          ...joinSteps(read.slice(begin, end), wanted, known),
          heldBack: held,
          mayMiss,
        };
  }
}

interface MachineToPlan {
  readonly machine: PlannedMachine;
  /** The records to close on it. */
  readonly chosen: ReadonlySet<number>;
  /** Of its groups of parts, among those of all machines. */
  readonly begin: number;
  readonly end: number;
  readonly heldBack: readonly number[];
  readonly mayMiss: boolean;
}

function hasAny(group: PartGroup, wanted: ReadonlySet<number>): boolean {
  for (const { missing } of group) for (const id of missing) if (wanted.has(id)) return true;
  return false;
}

interface StepOptions {
  readonly reader?: MachineReader | undefined;
  readonly heldBack?: HeldBack;
}

/** Takes out of what the parts of a machine miss the records that its ring does not have. */
function splitHeldBack(
  { clientId }: PlannedMachine,
  parts: readonly MissingOfPart[],
  heldBack: HeldBack,
): { readonly all: readonly MissingOfPart[]; readonly held: ReadonlySet<number> } {
  const held = new Set<number>();
  if (heldBack.isEmpty) return { all: parts, held };
  const all = parts.flatMap((part) => {
    const missing = part.missing.filter((id) => !heldBack.has(clientId, id));
    if (missing.length === part.missing.length) return [part];
    for (const id of part.missing) if (heldBack.has(clientId, id)) held.add(id);
    return missing.length === 0 ? [] : [{ ...part, missing, isWhole: false }];
  });
  return { all, held };
}

/** By what is chosen on a machine, the steps of the plans so far. */
type KnownSteps = Map<ReadonlySet<number>, Map<PartPlan, PlannedSteps>>;

/** Joins the steps of a machine's plans. */
function joinSteps(
  plans: readonly PartPlan[],
  chosen: ReadonlySet<number>,
  knownSteps: KnownSteps,
): PlannedSteps {
  const ofChosen = knownSteps.get(chosen) ?? new Map<PartPlan, PlannedSteps>();
  knownSteps.set(chosen, ofChosen);
  const steps: MachineStep[] = [];
  const notClosed: number[] = [];
  for (const plan of plans) {
    let own = ofChosen.get(plan);
    if (own === undefined) {
      own = chooseSteps(plan, chosen);
      ofChosen.set(plan, own);
    }
    for (const step of own.steps) steps.push(step);
    for (const id of own.notClosed) notClosed.push(id);
  }
  return { steps, notClosed };
}

/** A step is taken only where it closes a chosen record. */
function chooseSteps(plan: PartPlan, chosen: ReadonlySet<number>): PlannedSteps {
  const closes = new Map<number, number[]>();
  const notClosed: number[] = [];
  for (const [missingId, steps] of plan.closers) {
    if (!chosen.has(missingId)) continue;
    if (steps.length === 0) notClosed.push(missingId);
    for (const step of steps) {
      const own = closes.get(step) ?? [];
      closes.set(step, own);
      own.push(missingId);
    }
  }
  const steps = Array.from(closes, ([stepId, own]) => ({
    kind: plan.kind,
    scope: plan.scope,
    stepId,
    packages: plan.packages.get(stepId) ?? [],
    closes: own,
  }));
  return { steps, notClosed };
}

/** Plans which updates close what parts of an inventory miss, once for all machines that have the same parts. */
import { setImmediate as others } from 'node:timers/promises';
import type { PartKind } from '@patch/catalogue/fleet/inventory-part.ts';
import {
  type PlannedRecord,
  planPackages,
} from '@patch/catalogue/machines/install/install-plan.ts';
import { planMac } from '@patch/catalogue/machines/install/mac-plan.ts';
import {
  findClosers,
  getReplacements,
  type InstallStep,
  toTarget,
} from '@patch/catalogue/machines/install/record-closers.ts';
import { planWindowsSteps } from '@patch/catalogue/machines/install/windows-plan.ts';
import { machineOfRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import type { PackageToInstall } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { macRelease, windowsUpdate } from '@patch/catalogue/machines/judgement/update-record.ts';
import {
  type RecordOfList,
  readRecords,
  toRecordKey,
} from '../../machines/machine-records-store.ts';
import type { FleetWork } from '../judgement/fleet-lease-store.ts';
import { macReleases, windowsUpdates } from '../judgement/judged-record-store.ts';
import { type PartEvidence, readEvidenceOfParts } from '../judgement/part-missing-store.ts';
import type { PartGroup } from './part-groups.ts';

/** The steps that close the missing records of a group of parts. All keys and ids are of `missing_record`. */
export interface PartPlan {
  readonly kind: PartKind;
  /** The release of the packages, or the Windows product. */
  readonly scope: string;
  /** The steps that close each missing record: its own id where it is a step. */
  readonly closers: ReadonlyMap<number, readonly number[]>;
  /** The packages that a step of a package manager raises. */
  readonly packages: ReadonlyMap<number, readonly PackageToInstall[]>;
}

/** Groups between which other requests run. */
const groupsInTurn = 300;

type PlannedStep = InstallStep & Partial<Pick<PlannedRecord, 'packages'>>;

interface GroupToPlan {
  readonly key: GroupKey;
  readonly findings: readonly PartEvidence[];
}

export class PartPlans {
  readonly #work: Pick<FleetWork, 'database' | 'signal'>;
  readonly #plans = new Map<GroupKey, PartPlan>();
  readonly #records = new Map<string, RecordOfList>();

  constructor(work: Pick<FleetWork, 'database' | 'signal'>) {
    this.#work = work;
  }

  /** Returns a plan for each group, in their order. */
  async read(groups: readonly PartGroup[]): Promise<readonly PartPlan[]> {
    const keys = groups.map(toGroupKey);
    const unknown = new Map<GroupKey, PartGroup>();
    for (const [index, group] of groups.entries()) {
      const key = keys[index];
      if (key !== undefined && !this.#plans.has(key)) unknown.set(key, group);
    }
    const toPlan = [...unknown];
    for (let from = 0; from < toPlan.length; from += groupsInTurn) {
      this.#work.signal.throwIfAborted();
      await this.#plan(toPlan.slice(from, from + groupsInTurn));
      await others();
    }
    return keys.map((key) => {
      const plan = this.#plans.get(key);
      if (plan === undefined) throw new Error(`The parts ${key} were not planned`);
      return plan;
    });
  }

  async #plan(groups: readonly (readonly [GroupKey, PartGroup])[]): Promise<void> {
    const { database } = this.#work;
    const parts = groups.flatMap(([, group]) => group.map(({ partId }) => partId));
    const findings = await readEvidenceOfParts(database, [...new Set(parts)]);
    const byPart = Map.groupBy(findings, ({ partId }) => partId);
    const toPlan = groups.map(([key, group]): GroupToPlan => {
      const own = group.flatMap(({ partId, missing }) =>
        (byPart.get(partId) ?? []).filter(({ missingId }) => missing.includes(missingId)),
      );
      return { key, findings: own };
    });
    await this.#readRecords(findings);
    for (const { key, findings: own } of toPlan) this.#plans.set(key, this.#planGroup(own));
  }

  /** Updates of Windows and macOS are planned by what the records say of each other. */
  async #readRecords(findings: readonly PartEvidence[]): Promise<void> {
    const { database, signal } = this.#work;
    for (const list of [windowsUpdates, macReleases]) {
      const ids = findings.filter((one) => one.list === list.key).map(({ recordId }) => recordId);
      const unknown = [...new Set(ids)].filter(
        (recordId) => !this.#records.has(toRecordKey(list.key, recordId)),
      );
      for (const record of await readRecords(database, list, unknown, signal))
        this.#records.set(record.key, record);
    }
  }

  #planGroup(findings: readonly PartEvidence[]): PartPlan {
    const byKey = Map.groupBy(findings, toFindingKey);
    const missing = Array.from(byKey, ([key, own]) => ({
      key,
      evidence: own.flatMap(({ evidence }) => evidence),
    }));
    const steps = this.#planSteps(missing, findings);
    const closers = findClosers(missing, steps);
    const getMissingId = (key: string) => byKey.get(key)?.[0]?.missingId ?? 0;
    const [first] = findings;
    return {
      kind: first?.kind ?? 'packages',
      scope: first?.scope ?? '',
      closers: new Map(
        missing.map(({ key }) => {
          const replacements = getReplacements(key, closers);
          const isStep = replacements.length === 0 && closers.get(key)?.includes(key) === true;
          return [getMissingId(key), (isStep ? [key] : replacements).map(getMissingId)];
        }),
      ),
      packages: new Map(steps.map(({ key, packages }) => [getMissingId(key), packages ?? []])),
    };
  }

  #planSteps(
    missing: Parameters<typeof planPackages>[0],
    findings: readonly PartEvidence[],
  ): readonly PlannedStep[] {
    const [first] = findings;
    switch (first?.kind) {
      case 'packages':
        return planPackages(missing, machineOfRelease(first.scope)?.family ?? 'rpm');
      case 'windows':
        return planWindowsSteps(this.#collect(findings, windowsUpdate));
      case 'macos':
        return planMac(this.#collect(findings, macRelease));
      case 'applications':
        return missing.map(({ key, evidence }) => ({ key, targets: evidence.map(toTarget) }));
      case undefined:
        return [];
    }
  }

  /** Returns the records in the form that plans read. */
  #collect<Content>(
    findings: readonly PartEvidence[],
    read: (record: { readonly key: string } & RecordOfList['content']) => Content | null,
  ): readonly Content[] {
    return findings.flatMap((finding) => {
      const record = this.#records.get(toFindingKey(finding));
      return record === undefined ? [] : (read({ key: record.key, ...record.content }) ?? []);
    });
  }
}

const toFindingKey = ({ list, recordId }: PartEvidence) => toRecordKey(list, recordId);

/** The id of a part that is a group with all that it misses, or a text of the group's parts and what they miss. */
type GroupKey = string | number;

function toGroupKey(group: PartGroup): GroupKey {
  const [only] = group;
  if (group.length === 1 && only?.isWhole === true) return only.partId;
  return group
    .toSorted((a, b) => a.partId - b.partId)
    .map(({ partId, missing }) => `${partId}:${missing.join()}`)
    .join(' ');
}

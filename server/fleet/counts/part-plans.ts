/** Plans which updates close what parts of an inventory miss, once for all machines that have the same parts. */
import { planPackages } from '@patch/catalogue/machines/install/install-plan.ts';
import { planMac } from '@patch/catalogue/machines/install/mac-plan.ts';
import {
  findClosers,
  getReplacements,
  type InstallStep,
  toTarget,
} from '@patch/catalogue/machines/install/record-closers.ts';
import { planWindowsSteps } from '@patch/catalogue/machines/install/windows-plan.ts';
import { cataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { macRelease, windowsUpdate } from '@patch/catalogue/machines/judgement/update-record.ts';
import {
  type RecordOfList,
  readRecords,
  toRecordKey,
} from '../../machines/machine-records-store.ts';
import type { FleetWork } from '../judgement/fleet-lease-store.ts';
import { macReleases, windowsUpdates } from '../judgement/judged-record-store.ts';
import { type PartEvidence, readEvidenceOfParts } from '../judgement/part-missing-store.ts';
import { readReleaseParts } from '../parts/inventory-part-store.ts';

/** The records that a part certainly misses, by the ids of `missing_record`. */
export interface MissingOfPart {
  readonly partId: number;
  readonly missing: readonly number[];
}

/** The steps that close each missing record: its own id where it is a step. */
export type PartPlan = ReadonlyMap<number, readonly number[]>;

/** Parts of one kind and release that miss records together. */
export type PartGroup = readonly MissingOfPart[];

interface GroupToPlan {
  readonly key: string;
  readonly findings: readonly PartEvidence[];
}

export class PartPlans {
  readonly #work: Pick<FleetWork, 'database' | 'signal'>;
  readonly #plans = new Map<string, PartPlan>();
  readonly #records = new Map<string, RecordOfList>();
  #families: ReadonlyMap<string, 'rpm' | 'deb'> | null = null;

  constructor(work: Pick<FleetWork, 'database' | 'signal'>) {
    this.#work = work;
  }

  /** Returns a plan for each group. */
  async read(groups: readonly PartGroup[]): Promise<readonly PartPlan[]> {
    const keys = groups.map(toGroupKey);
    const unknown = new Map(
      groups.flatMap((group, index) => {
        const key = keys[index] ?? '';
        return this.#plans.has(key) ? [] : [[key, group] as const];
      }),
    );
    if (unknown.size > 0) await this.#plan(unknown);
    return keys.map((key) => this.#plans.get(key) ?? new Map());
  }

  async #plan(groups: ReadonlyMap<string, PartGroup>): Promise<void> {
    const { database } = this.#work;
    const parts = [...groups.values()].flatMap((group) => group.map(({ partId }) => partId));
    const findings = await readEvidenceOfParts(database, [...new Set(parts)]);
    await this.#readFamilies();
    const byPart = Map.groupBy(findings, ({ partId }) => partId);
    const toPlan = Array.from(groups, ([key, group]): GroupToPlan => {
      const own = group.flatMap(({ partId, missing }) =>
        (byPart.get(partId) ?? []).filter(({ missingId }) => missing.includes(missingId)),
      );
      return { key, findings: own };
    });
    await this.#readRecords(findings);
    for (const { key, findings: own } of toPlan) this.#plans.set(key, this.#planGroup(own));
  }

  async #readFamilies(): Promise<void> {
    this.#families ??= new Map(
      (await readReleaseParts(this.#work.database)).flatMap(({ scope, machine }) => {
        const release = cataloguedRelease(machine);
        return release === null ? [] : [[scope, release.family] as const];
      }),
    );
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
    const closers = findClosers(missing, this.#planSteps(missing, findings));
    const getMissingId = (key: string) => byKey.get(key)?.[0]?.missingId ?? 0;
    return new Map(
      missing.map(({ key }) => {
        const replacements = getReplacements(key, closers);
        const isStep = replacements.length === 0 && closers.get(key)?.includes(key) === true;
        return [getMissingId(key), (isStep ? [key] : replacements).map(getMissingId)];
      }),
    );
  }

  #planSteps(
    missing: Parameters<typeof planPackages>[0],
    findings: readonly PartEvidence[],
  ): readonly InstallStep[] {
    const [first] = findings;
    switch (first?.kind) {
      case 'packages':
        return planPackages(missing, this.#families?.get(first.scope) ?? 'rpm');
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

const toGroupKey = (group: PartGroup) =>
  group
    .toSorted((a, b) => a.partId - b.partId)
    .map(({ partId, missing }) => `${partId}:${missing.join()}`)
    .join(' ');

/**
 * Assesses which patches a machine lacks: reads the inventory, judges it against the records that can concern it, and builds the reply.
 * Nothing is stored. See docs/decisions/046.
 */

import { getList } from '@patch/catalogue/lists.ts';
import { inventoryAdvice } from '@patch/catalogue/machines/inventory/inventory-advice.ts';
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import { endOfLife } from '@patch/catalogue/machines/judgement/end-of-life.ts';
import type {
  FixEvidence,
  RecordVerdict,
} from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { rebootPending } from '@patch/catalogue/machines/judgement/reboot-pending.ts';
import {
  countVerdicts,
  type JudgedItem,
  notJudged,
} from '@patch/catalogue/machines/judgement/verdict.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import type {
  Assessment,
  MachineJudgement,
  MissingRecord,
} from '@patch/contract/assessment-endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { ListMemories } from '../records/memory/list-memories.ts';
import { assessApplications } from './assess-applications.ts';
import { assessMac } from './assess-mac.ts';
import { assessPackages } from './assess-packages.ts';
import { assessWindows } from './assess-windows.ts';
import { compareSources } from './compared-sources.ts';
import { type Findings, toUnjudged } from './machine-findings.ts';
import { readShownRecords, type ShownRecord } from './machine-records-store.ts';

export interface AssessmentParts {
  readonly database: Queryable;
  readonly memories: ListMemories;
  readonly clock: () => number;
}

export async function assessMachine(
  parts: AssessmentParts,
  text: string,
  signal: AbortSignal,
): Promise<Assessment> {
  const reading = readInventory(text);
  const { machine } = reading;
  const findings = await findMachineFindings(parts, machine, signal);
  const missing = await readMissingRecords(parts.database, findings);
  const judgement = await summarise(parts, findings);
  const { sources, verdicts, system, leftOut } = judgement;
  const shown = new Map(missing.map((record) => [`${record.list} ${record.recordId}`, record]));
  return {
    sources,
    machine: describeMachine(machine, parts.clock()),
    verdicts,
    system,
    understood: [...reading.understood],
    unreadable: [...reading.unreadable],
    unreadableLines: reading.unreadableLines,
    advice: [...inventoryAdvice(reading)],
    missing,
    install: findings.install.flatMap(({ key, command, restart }) => {
      const record = shown.get(key);
      if (record === undefined) return [];
      const { list, recordId, identifier } = record;
      return [{ identifier: identifier ?? '', list, recordId, command, restart }];
    }),
    installCommand: findings.installCommand,
    notJudged: judgement.notJudged,
    leftOut,
    noFix: [...findings.unfixed],
    counts: countMissing(missing),
  };
}

/** Judges a machine and returns the summary without the missing records. */
export async function judgeMachine(
  parts: AssessmentParts,
  machine: Machine,
  signal: AbortSignal,
): Promise<MachineJudgement> {
  const findings = await findMachineFindings(parts, machine, signal);
  return {
    ...(await summarise(parts, findings)),
    machine: {
      packages: machine.packages.length,
      kbs: machine.kbs.length,
      applications: machine.applications.length,
    },
  };
}

async function summarise(
  parts: Pick<AssessmentParts, 'database' | 'clock'>,
  findings: Findings,
): Promise<Omit<MachineJudgement, 'machine'>> {
  const items = getItems(findings);
  return {
    sources: await compareSources(parts, findings.lists),
    verdicts: countVerdicts(items),
    system: findings.system?.kind ?? null,
    notJudged: groupNotJudged(items),
    leftOut: [...findings.leftOut],
  };
}

/** Returns the items, or the system itself if there are none. */
function getItems({ items, system }: Findings): readonly JudgedItem[] {
  if (items.length > 0) return items;
  return [{ name: '', verdict: system ?? notJudged('nothingListed') }];
}

const maxNames = 20;

function groupNotJudged(items: readonly JudgedItem[]): Assessment['notJudged'] {
  const reasons = Map.groupBy(items, ({ verdict }) =>
    verdict.kind === 'notJudged' ? verdict.reason : null,
  );
  return [...reasons].flatMap(([reason, own]) => {
    if (reason === null) return [];
    const names = own.slice(0, maxNames).flatMap(({ name }) => (name === '' ? [] : [name]));
    return [{ reason, count: own.length, names }];
  });
}

/** Compares the machine's system and applications with the catalogue. */
export async function findMachineFindings(
  parts: Pick<AssessmentParts, 'database' | 'memories'>,
  machine: Machine,
  signal: AbortSignal,
): Promise<Findings> {
  return joinFindings([
    await findSystemFindings(parts, machine, signal),
    await assessApplications(parts.database, machine, signal),
  ]);
}

async function findSystemFindings(
  { database, memories }: Pick<AssessmentParts, 'database' | 'memories'>,
  machine: Machine,
  signal: AbortSignal,
): Promise<Findings> {
  switch (machine.platform) {
    case 'windows':
      return assessWindows({ database, memories }, machine, signal);
    case 'macos':
      return assessMac(database, machine, signal);
    case 'linux':
      return assessPackages(database, machine, signal);
    case null:
      return machine.packages.length > 0
        ? assessPackages(database, machine, signal)
        : toUnjudged('machineUnknown', []);
  }
}

function joinFindings(findings: readonly Findings[]): Findings {
  return {
    records: new Map(findings.flatMap(({ records }) => [...records])),
    verdicts: new Map(findings.flatMap(({ verdicts }) => [...verdicts])),
    install: findings.flatMap(({ install }) => install),
    installCommand:
      findings.find(({ installCommand }) => installCommand !== null)?.installCommand ?? null,
    leftOut: findings.flatMap(({ leftOut }) => leftOut),
    items: findings.flatMap(({ items }) => items),
    system: findings.find(({ system }) => system !== null)?.system ?? null,
    lists: findings.flatMap(({ lists }) => lists),
    unfixed: findings.flatMap(({ unfixed }) => unfixed),
  };
}

async function readMissingRecords(
  database: Queryable,
  findings: Findings,
): Promise<MissingRecord[]> {
  const lacking = [...findings.verdicts].flatMap(([key, verdict]) => {
    const record = findings.records.get(key);
    return record === undefined || !isLacking(verdict) ? [] : [{ key, record, verdict }];
  });
  const shown = await readShownRecords(
    database,
    lacking.map(({ record }) => record),
  );
  const installers = mapInstallers(findings, shown);
  const records = lacking.flatMap(({ key, verdict }): MissingRecord[] => {
    const row = shown.get(key);
    if (row === undefined) return [];
    return [
      {
        ...row,
        state: verdict.kind,
        reason: verdict.kind === 'uncertain' ? verdict.reason : null,
        evidence: verdict.evidence.map(toEvidence),
        supersededBy: findSuperseding(key, verdict.evidence, installers),
      },
    ];
  });
  return records.toSorted(compareUrgency);
}

type LackingVerdict = Extract<RecordVerdict, { readonly evidence: readonly FixEvidence[] }>;

const isLacking = (verdict: RecordVerdict): verdict is LackingVerdict =>
  verdict.kind === 'missing' ||
  verdict.kind === 'uncertain' ||
  verdict.kind === 'needsSubscription';

/** Maps each installed name to the steps that install it, with the identifiers of their records. */
function mapInstallers({ install }: Findings, shown: ReadonlyMap<string, ShownRecord>) {
  const by = new Map<string, { readonly key: string; readonly identifier: string }[]>();
  for (const { key, brings } of install) {
    const identifier = shown.get(key)?.identifier ?? null;
    if (identifier === null) continue;
    for (const name of brings) by.set(name, [...(by.get(name) ?? []), { key, identifier }]);
  }
  return by;
}

/** Returns the identifiers of records that are installed instead; empty for a record that is installed itself. */
function findSuperseding(
  key: string,
  evidence: readonly FixEvidence[],
  installers: ReturnType<typeof mapInstallers>,
): string[] {
  const steps = evidence.flatMap(
    ({ name, install }) => installers.get(install?.name ?? name) ?? [],
  );
  if (steps.some((step) => step.key === key)) return [];
  return [...new Set(steps.map(({ identifier }) => identifier))];
}

const toEvidence = ({ name, installed, fixed }: FixEvidence) => ({ name, installed, fixed });

/** Sorts missing and known exploited records first, then by severity, EPSS and newest release. */
function compareUrgency(a: MissingRecord, b: MissingRecord): number {
  return (
    Number(b.state === 'missing') - Number(a.state === 'missing') ||
    Number(b.exploited === true) - Number(a.exploited === true) ||
    getChoiceRank(b.severity) - getChoiceRank(a.severity) ||
    (b.epss ?? -1) - (a.epss ?? -1) ||
    (b.releaseDate ?? 0) - (a.releaseDate ?? 0)
  );
}

const getChoiceRank = (severity: string | null) =>
  (severities as readonly (string | null)[]).indexOf(severity);

function countMissing(missing: readonly MissingRecord[]): Assessment['counts'] {
  const certain = missing.filter(({ state }) => state === 'missing');
  const count = (word: string) => certain.filter(({ severity }) => severity === word).length;
  const counts = ['Critical', 'Important', 'Moderate', 'Low'].map(count);
  const [critical = 0, important = 0, moderate = 0, low = 0] = counts;
  return {
    critical,
    important,
    moderate,
    low,
    unspecified: certain.length - critical - important - moderate - low,
    exploited: certain.filter(({ exploited }) => exploited === true).length,
    uncertain: missing.filter(({ state }) => state === 'uncertain').length,
    needsSubscription: missing.filter(({ state }) => state === 'needsSubscription').length,
  };
}

function describeMachine(machine: Machine, now: number): Assessment['machine'] {
  const endDate = endOfLife(machine);
  const { platform, distribution, release, architecture, build, kernel } = machine;
  return {
    platform,
    distribution,
    release,
    architecture,
    build,
    kernel,
    packages: machine.packages.length,
    kbs: machine.kbs.length,
    applications: machine.applications.length,
    rebootPending: platform === 'linux' ? rebootPending(machine) : null,
    endOfLife: endDate !== null && endDate <= now ? endDate : null,
  };
}

/** Returns the label of a list, for a file. */
export const getListLabel = (list: string): string => getList(list as never).label;

/**
 * Assesses which patches a machine lacks: reads the inventory, judges it against the records that can concern it, and builds the reply.
 * Nothing is stored. See docs/decisions/046.
 */

import { inventoryAdvice } from '@patch/catalogue/machines/inventory/inventory-advice.ts';
import { readInventory } from '@patch/catalogue/machines/inventory/read-inventory.ts';
import { uncataloguedAdvice } from '@patch/catalogue/machines/inventory/uncatalogued-advice.ts';
import { endOfLife } from '@patch/catalogue/machines/judgement/end-of-life.ts';
import { rebootPending } from '@patch/catalogue/machines/judgement/reboot-pending.ts';
import {
  countVerdicts,
  type JudgedItem,
  notJudged,
} from '@patch/catalogue/machines/judgement/verdict.ts';
import { editionAdvice } from '@patch/catalogue/machines/judgement/windows-support.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import type {
  Assessment,
  MachineJudgement,
  MissingRecord,
} from '@patch/contract/fleet/assessment-endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { ListMemories } from '../records/memory/list-memories.ts';
import { assessPackages } from './assess-packages.ts';
import { assessApplications, assessMac, assessWindows } from './assess-updates.ts';
import { compareSources } from './compared-sources.ts';
import { type AssessedMachine, type Findings, toUnjudged } from './machine-findings.ts';
import { toRecordKey } from './machine-records-store.ts';
import { countMissing, listMissingRecords } from './missing-records.ts';

export interface AssessmentParts {
  readonly database: Queryable;
  readonly memories: ListMemories;
  readonly clock: () => number;
}

/** Assesses the machine that a text describes. */
export async function assessMachine(
  parts: AssessmentParts,
  text: string,
  signal: AbortSignal,
): Promise<Assessment> {
  const reading = readInventory(text);
  const { machine } = reading;
  const {
    missing,
    judgement,
    heldBack: _none,
    ...plan
  } = await assessInventory(parts, { machine, accepted: new Set(), ring: null }, signal);
  return {
    ...judgement,
    ...plan,
    machine: describeMachine(machine, parts.clock()),
    understood: [...reading.understood],
    unreadable: [...reading.unreadable],
    unreadableLines: reading.unreadableLines,
    advice: [
      ...(judgement.notJudged.some(({ reason }) => reason === 'releaseNotInCatalogue')
        ? uncataloguedAdvice(machine)
        : []),
      ...inventoryAdvice(reading),
      ...editionAdvice(machine, parts.clock()),
    ],
    missing,
    counts: countMissing(missing),
  };
}

/** What a machine misses, and what to install. */
export interface InventoryAssessment
  extends Pick<Assessment, 'missing' | 'bands' | 'install' | 'installCommand' | 'noFix'> {
  readonly judgement: MachineJudgement;
  readonly heldBack: Findings['heldBack'];
}

/** A page of what a machine misses, accepted records last. */
export interface InventoryPage extends Omit<InventoryAssessment, 'noFix'> {
  readonly totalCount: number;
  readonly acceptedCount: number;
  /** The certainly missing ones, without accepted ones, also of other pages: what due dates follow from. */
  readonly certain: readonly Pick<
    MissingRecord,
    'recordId' | 'releaseDate' | 'severity' | 'exploited'
  >[];
}

export async function assessPage(
  parts: AssessmentParts,
  assessed: AssessedMachine,
  { offset, size }: { readonly offset: number; readonly size: number },
  signal: AbortSignal,
): Promise<InventoryPage> {
  const { missing, noFix: _noFix, ...assessment } = await assessInventory(parts, assessed, signal);
  const isAccepted = ({ list, recordId }: Assessment['missing'][number]) =>
    assessed.accepted.has(toRecordKey(list, recordId));
  const sorted = missing.toSorted((a, b) => Number(isAccepted(a)) - Number(isAccepted(b)));
  return {
    ...assessment,
    missing: sorted.slice(offset, offset + size),
    totalCount: missing.length,
    acceptedCount: missing.filter(isAccepted).length,
    certain: missing.flatMap((record) => {
      if (record.state !== 'missing' || isAccepted(record)) return [];
      const { recordId, releaseDate, severity, exploited } = record;
      return [{ recordId, releaseDate, severity, exploited }];
    }),
  };
}

/** Assesses a machine that was read: pasted by a person, or reported by a client. */
async function assessInventory(
  parts: AssessmentParts,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<InventoryAssessment> {
  const findings = await findMachineFindings(parts, withSortedItems(assessed), signal);
  const { missing, bands } = listMissingRecords(findings, assessed);
  const judged = await summarise(parts, findings);
  const shown = new Map(
    missing.map((record) => [toRecordKey(record.list, record.recordId), record]),
  );
  const { packages, kbs, applications } = assessed.machine;
  return {
    missing,
    bands,
    heldBack: findings.heldBack,
    install: findings.install.flatMap(({ key, command, restart }) => {
      const record = shown.get(key);
      if (record === undefined) return [];
      const { list, recordId, identifier } = record;
      return [{ identifier: identifier ?? '', list, recordId, command, restart }];
    }),
    installCommand: findings.commandFor(new Set(findings.install.map(({ key }) => key))),
    noFix: [...findings.unfixed],
    judgement: {
      ...judged,
      machine: {
        packages: packages.length,
        kbs: kbs.length,
        applications: applications.length,
      },
    },
  };
}

/** Sorts what is installed, so that commands, evidence and examples do not depend on how a machine was read. */
function withSortedItems({ machine, ...assessed }: AssessedMachine): AssessedMachine {
  const packageKey = ({ name, architecture, version }: Machine['packages'][number]) =>
    [name, architecture ?? '', version].join('\0');
  return {
    ...assessed,
    machine: {
      ...machine,
      packages: sortBy(machine.packages, packageKey),
      kbs: sortBy(machine.kbs, (kb) => kb.padStart(12, '0')),
      applications: sortBy(machine.applications, ({ name, version }) =>
        [name, version ?? ''].join('\0'),
      ),
    },
  };
}

function sortBy<Item>(items: readonly Item[], toKey: (item: Item) => string): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: toKey(item) }));
  return keyed.toSorted((a, b) => compareKeys(a.key, b.key)).map(({ item }) => item);
}

function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

async function summarise(
  parts: Pick<AssessmentParts, 'database' | 'clock'>,
  findings: Findings,
): Promise<Omit<MachineJudgement, 'machine'>> {
  const items = getItems(findings);
  const sources = await compareSources(parts, findings.lists);
  return {
    sources,
    verdicts: countVerdicts(items),
    system: findings.system?.kind ?? null,
    notJudged: groupNotJudged(items),
    noAdvisory: listWithoutAdvisory(items, sources),
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

/** Applications have no verdict of this kind, so their source says nothing about it. */
function listWithoutAdvisory(
  items: readonly JudgedItem[],
  sources: Assessment['sources'],
): Assessment['noAdvisory'] {
  const own = items.filter(({ verdict }) => verdict.kind === 'noAdvisory');
  return {
    count: own.length,
    names: own.slice(0, maxNames).map(({ name }) => name),
    sources: sources.flatMap(({ service, label, upTo }) =>
      service === 'thirdParty' ? [] : [{ label, upTo }],
    ),
  };
}

/** Compares the machine's system and applications with the catalogue. */
export async function findMachineFindings(
  parts: Pick<AssessmentParts, 'database' | 'memories'>,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  return joinFindings([
    await findSystemFindings(parts, assessed, signal),
    await assessApplications(parts.database, assessed, signal),
  ]);
}

async function findSystemFindings(
  { database, memories }: Pick<AssessmentParts, 'database' | 'memories'>,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  switch (assessed.machine.platform) {
    case 'windows':
      return assessWindows({ database, memories }, assessed, signal);
    case 'macos':
      return assessMac(database, assessed, signal);
    case 'linux':
      return assessPackages(database, assessed, signal);
    case null:
      return assessed.machine.packages.length > 0
        ? assessPackages(database, assessed, signal)
        : toUnjudged('machineUnknown', []);
  }
}

function joinFindings(findings: readonly Findings[]): Findings {
  return {
    records: new Map(findings.flatMap(({ records }) => [...records])),
    verdicts: new Map(findings.flatMap(({ verdicts }) => [...verdicts])),
    shown: new Map(findings.flatMap(({ shown }) => [...shown])),
    heldBack: new Map(findings.flatMap(({ heldBack }) => [...heldBack])),
    install: findings.flatMap(({ install }) => install),
    closers: new Map(findings.flatMap(({ closers }) => [...closers])),
    commandFor: joinCommands(findings),
    leftOut: findings.flatMap(({ leftOut }) => leftOut),
    items: findings.flatMap(({ items }) => items),
    system: findings.find(({ system }) => system !== null)?.system ?? null,
    lists: findings.flatMap(({ lists }) => lists),
    unfixed: findings.flatMap(({ unfixed }) => unfixed),
  };
}

/** Joins the commands for a system and its applications, one per line. */
function joinCommands(findings: readonly Findings[]): Findings['commandFor'] {
  return (keys) => {
    const commands = findings.flatMap(({ install, commandFor }) => {
      const own = install.map(({ key }) => key).filter((key) => keys.has(key));
      return own.length === 0 ? [] : [commandFor(new Set(own))];
    });
    return commands.length === 0 || commands.includes(null) ? null : commands.join('\n');
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
    rebootPending: rebootPending(machine),
    restartDue: machine.restartDue ?? null,
    endOfLife: endDate !== null && endDate <= now ? endDate : null,
  };
}

/** Finds the patches that a machine with a package manager lacks. */

import { feeds } from '@patch/catalogue/feeds.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { packageCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { planPackages } from '@patch/catalogue/machines/install/install-plan.ts';
import { findClosers } from '@patch/catalogue/machines/install/record-closers.ts';
import {
  type CataloguedRelease,
  cataloguedRelease,
} from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import { judgePackages } from '@patch/catalogue/machines/judgement/judge-packages.ts';
import type { KnownPackage } from '@patch/catalogue/machines/judgement/known-packages.ts';
import type { RecordVerdict } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { isOfOtherRepository } from '@patch/catalogue/machines/judgement/other-repositories.ts';
import { packageVerdicts } from '@patch/catalogue/machines/judgement/package-verdicts.ts';

import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { ubuntuNoticePart } from '@patch/catalogue/vendors/ubuntu/ubuntu-notice-part.ts';
import type { Queryable } from '../platform/database/database.ts';
import { readUnfixed } from '../platform/database/records/package-status-store.ts';
import {
  type AssessedMachine,
  countLeftOut,
  type Findings,
  findHeldBack,
  getLacking,
  getOpen,
  readShownFindings,
  type StepToInstall,
  toUnjudged,
} from './machine-findings.ts';
import {
  findListsOfReleases,
  type RecordReference,
  readInstallableRecords,
  toRecordKey,
} from './machine-records-store.ts';
import { findNewerFixes } from './newer-fix-store.ts';

export async function assessPackages(
  database: Queryable,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  const { machine } = assessed;
  const release = cataloguedRelease(machine);
  const names = machine.packages.map(({ name }) => name);
  if (release === null)
    return toUnjudged(
      machine.distribution === null ? 'machineUnknown' : 'releaseNotInCatalogue',
      names,
    );
  const installed = new InstalledPackages(machine.packages);
  const comparable = new InstalledPackages(
    machine.packages.filter((one) => !isOfOtherRepository(one)),
  );
  const unfixed = readUnfixed(database, { releases: release.names, packages: comparable.sources });
  // Awaited below; a failure before that must not leave this rejection unhandled.
  unfixed.catch(() => undefined);
  const judged = await judgeNewerFixes(database, { machine, release, installed }, signal);
  const { references, verdicts, known } = judged;
  const lists =
    judged.lists.length > 0 ? judged.lists : await findListsOfReleases(database, release.names);
  if (lists.length === 0) return toUnjudged('releaseNotInCatalogue', names);
  const plan = await planInstall(database, { assessed, release, judged });
  return {
    records: references,
    verdicts,
    ...plan,
    leftOut: countLeftOut(verdicts),
    items: packageVerdicts({
      packages: machine.packages,
      installed,
      release: release.names[0] ?? '',
      records: verdicts.values(),
      known,
      unfixed: new Set((await unfixed).map((one) => one.package)),
    }),
    system: null,
    unfixed: await unfixed,
    lists: lists.map((list) => ({ list: list as ListKey, part: findPart(list, release) })),
  };
}

/** Returns the part of the release: feeds of several releases have one for each, with the release number as key. */
function findPart(list: string, { names }: CataloguedRelease): string | null {
  if (list === 'linux_notice') return ubuntuNoticePart.key;
  const number = names[0]?.split(' ').at(-1);
  const { source } = getList(list as ListKey);
  const feed = source === null ? undefined : feeds[source];
  return feed?.parts.find(({ key }) => key === number)?.key ?? null;
}

interface JudgeInput {
  readonly machine: Machine;
  readonly release: CataloguedRelease;
  readonly installed: InstalledPackages;
}

interface JudgedRecords {
  readonly references: ReadonlyMap<string, RecordReference>;
  /** Verdicts of records that are, or may be, missing. */
  readonly verdicts: ReadonlyMap<string, RecordVerdict>;
  /** Lists with records for packages of the machine. */
  readonly lists: readonly string[];
  readonly known: ReadonlyMap<string, KnownPackage>;
}

async function judgeNewerFixes(
  database: Queryable,
  input: JudgeInput,
  signal: AbortSignal,
): Promise<JudgedRecords> {
  const { machine, release, installed } = input;
  const { lists, known, records } = await findNewerFixes(database, release, [installed]);
  signal.throwIfAborted();
  const references = new Map<string, RecordReference>();
  const toCompare = records.map(({ list, recordId, record }) => {
    const key = toRecordKey(list, recordId);
    references.set(key, { list, recordId });
    return { key, ...record };
  });
  const judged = judgePackages(machine, release, toCompare, installed);
  const verdicts = new Map([...judged].filter(([, { kind }]) => kind !== 'notMissing'));
  return { references, verdicts, lists, known };
}

async function planInstall(
  database: Queryable,
  {
    assessed,
    release,
    judged: { references, verdicts },
  }: Pick<JudgeInput, 'release'> & {
    readonly assessed: AssessedMachine;
    readonly judged: JudgedRecords;
  },
): Promise<Pick<Findings, 'shown' | 'heldBack' | 'install' | 'closers' | 'commandFor'>> {
  const { machine } = assessed;
  const found = { records: references, verdicts };
  const shown = readShownFindings(database, found);
  // Awaited below; a failure before that must not leave this rejection unhandled.
  shown.catch(() => undefined);
  const heldBack = await findHeldBack(database, found, assessed);
  const plan = planPackages(getOpen({ ...found, heldBack }, assessed), release.family);
  const toInstall = plan.flatMap(({ key }) => references.get(key) ?? []);
  const installable = await readInstallableRecords(database, toInstall);
  const steps = plan.map(({ key, packages }) => {
    const { installedBy = null, restart = null } = installable.get(key) ?? {};
    return { key, restart, packagesToInstall: { identifier: installedBy ?? '', packages } };
  });
  const install = steps.map(
    ({ key, restart, packagesToInstall }): StepToInstall => ({
      key,
      command: packageCommand([packagesToInstall], machine)?.text ?? null,
      restart,
    }),
  );
  const commandFor = (keys: ReadonlySet<string>) => {
    const chosen = steps.filter(({ key }) => keys.has(key));
    const records = chosen.map(({ packagesToInstall }) => packagesToInstall);
    return packageCommand(records, machine)?.text ?? null;
  };
  const closers = findClosers(getLacking(verdicts), plan);
  return { shown: await shown, heldBack, install, closers, commandFor };
}

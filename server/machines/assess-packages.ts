/** What a machine with a package manager misses. */

import { listOfKey } from '@patch/catalogue/lists.ts';
import { packageCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { planPackages } from '@patch/catalogue/machines/install/install-plan.ts';
import {
  type CataloguedRelease,
  cataloguedRelease,
} from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import { judgePackages } from '@patch/catalogue/machines/judgement/judge-packages.ts';
import type { Verdict } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import { packageRecord } from '@patch/catalogue/machines/judgement/package-record.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import type { Queryable } from '../platform/database/database.ts';
import { areFixesKept } from '../platform/database/fill-package-fixes.ts';
import { unfixedOf } from '../platform/database/unfixed-vulnerability-store.ts';
import {
  type Findings,
  leftOutOf,
  missingOf,
  noFindings,
  recordsByKey,
  type StepToInstall,
} from './machine-findings.ts';
import {
  hasRecordsOf,
  type RecordOfList,
  type RecordPlace,
  recordKey,
  recordsAt,
  recordsOfPackages,
} from './machine-records-store.ts';
import { newerFixes, placesOf } from './newer-fix-store.ts';

export async function assessPackages(
  database: Queryable,
  machine: Machine,
  signal: AbortSignal,
): Promise<Findings> {
  const release = cataloguedRelease(machine);
  if (release === null)
    return {
      ...noFindings,
      leftOut: [
        {
          reason: machine.distribution === null ? 'machineUnknown' : 'releaseNotInCatalogue',
          count: machine.packages.length,
        },
      ],
    };
  const installed = new InstalledPackages(machine.packages);
  const judged = await judgedPackages(database, { machine, release, installed }, signal);
  const { places, verdicts, lists } = judged;
  const { install, installCommand } = await planned(database, { machine, release, judged }, signal);
  return {
    records: places,
    verdicts,
    install,
    installCommand,
    leftOut: [
      ...leftOutOf(verdicts),
      ...(lists.length === 0 && !(await hasRecordsOf(database, release.names))
        ? [{ reason: 'releaseNotInCatalogue' as const, count: machine.packages.length }]
        : []),
    ],
    unfixed: await unfixedOf(database, {
      releases: release.names,
      packages: installed.sources,
    }),
    sources: [...new Set(lists.map((list) => listOfKey(list as never).source ?? ''))],
  };
}

interface ToJudge {
  readonly machine: Machine;
  readonly release: CataloguedRelease;
  readonly installed: InstalledPackages;
}

interface Judged {
  readonly places: ReadonlyMap<string, RecordPlace>;
  /** Of records that are missing, or could be. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
  /** Lists with records for packages of the machine. */
  readonly lists: readonly string[];
}

async function judgedPackages(
  database: Queryable,
  toJudge: ToJudge,
  signal: AbortSignal,
): Promise<Judged> {
  if (!(await areFixesKept(database))) return judgedByRecords(database, toJudge, signal);
  const { machine, release, installed } = toJudge;
  const { lists, records } = await newerFixes(database, release, [installed]);
  signal.throwIfAborted();
  const judged = judgePackages(
    machine,
    release,
    [...records].map(([id, record]) => ({ key: String(id), ...record })),
  );
  const found = [...judged].filter(([, { kind }]) => kind !== 'notMissing');
  const indexed = await placesOf(
    database,
    found.map(([id]) => Number(id)),
  );
  const places = new Map<string, RecordPlace>();
  const verdicts = new Map<string, Verdict>();
  for (const { id, list, recordId } of indexed) {
    const [key, verdict] = [recordKey(list, recordId), judged.get(String(id))];
    if (verdict === undefined) continue;
    places.set(key, { list, recordId });
    verdicts.set(key, verdict);
  }
  return { places, verdicts, lists };
}

/** Reads every record that names a package of the machine. */
async function judgedByRecords(
  database: Queryable,
  { machine, release, installed: { names, stems } }: ToJudge,
  signal: AbortSignal,
): Promise<Judged> {
  const named = { releases: release.names, names, stems };
  const found = await recordsOfPackages(database, named, signal);
  const records = found
    .map(({ key, content: { row, detail } }) => packageRecord({ key, row, detail }, release))
    .filter((record) => record !== null);
  return {
    places: recordsByKey(found),
    verdicts: judgePackages(machine, release, records),
    lists: [...new Set(found.map(({ list }) => list))],
  };
}

/** Only records that are to be installed are read. */
async function planned(
  database: Queryable,
  {
    machine,
    release,
    judged: { places, verdicts },
  }: Omit<ToJudge, 'installed'> & { readonly judged: Judged },
  signal: AbortSignal,
): Promise<Pick<Findings, 'install' | 'installCommand'>> {
  const plan = planPackages(missingOf(verdicts), release.family);
  const toInstall = plan.flatMap(({ key }) => places.get(key) ?? []);
  const records = recordsByKey(await recordsAt(database, toInstall, signal));
  const steps = plan.map(({ key, packages }) => {
    const record = records.get(key);
    const identifier = record === undefined ? null : installedBy(record);
    return { key, record, packages, named: { identifier: identifier ?? '', packages } };
  });
  const install = steps.map(
    ({ key, record, packages, named }): StepToInstall => ({
      key,
      command: packageCommand([named], machine)?.text ?? null,
      restart: record === undefined ? null : restartOf(record),
      brings: packages.map(({ name }) => name),
    }),
  );
  const all = steps.map(({ named }) => named);
  return { install, installCommand: packageCommand(all, machine)?.text ?? null };
}

/** What the package manager knows the record by: zypper installs patches by another name than that of their announcement. */
function installedBy(record: RecordOfList): string | null {
  const { row } = record.content;
  if (!Object.hasOwn(listOfKey(record.list as never).fields, 'patchName'))
    return identifierOf(record);
  return typeof row['patchName'] === 'string' ? row['patchName'] : null;
}

/** How the vendor names the record. */
function identifierOf({ list, content: { row } }: RecordOfList): string | null {
  for (const name of listOfKey(list as never).identity) {
    const value = row[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

function restartOf({ content: { detail } }: RecordOfList): string | null {
  if (detail['rebootSuggested'] === true) return 'Reboot';
  if (detail['reloginSuggested'] === true) return 'Log in again';
  return detail['restartSuggested'] === true ? 'Restart what was updated' : null;
}

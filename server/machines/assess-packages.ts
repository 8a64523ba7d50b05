/** What a machine with a package manager misses. */

import { listOfKey } from '@patch/catalogue/lists.ts';
import { packageCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { planPackages } from '@patch/catalogue/machines/install/install-plan.ts';
import { cataloguedRelease } from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { InstalledPackages } from '@patch/catalogue/machines/judgement/installed-packages.ts';
import { judgePackages } from '@patch/catalogue/machines/judgement/judge-packages.ts';
import { packageRecord } from '@patch/catalogue/machines/judgement/package-record.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import type { Queryable } from '../platform/database/database.ts';
import { unfixedOf } from '../platform/database/unfixed-vulnerability-store.ts';
import {
  type Findings,
  leftOutOf,
  missingOf,
  noFindings,
  recordsByKey,
  type StepToInstall,
} from './machine-findings.ts';
import { hasRecordsOf, type RecordOfList, recordsOfPackages } from './machine-records-store.ts';

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
  const found = await recordsOfPackages(
    database,
    { releases: release.names, names: installed.names, stems: installed.stems },
    signal,
  );
  const records = recordsByKey(found);
  const fixes = found
    .map(({ key, content: { row, detail } }) => packageRecord({ key, row, detail }, release))
    .filter((record) => record !== null);
  const verdicts = judgePackages(machine, release, fixes);
  const missing = missingOf(verdicts);
  const planned = planPackages(missing, release.family).map(({ key, packages }) => {
    const record = records.get(key);
    const identifier = record === undefined ? null : installedBy(record);
    return { key, record, packages, named: { identifier: identifier ?? '', packages } };
  });
  const install = planned.map(
    ({ key, record, packages, named }): StepToInstall => ({
      key,
      command: packageCommand([named], machine)?.text ?? null,
      restart: record === undefined ? null : restartOf(record),
      brings: packages.map(({ name }) => name),
    }),
  );
  return {
    records,
    verdicts,
    install,
    installCommand:
      packageCommand(
        planned.map(({ named }) => named),
        machine,
      )?.text ?? null,
    leftOut: [
      ...leftOutOf(verdicts),
      ...(found.length === 0 && !(await hasRecordsOf(database, release.names))
        ? [{ reason: 'releaseNotInCatalogue' as const, count: machine.packages.length }]
        : []),
    ],
    unfixed: await unfixedOf(database, {
      releases: release.names,
      packages: installed.sources,
    }),
    sources: [...new Set(found.map(({ list }) => listOfKey(list as never).source ?? ''))],
  };
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

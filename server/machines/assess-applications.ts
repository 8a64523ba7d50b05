/** Finds installed applications that are older than the newest release in the catalogue. */

import { getList } from '@patch/catalogue/lists.ts';
import { wingetCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { findClosers, toTarget } from '@patch/catalogue/machines/install/record-closers.ts';
import {
  InstalledApplications,
  judgeApplication,
  plainApplicationName,
} from '@patch/catalogue/machines/judgement/application-judgement.ts';
import { applicationVerdicts } from '@patch/catalogue/machines/judgement/application-verdicts.ts';
import { applicationRelease } from '@patch/catalogue/machines/judgement/update-record.ts';
import type { Queryable } from '../platform/database/database.ts';
import {
  type AssessedMachine,
  countLeftOut,
  type Findings,
  getLacking,
  getOpen,
  noFindings,
  recordsByKey,
} from './machine-findings.ts';
import { findRecordsByName, type RecordOfList } from './machine-records-store.ts';

export async function assessApplications(
  database: Queryable,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  const { machine } = assessed;
  if (machine.applications.length === 0) return noFindings;
  const names = machine.applications.flatMap(({ name, identifier }) => [
    name,
    plainApplicationName(name),
    ...(identifier === null ? [] : [identifier]),
  ]);
  const found = await findRecordsByName(
    database,
    getList('thirdparty_patch'),
    [...new Set(names)],
    signal,
  );
  const installed = new InstalledApplications(machine.applications);
  const records = recordsByKey(found);
  const verdicts = new Map(
    found.map((record) => [record.key, judgeApplication(toRelease(record), installed)]),
  );
  const missing = getOpen(verdicts, assessed);
  const install = missing.map(({ key }) => {
    const record = records.get(key);
    const release = record === undefined ? null : toRelease(record);
    const command =
      release === null || release.identifier === null || release.version === null
        ? null
        : wingetCommand(release.identifier, release.version);
    return { key, command: command?.text ?? null, restart: null };
  });
  return {
    records,
    verdicts,
    install,
    closers: findClosers(
      getLacking(verdicts),
      missing.map(({ key, evidence }) => ({ key, targets: evidence.map(toTarget) })),
    ),
    commandFor: (keys) => {
      const commands = install.filter(({ key }) => keys.has(key)).map(({ command }) => command);
      return commands.includes(null) ? null : commands.join('\n');
    },
    leftOut: countLeftOut(verdicts),
    items: applicationVerdicts(machine.applications, found.map(toRelease)),
    system: null,
    lists: [{ list: 'thirdparty_patch', part: null }],
    unfixed: [],
  };
}

const toRelease = ({ key, content: { row, detail } }: RecordOfList) =>
  applicationRelease({ key, row, detail });

/** Finds the releases of macOS that a Mac lacks. */

import { getList } from '@patch/catalogue/lists.ts';
import { macCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { planMac } from '@patch/catalogue/machines/install/mac-plan.ts';
import { findClosers } from '@patch/catalogue/machines/install/record-closers.ts';
import { judgeMacRelease } from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import { macRelease } from '@patch/catalogue/machines/judgement/update-record.ts';
import type { Queryable } from '../platform/database/database.ts';
import {
  type AssessedMachine,
  countLeftOut,
  type Findings,
  getLacking,
  getOpen,
  recordsByKey,
  toUnjudged,
} from './machine-findings.ts';
import { type RecordOfList, readAllRecords } from './machine-records-store.ts';

export async function assessMac(
  database: Queryable,
  assessed: AssessedMachine,
  signal: AbortSignal,
): Promise<Findings> {
  const { machine } = assessed;
  const found = await readAllRecords(database, getList('macos_patch'), signal);
  if (machine.release === null || found.length === 0)
    return toUnjudged(machine.release === null ? 'machineUnknown' : 'releaseNotInCatalogue', []);
  const records = recordsByKey(found);
  const releases = found.map(toRelease);
  const verdicts = new Map(
    releases.map((release) => [release.key, judgeMacRelease(release, machine)]),
  );
  const missing = new Set(getOpen(verdicts, assessed).map(({ key }) => key));
  const steps = planMac(releases.filter(({ key }) => missing.has(key)));
  const version = releases.find(({ key }) => key === steps[0]?.key)?.version ?? null;
  const command = version === null ? null : (macCommand(version)?.text ?? null);
  return {
    records,
    verdicts,
    install: steps.map(({ key }) => ({ key, command, restart: 'Reboot' })),
    closers: findClosers(getLacking(verdicts), steps),
    commandFor: () => command,
    leftOut: countLeftOut(verdicts),
    items: [],
    system: steps.length === 0 ? { kind: 'fixed', comparedWith: 'macOS' } : { kind: 'missing' },
    lists: [{ list: 'macos_patch', part: null }],
    unfixed: [],
  };
}

const toRelease = ({ key, content: { row, detail } }: RecordOfList) =>
  macRelease({ key, row, detail });

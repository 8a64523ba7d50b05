/** Finds the releases of macOS that a Mac lacks. */

import { getList } from '@patch/catalogue/lists.ts';
import { macCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { judgeMacRelease } from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import { macRelease } from '@patch/catalogue/machines/judgement/update-record.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import type { Queryable } from '../platform/database/database.ts';
import {
  countLeftOut,
  type Findings,
  getMissing,
  recordsByKey,
  toUnjudged,
} from './machine-findings.ts';
import { type RecordOfList, readAllRecords } from './machine-records-store.ts';

export async function assessMac(
  database: Queryable,
  machine: Machine,
  signal: AbortSignal,
): Promise<Findings> {
  const found = await readAllRecords(database, getList('macos_patch'), signal);
  if (machine.release === null || found.length === 0)
    return toUnjudged(machine.release === null ? 'machineUnknown' : 'releaseNotInCatalogue', []);
  const records = recordsByKey(found);
  const verdicts = new Map(
    found.map((record) => [record.key, judgeMacRelease(toRelease(record), machine)]),
  );
  const newest = getMissing(verdicts)
    .map(({ key }) => records.get(key))
    .filter((record) => record !== undefined)
    .toSorted((a, b) => getReleaseDate(b) - getReleaseDate(a))[0];
  const version = newest === undefined ? null : toRelease(newest).version;
  const command = version === null ? null : (macCommand(version)?.text ?? null);
  return {
    records,
    verdicts,
    install:
      newest === undefined
        ? []
        : [{ key: newest.key, command, restart: 'Reboot', brings: ['macOS'] }],
    commandFor: () => command,
    leftOut: countLeftOut(verdicts),
    items: [],
    system: newest === undefined ? { kind: 'fixed', comparedWith: 'macOS' } : { kind: 'missing' },
    lists: [{ list: 'macos_patch', part: null }],
    unfixed: [],
  };
}

const toRelease = ({ key, content: { row, detail } }: RecordOfList) =>
  macRelease({ key, row, detail });

const getReleaseDate = ({ content: { row } }: RecordOfList) => Number(row['releaseDate'] ?? 0);

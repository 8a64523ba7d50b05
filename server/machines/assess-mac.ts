/** Finds the releases of macOS that a Mac lacks. */

import { listOfKey } from '@patch/catalogue/lists.ts';
import { macCommand } from '@patch/catalogue/machines/install/install-command.ts';
import { judgeMacRelease } from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import { macRelease } from '@patch/catalogue/machines/judgement/update-record.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import type { Queryable } from '../platform/database/database.ts';
import { type Findings, leftOutOf, missingOf, recordsByKey, unjudged } from './machine-findings.ts';
import { everyRecord, type RecordOfList } from './machine-records-store.ts';

export async function assessMac(
  database: Queryable,
  machine: Machine,
  signal: AbortSignal,
): Promise<Findings> {
  const found = await everyRecord(database, listOfKey('macos_patch'), signal);
  if (machine.release === null || found.length === 0)
    return unjudged(machine.release === null ? 'machineUnknown' : 'releaseNotInCatalogue', []);
  const records = recordsByKey(found);
  const verdicts = new Map(
    found.map((record) => [record.key, judgeMacRelease(releaseOf(record), machine)]),
  );
  const newest = missingOf(verdicts)
    .map(({ key }) => records.get(key))
    .filter((record) => record !== undefined)
    .toSorted((a, b) => dateOf(b) - dateOf(a))[0];
  const version = newest === undefined ? null : releaseOf(newest).version;
  const command = version === null ? null : (macCommand(version)?.text ?? null);
  return {
    records,
    verdicts,
    install:
      newest === undefined
        ? []
        : [{ key: newest.key, command, restart: 'Reboot', brings: ['macOS'] }],
    installCommand: command,
    leftOut: leftOutOf(verdicts),
    items: [],
    system: newest === undefined ? { kind: 'fixed', comparedWith: 'macOS' } : { kind: 'missing' },
    lists: [{ list: 'macos_patch', part: null }],
    unfixed: [],
  };
}

const releaseOf = ({ key, content: { row, detail } }: RecordOfList) =>
  macRelease({ key, row, detail });

const dateOf = ({ content: { row } }: RecordOfList) => Number(row['releaseDate'] ?? 0);

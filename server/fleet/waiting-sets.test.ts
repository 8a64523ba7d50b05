/** Waiting sets give the same results as merged ones. */
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { buildRecordIndex } from '../platform/database/records/build-record-index.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { FleetJudge } from './fleet-judge.ts';
import { maintainFleet } from './fleet-maintenance-store.ts';
import { removeReported } from './intake/machine-report-routes.ts';
import { takeReports } from './intake/take-reports.ts';
import { readSetsOfParts } from './parts/part-machines-store.ts';
import { buildAlmaMachine, buildReportingClients } from './testing/client-of-fleet.ts';

const signal = new AbortController().signal;
const now = 1_800_000_000_000;

describeWithDatabase('waiting sets', (open) => {
  let database: Database;
  let client: number;
  beforeAll(async () => {
    database = await open();
    await buildRecordIndex({ database });
    [client = 0] = await buildReportingClients(database, ['North']);
  });

  const context = () => ({ database, clock: () => now });
  const report = (key: string, version: string) =>
    takeReports(context(), client, [buildAlmaMachine(key, `bash-${version}-1.el9`)]);

  /** Returns the ids of the machines by the version of their package. */
  async function machinesOfVersions(): Promise<Readonly<Record<string, readonly number[]>>> {
    const { rows } = await database.query(
      `select id, machine->'packages'->0->>'version' as version from inventory_part`,
    );
    const sets = await readSetsOfParts(
      database,
      rows.map(({ id }) => Number(id)),
    );
    const findNumbers = (id: unknown) =>
      sets.filter(({ partId }) => partId === id).flatMap(({ numbers }) => numbers);
    return Object.fromEntries(
      rows.map(({ id, version }) => [
        String(version),
        [...new Set(findNumbers(id))].toSorted((a, b) => a - b),
      ]),
    );
  }
  const waiting = async () => (await database.query('select from waiting_sets')).rows.length;

  const all = Array.from({ length: 20 }, (_, n) => n);

  test('are read, merged when there are many, and merged before a tally', async () => {
    for (const n of all) await report(`m${n}`, '1');
    expect(await waiting()).toBe(4);
    expect(await machinesOfVersions()).toEqual({ '1-1.el9': all });
    await new FleetJudge({ database, clock: () => now }).round(signal);
    expect(await waiting()).toBe(0);
    expect(await machinesOfVersions()).toEqual({ '1-1.el9': all });
  });

  test('are merged by each round, also when no tally is due', async () => {
    await report('later', '1');
    expect(await waiting()).toBe(1);
    await new FleetJudge({ database, clock: () => now + 1 }).round(signal);
    expect(await waiting()).toBe(0);
    expect(await machinesOfVersions()).toMatchObject({ '1-1.el9': [...all, 20] });
  });

  test('keep their parts, and are merged before a machine loses one', async () => {
    await report('new', '2');
    await maintainFleet(database, { now, retentionDays: 30, signal });
    expect(await waiting()).toBe(1);
    expect(await machinesOfVersions()).toMatchObject({ '2-1.el9': [21] });
    await report('new', '3');
    expect(await machinesOfVersions()).toMatchObject({ '2-1.el9': [], '3-1.el9': [21] });
    await report('newer', '3');
    await removeReported(context(), client, 'newer');
    expect(await waiting()).toBe(0);
    expect(await machinesOfVersions()).toMatchObject({ '2-1.el9': [], '3-1.el9': [21] });
  });
});

/** When the standing judgement runs: reports can wait, changes of the catalogue never do. */
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { buildRecordIndex } from '../platform/database/records/build-record-index.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { FleetJudge } from './fleet-judge.ts';
import { takeReports } from './intake/take-reports.ts';
import { takeLease } from './judgement/fleet-lease-store.ts';
import { buildAlmaMachine, buildReportingClients } from './testing/client-of-fleet.ts';
import { Random, randomRecord } from './testing/random-fleet.ts';

const never = new AbortController().signal;

describeWithDatabase('rounds of the standing judgement', (open) => {
  let database: Database;
  let client: number;
  beforeAll(async () => {
    database = await open();
    await buildRecordIndex({ database });
    [client = 0] = await buildReportingClients(database, ['North']);
  });

  let now = 1_800_000_000_000;
  const clock = () => now;
  const report = (key: string) =>
    takeReports({ database, clock }, client, [buildAlmaMachine(key, `${key}-1-1.el9`)]);

  test('lets machines wait after a round, but not a changed record', async () => {
    const judge = new FleetJudge({ database, clock, restAfter: () => 20_000 });
    await report('first');
    expect(await judge.round(never)).toMatchObject({ countedMachines: 1 });
    await report('second');
    expect(await judge.round(never)).toMatchObject({ judged: false });
    now += 19_999;
    expect(await judge.round(never)).toMatchObject({ judged: false });
    now += 1;
    expect(await judge.round(never)).toMatchObject({ judgedParts: 1, countedMachines: 1 });
    await report('third');
    const record = randomRecord(new Random(1));
    await writeRecords(database, record.list, [record], now);
    expect(await judge.round(never)).toMatchObject({ changedRecords: 1, judgedParts: 1 });
  });

  test('judges when the clock was set back while another process, which has ended since, had the lease', async () => {
    const [year, minute] = [365 * 24 * 3_600_000, 60_000];
    now += year;
    expect(await takeLease(database, 'of another', now)).toBe(true);
    const judge = new FleetJudge({ database, clock, restAfter: () => 20_000 });
    await report('fourth');
    expect(await judge.round(never)).toMatchObject({ judged: false });
    now -= year;
    expect(await judge.round(never)).toMatchObject({ judged: true, countedMachines: 1 });
    // A clock that is a minute ahead takes no valid lease.
    expect(await takeLease(database, 'of another', now + minute)).toBe(true);
    expect(await takeLease(database, 'of a third', now)).toBe(false);
  });

  test('does not let machines wait when the clock was set back after a round', async () => {
    now += 3_600_000;
    const judge = new FleetJudge({ database, clock, restAfter: () => 20_000 });
    await report('fifth');
    expect(await judge.round(never)).toMatchObject({ countedMachines: 1 });
    now -= 3_600_000;
    await report('sixth');
    expect(await judge.round(never)).toMatchObject({ countedMachines: 1 });
  });
});

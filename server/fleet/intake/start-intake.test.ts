/** The intake thread stores reports. After any failure of the thread, the next report is stored again. */
import type { ReportedMachine } from '@patch/contract/fleet/machine-report-endpoints.ts';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { maintainFleet } from '../fleet-maintenance-store.ts';
import { readSetsOfParts } from '../parts/part-machines-store.ts';
import { buildAlmaMachine, buildReportingClients } from '../testing/client-of-fleet.ts';
import { type IntakeOptions, type RunningIntake, startIntake } from './start-intake.ts';

const faulty = new URL('../testing/faulty-intake-thread.ts', import.meta.url);
const here = new AbortController().signal;

describeWithDatabase('intake thread', (open) => {
  let database: OpenDatabase;
  let client = 0;
  const logged: string[] = [];
  let intake: RunningIntake | null = null;

  beforeAll(async () => {
    database = await open();
    [client = 0] = await buildReportingClients(database, ['North']);
  });
  afterEach(async () => {
    await intake?.stop();
    intake = null;
    logged.length = 0;
  });

  const started = (more: Partial<IntakeOptions> = {}) => {
    const log = {
      debug: () => undefined,
      warn: (_: object, words: string) => void logged.push(words),
      error: (_: object, words: string) => void logged.push(words),
    };
    intake = startIntake({ database, log, ...more } as IntakeOptions);
    return intake;
  };
  const machine = (key: string, version = '1-1') => buildAlmaMachine(key, `bash-${version}`);
  const body = (...machines: readonly ReportedMachine[]) =>
    Buffer.from(JSON.stringify({ machines }));
  const states = async (...machines: ReportedMachine[]) => {
    const outcomes = await (intake ?? started()).take(client, body(...machines), here);
    return outcomes.map(({ key, state }) => `${key} ${state}`);
  };

  test('stores machines, and the same ones again', async () => {
    started();
    expect(await states(machine('a'), machine('b'))).toEqual(['a stored', 'b stored']);
    expect(await states(machine('a', '2-1'), machine('b'))).toEqual(['a stored', 'b unchanged']);
  });

  test('adds parts again that were deleted meanwhile', async () => {
    started();
    await states(machine('gone', '7-7'));
    const now = Date.now() + 1000 * 24 * 3_600_000;
    await maintainFleet(database, { now, retentionDays: 1, signal: here });
    expect(await states(machine('gone', '7-7'))).toEqual(['gone stored']);
    const { rows } = await database.query('select id, names from inventory_part');
    expect(rows.map(({ names }) => names)).toEqual([['bash']]);
    const partId = Number(rows[0]?.['id']);
    expect(await readSetsOfParts(database, [partId])).toMatchObject([{ partId }]);
  });

  test('returns errors with their class and code', async () => {
    started();
    await expect(intake?.take(client + 1000, body(machine('a')), here)).rejects.toMatchObject({
      name: 'AppError',
      code: 'machines_not_allowed',
    });
    await expect(intake?.take(client, Buffer.from('{"machines":['), here)).rejects.toMatchObject({
      name: 'AppError',
      code: 'not_json',
    });
    await expect(intake?.take(client, body(), here)).rejects.toMatchObject({
      name: 'AppError',
      code: 'invalid_input',
      message: 'machines must have at least 1 entries.',
    });
  });

  test.each(['takes all memory', 'dies', 'dies within'])(
    'a thread that %s is answered with busy, stores nothing, and is replaced',
    async (fault) => {
      started({
        module: faulty,
        limits: { heapMb: 64 },
      });
      await expect(
        intake?.take(client, body(machine(fault), machine(`beside ${fault}`)), here),
      ).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 });
      expect(logged).toEqual(['calls of a thread were lost']);
      expect(await states(machine(`after ${fault}`))).toEqual([`after ${fault} stored`]);
      const { rows } = await database.query('select natural_key from machine order by 1');
      const keys = rows.map((row) => row['natural_key']);
      expect(keys).toContain(`after ${fault}`);
      expect(keys).not.toContain(`beside ${fault}`);
    },
    120_000,
  );

  test('fails only the request with the defect', async () => {
    started({ module: faulty });
    await expect(intake?.take(client, body(machine('throws')), here)).rejects.toThrow('a defect');
    expect(await states(machine('c'))).toEqual(['c stored']);
    expect(logged).toEqual([]);
  });

  test('ends a thread that never ends, refuses requests beyond the queue, and skips callers who have left', async () => {
    started({ module: faulty, limits: { maxRunning: 1, maxWaiting: 1, taskMs: 4000 } });
    const left = new AbortController();
    const first = intake?.take(client, body(machine('never ends'), machine('beside')), here);
    const second = intake?.take(client, body(machine('waits')), left.signal);
    left.abort();
    await expect(intake?.take(client, body(machine('too many')), here)).rejects.toMatchObject({
      code: 'busy',
    });
    await expect(first).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 });
    await expect(second).rejects.toMatchObject({ code: 'caller_left' });
    expect(logged).toEqual(['calls of a thread were lost']);
    expect(await states(machine('after'))).toEqual(['after stored']);
    const { rows } = await database.query(
      "select natural_key as key from machine where natural_key in ('after', 'beside')",
    );
    expect(rows).toEqual([{ key: 'after' }]);
  });
});

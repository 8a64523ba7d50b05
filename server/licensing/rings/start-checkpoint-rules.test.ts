import { maxCheckpoints } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { auditKey } from '../../platform/audit/audit-hash.ts';
import { entriesPage } from '../../platform/audit/audit-store.ts';
import { verifyChain } from '../../platform/audit/verify-chain.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import {
  addCheckpoint,
  readCheckpoints,
  removeCheckpoint,
} from '../../records/checkpoints/checkpoint-store.ts';
import { cutAt } from '../../testing/cut-connection.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addRing, promoteRing } from './ring-store.ts';
import { addRule, type RuleValues, readRules, removeRule } from './rule-store.ts';
import { startCheckpointRules } from './start-checkpoint-rules.ts';

const day = 24 * 3_600_000;
const key = auditKey(secretBox(Buffer.alloc(32, 9)));

describeWithDatabase('checkpoint rules', (open) => {
  let database: OpenDatabase;
  let now = 0;
  const logged: unknown[] = [];
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(async () => {
    await database.script(
      'delete from ring; delete from checkpoint; delete from checkpoint_rule; delete from kept_record',
    );
    now = Date.UTC(2026, 10, 1);
    logged.length = 0;
  });

  /** Starts another process, whose connections end with the test. */
  function startProcess(url = database.url) {
    const own = serverDatabase({ url, connections: 2 });
    onTestFinished(() => own.close());
    const log = {
      info: () => undefined,
      warn: (...facts: unknown[]) => void logged.push(facts[1]),
    };
    return startCheckpointRules({ database: own, key, log, clock: () => now });
  }

  const add = async (values: Partial<RuleValues> = {}): Promise<number> => {
    const rule = {
      name: 'Patch day',
      week: null,
      weekday: 'Tuesday' as const,
      hour: 18,
      timeZone: 'Europe/Berlin',
      keep: 3,
      ...values,
    };
    return (await addRule(database, rule, now)) ?? 0;
  };
  const addByHand = async (name: string): Promise<number> => {
    const created = await database.transaction((tx) =>
      addCheckpoint(tx, { name, createdBy: 'Operator' }, now),
    );
    return created?.id ?? 0;
  };
  /** The names of all checkpoints, newest first. */
  const names = async () => (await readCheckpoints(database)).map(({ name }) => name);

  test('make a checkpoint at each moment of two years, keep the newest, and those that rings are on', async () => {
    const rules = startProcess();
    await add({ keep: 4, hour: 2, weekday: 'Sunday' });
    const made: string[] = [];
    let held: string | undefined;
    for (const until = now + 731 * day; now < until; now += day) {
      await rules.runDue();
      const present = await names();
      if (present[0] !== undefined && present[0] !== made.at(-1)) made.push(present[0]);
      if (held === undefined && made.length === 10) {
        held = present[2];
        const [, , older] = await readCheckpoints(database);
        await addRing(database, 'Slow', { checkpoint: older?.id ?? 0, by: 'Operator', now });
      }
      const newest = made.slice(-4).toReversed();
      expect(present).toEqual(
        held === undefined || newest.includes(held) ? newest : [...newest, held],
      );
    }
    const sundays: string[] = [];
    for (let date = Date.UTC(2026, 10, 1); date < now - day; date += 7 * day)
      sundays.push(`Patch day ${new Date(date).toISOString().slice(0, 10)}`);
    expect(made).toEqual(sundays);
    const [newest] = await readCheckpoints(database);
    expect(newest).toMatchObject({ createdBy: 'Patch day' });
    const [ring] = await database.query('select id from ring').then(({ rows }) => rows);
    await database.transaction((tx) =>
      promoteRing(tx, Number(ring?.['id']), { checkpoint: newest?.id ?? 0, by: 'Operator', now }),
    );
    now += 7 * day;
    await rules.runDue();
    expect(await names()).not.toContain(held);
    expect(await names()).toHaveLength(4);
  });

  test('make the latest of missed checkpoints once, after a stop and over a changed clock', async () => {
    await add();
    now += 40 * day;
    await startProcess().runDue();
    await startProcess().runDue();
    expect(await names()).toEqual(['Patch day 2026-12-08']);
    now -= 40 * day;
    await startProcess().runDue();
    await startProcess().runDue();
    expect(await names()).toEqual(['Patch day 2026-10-27', 'Patch day 2026-12-08']);
  });

  test('make each checkpoint once when several processes look at the same time', async () => {
    await add({ keep: 50 });
    await add({ name: 'Patch month', week: 2, keep: 2 });
    const processes = [startProcess(), startProcess(), startProcess()];
    for (let week = 1; week <= 12; week += 1) {
      now += 7 * day;
      await Promise.all(processes.map((rules) => rules.runDue()));
      expect((await names()).filter((name) => name.startsWith('Patch day'))).toHaveLength(week);
    }
    expect((await names()).filter((name) => name.startsWith('Patch month'))).toHaveLength(2);
    expect((await names()).filter((name) => name.includes('('))).toEqual([]);
    expect(logged).toEqual([]);
  });

  test.each([
    ['at the claim', 'update checkpoint_rule set done_time', false],
    ['after the claim', 'update checkpoint_rule set done_time', true],
    ['at the lock', 'lock table checkpoint', false],
    ['after the checkpoint', 'insert into checkpoint ', true],
    ['at the audit entry', 'insert into audit_entry', false],
    ['before the commit', 'commit\0', false],
    ['after the commit', 'commit\0', true],
  ])('make a checkpoint once when a process is killed %s', async (_, words, isDelivered) => {
    const rule = await add({ keep: 2 });
    await addByHand('Other');
    now += 7 * day;
    await startProcess().runDue();
    now += 7 * day;
    const { url, isCut } = await cutAt(database.url, words, isDelivered);
    const [killed, other] = [startProcess(url), startProcess()];
    await Promise.all([killed.runDue().catch(() => undefined), other.runDue()]);
    // The other one may have been first: then the process ends at the next moment.
    if (!isCut()) {
      now += 7 * day;
      await killed.runDue().catch(() => undefined);
    }
    expect(isCut()).toBe(true);
    await other.runDue();
    const made = await database.query(
      'select count(*) as n, count(distinct name) as names from checkpoint where rule_id = $1',
      [rule],
    );
    expect(made.rows).toEqual([{ n: 2, names: 2 }]);
    const [newest] = await readCheckpoints(database);
    const entries = await entriesPage(database, { action: 'checkpoint_rule' }, null, 10);
    const ids = entries.map(({ after }) => (JSON.parse(after ?? '{}') as { id?: number }).id);
    expect(ids.filter((id) => id === newest?.id)).toHaveLength(1);
    expect(await verifyChain(database, key, [])).toMatchObject({ intact: true });
  });

  test('say in the rule and once in the log that there are too many checkpoints, and lose nothing', async () => {
    const rules = startProcess();
    await add({ keep: 2 });
    now += 7 * day;
    await rules.runDue();
    for (let count = 1; count < maxCheckpoints; count += 1) await addByHand(`By hand ${count}`);
    const full = await names();
    expect(full).toHaveLength(maxCheckpoints);
    now += 7 * day;
    await rules.runDue();
    await rules.runDue();
    expect(await names()).toEqual(full);
    expect(await readRules(database)).toMatchObject([{ isBlocked: true }]);
    expect(logged).toEqual(['a rule cannot make its checkpoint, because there are too many']);
    const [oldest] = (await readCheckpoints(database)).filter(({ name }) => name === 'By hand 1');
    await database.transaction((tx) => removeCheckpoint(tx, oldest?.id ?? 0));
    await rules.runDue();
    expect((await names())[0]).toBe('Patch day 2026-11-10');
    // Two of its own now: from here on the older one makes room for the next.
    now += 7 * day;
    await rules.runDue();
    expect((await names())[0]).toBe('Patch day 2026-11-17');
    expect(await names()).toHaveLength(maxCheckpoints);
    expect(await names()).not.toContain('Patch day 2026-11-03');
    expect(await readRules(database)).toMatchObject([{ isBlocked: false }]);
  });

  test('add a number to a name that exists, and leave their checkpoints when they are removed', async () => {
    await addByHand('PATCH DAY 2026-11-03');
    await addByHand('Patch day 2026-11-03 (2)');
    const id = await add();
    now += 3 * day;
    await startProcess().runDue();
    expect((await names())[0]).toBe('Patch day 2026-11-03 (3)');
    await removeRule(database, id);
    expect(await names()).toHaveLength(3);
  });
});

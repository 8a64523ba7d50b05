/**
 * After any sequence of syncs, withdrawals, reports, deletions and killed workers, the standing judgement of each machine equals
 * judging the machine alone from nothing.
 */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { ReportedMachine } from '@patch/contract/machine-report-endpoints.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findMachineFindings } from '../../machines/assess-machine.ts';
import { buildRecordIndex } from '../../platform/database/build-record-index.ts';
import type { Database } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { ListMemories } from '../../records/memory/list-memories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { FleetJudge } from '../fleet-judge.ts';
import { IntakeMemory } from '../intake-memory.ts';
import { readMachineMissing } from '../machine-missing-store.ts';
import { readMachine } from '../machine-report.ts';
import { readMachinesMissing } from '../record-machines-store.ts';
import { removeReported } from '../remove-machines.ts';
import { takeReports } from '../take-reports.ts';
import { buildReportingClients } from './client-of-fleet.ts';
import { Random, randomMachine, randomRecord, reported } from './random-fleet.ts';

const KeyRow = IdRow.extend({ key: z.string() });
const never = new AbortController().signal;
const now = 1_800_000_000_000;

/** Fails at one of the next statements, as when the process is killed there. */
function dyingDatabase(database: Database, statements: number): Database {
  let remaining = statements;
  const dies =
    <Given extends readonly unknown[], Answer>(run: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      remaining -= 1;
      if (remaining < 0) throw new Error('killed');
      return run(...given);
    };
  return {
    ...database,
    query: dies((text, values) => database.query(text, values)),
    transaction: (work) =>
      database.transaction((tx) =>
        work({
          script: (text) => tx.script(text),
          query: dies((text, values) => tx.query(text, values)),
        }),
      ),
  };
}

interface Missed {
  readonly record: string;
  readonly state: string;
  readonly reason: string | null;
  readonly evidence: readonly Readonly<Record<'name' | 'installed' | 'fixed', unknown>>[];
}

/** Returns the findings in the order of the records, with the evidence as words. */
const comparable = (missed: readonly Missed[]) =>
  missed
    .map(({ evidence, ...one }) => ({
      ...one,
      evidence: evidence
        .map(
          ({ name, installed, fixed }) => `${String(name)} ${String(installed)} ${String(fixed)}`,
        )
        .toSorted(),
    }))
    .toSorted((a, b) => (a.record < b.record ? -1 : 1));

/** Runs that many random sequences, one after another on the same machines. */
export const testStandingJudgement = (sequences: number) =>
  describeWithDatabase('the standing judgement', (open) => {
    let database: Database;
    let clients: readonly number[];
    beforeAll(async () => {
      database = await open();
      // As the sync worker does at its start.
      await buildRecordIndex({ database });
      clients = await buildReportingClients(database, ['North', 'South']);
    });

    const context = () => ({ database, clock: () => now });
    const memory = new IntakeMemory();

    type Act = (random: Random, machines: Map<string, Machine>) => Promise<void>;

    const sync: Act = async (random) => {
      const records = Array.from({ length: 1 + random.below(6) }, () => randomRecord(random));
      for (const record of records) await writeRecords(database, record.list, [record], now);
    };

    const withdraw: Act = async (random) => {
      const list = random.of(catalogueLists.filter(({ source }) => source !== null));
      const rows = await queryRows(
        database,
        IdRow,
        `select id from ${list.key} where withdrawn_time is null order by id`,
      );
      const ids = rows.length === 0 ? [] : [random.of(rows).id];
      await withdrawRecords(database, list, ids, now);
    };

    const report: Act = async (random, machines) => {
      const client = random.of(clients);
      const made = Array.from({ length: 1 + random.below(5) }, () =>
        ReportedMachine.parse(reported(`m${random.below(8)}`, randomMachine(random))),
      );
      const bodies = new Map(made.map((body) => [body.key, body]));
      const outcomes = await takeReports(context(), client, [...bodies.values()], memory);
      expect(outcomes.map(({ state }) => state)).not.toContain('refused');
      for (const [key, body] of bodies) machines.set(`${client} ${key}`, readMachine(body).machine);
    };

    const remove: Act = async (random, machines) => {
      const keys = [...machines.keys()];
      if (keys.length === 0) return;
      const key = random.of(keys);
      const [client = '', name = ''] = key.split(' ');
      await removeReported(context(), Number(client), name);
      machines.delete(key);
    };

    const killedRounds = new Set<string>();
    const judgeAndDie: Act = async (random) => {
      const dying = dyingDatabase(database, random.below(60));
      const end = await new FleetJudge({ database: dying, clock: () => now }).round(never).then(
        () => 'done',
        (error: unknown) => (error instanceof Error ? error.message : 'thrown'),
      );
      killedRounds.add(end);
    };

    const acts = [sync, sync, sync, withdraw, report, report, remove, judgeAndDie] as const;

    async function settle(): Promise<void> {
      // A killed worker's lease expires; the test does not wait for it.
      await database.query('update fleet_worker set until = 0');
      const judge = new FleetJudge({ database, clock: () => now });
      await judge.round(never);
      await database.query('update fleet_worker set until = 0');
      expect((await judge.round(never)).judgedParts).toBe(0);
    }

    async function expectAsJudgedFromNothing(
      machines: ReadonlyMap<string, Machine>,
    ): Promise<number> {
      const memories = new ListMemories(database);
      const ids = await queryRows(
        database,
        KeyRow,
        `select id, client_id || ' ' || natural_key as key from machine`,
      );
      expect(ids.map(({ key }) => key).toSorted()).toEqual([...machines.keys()].toSorted());
      const byRecord = new Map<string, number[]>();
      let found = 0;
      for (const { id, key } of ids) {
        const machine = machines.get(key);
        if (machine === undefined) throw new Error(`No machine ${key}`);
        const { verdicts } = await findMachineFindings({ database, memories }, machine, never);
        const expected = comparable(
          [...verdicts].flatMap(([record, verdict]) => {
            if (verdict.kind === 'notMissing' || verdict.kind === 'notJudged') return [];
            const reason = verdict.kind === 'uncertain' ? verdict.reason : null;
            return [{ record, state: verdict.kind, reason, evidence: verdict.evidence }];
          }),
        );
        const standing = await readMachineMissing(database, id, now);
        const actual = comparable(
          (standing?.records ?? []).map(({ list, recordId, state, reason, evidence }) => ({
            record: `${list} ${recordId}`,
            state,
            reason,
            evidence,
          })),
        );
        expect({ key, missing: actual }).toEqual({ key, missing: expected });
        await expectCounts(id, standing?.records ?? []);
        found += expected.length;
        for (const { record } of expected)
          byRecord.set(record, [...(byRecord.get(record) ?? []), id]);
      }
      for (const [record, missing] of byRecord) {
        const [list = '', recordId = ''] = record.split(' ');
        const page = { offset: 0, size: 1000, now };
        const { objList } = await readMachinesMissing(
          database,
          { list, recordId: Number(recordId) },
          page,
        );
        expect(objList.map(({ id }) => id)).toEqual(missing.toSorted((a, b) => a - b));
      }
      return found;
    }

    async function expectCounts(
      id: number,
      records: readonly { state: string; severity: string | null; exploited: boolean | null }[],
    ): Promise<void> {
      const { rows } = await database.query(
        `select missing, missing_critical, missing_important, missing_exploited, uncertain, judged_on is not null as judged, not_judged
       from machine_standing where id = $1`,
        [id],
      );
      const missing = records.filter(({ state }) => state === 'missing');
      // A machine that is not judged has counts only when its applications have findings.
      const notJudged = rows[0]?.['not_judged'] === true;
      const count = (counted: readonly unknown[]) =>
        notJudged && records.length === 0 ? null : counted.length;
      expect(rows[0]).toEqual({
        missing: count(missing),
        missing_critical: count(missing.filter(({ severity }) => severity === 'Critical')),
        missing_important: count(missing.filter(({ severity }) => severity === 'Important')),
        missing_exploited: count(missing.filter(({ exploited }) => exploited === true)),
        uncertain: count(records.filter(({ state }) => state === 'uncertain')),
        not_judged: notJudged,
        judged: true,
      });
    }

    test('equals judging each machine from nothing', async () => {
      const machines = new Map<string, Machine>();
      let found = 0;
      for (let seed = 1; seed <= sequences; seed += 1) {
        const random = new Random(seed);
        for (let step = 0; step < 12; step += 1) await random.of(acts)(random, machines);
        await settle();
        found += await expectAsJudgedFromNothing(machines);
      }
      expect(found).toBeGreaterThan(8 * sequences);
      expect([...killedRounds].toSorted()).toEqual(['done', 'killed']);
    });
  });

/**
 * After any sequence of syncs, withdrawals, reports, deletions and killed workers, the standing judgement of each machine equals
 * judging the machine alone from nothing.
 */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { FixEvidence } from '@patch/catalogue/machines/judgement/machine-fixes.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { ReportedMachine } from '@patch/contract/fleet/machine-report-endpoints.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { findMachineFindings } from '../../machines/assess-machine.ts';
import {
  type Findings,
  getLacking,
  noFindings,
  readShownFindings,
} from '../../machines/machine-findings.ts';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import { countMissing, listMissingRecords } from '../../machines/missing-records.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { buildRecordIndex } from '../../platform/database/records/build-record-index.ts';
import { ListMemories } from '../../records/memory/list-memories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { MachinePolicies } from '../due/machine-policies.ts';
import { addException } from '../exceptions/exception-store.ts';
import { FleetJudge } from '../fleet-judge.ts';
import { IntakeMemory } from '../intake/intake-memory.ts';
import { readMachine } from '../intake/machine-report.ts';
import { removeReported } from '../intake/machine-report-routes.ts';
import { takeReports } from '../intake/take-reports.ts';
import { readEvidenceOfParts } from '../judgement/part-missing-store.ts';
import { readMachinesMissing } from '../missing/fleet-summary-store.ts';
import { readMachineStanding } from '../missing/machine-standing-store.ts';
import { buildReportingClients } from './client-of-fleet.ts';
import { expectExposure } from './expect-exposure.ts';
import { expectPlans } from './expect-plans.ts';
import { Random, randomMachine, randomRecord, reported } from './random-fleet.ts';

const MachineRow = IdRow.extend({ client_id: z.number(), key: z.string() });
const MissingRow = z.object({ list: z.string(), record_id: z.number() });
const addOne = (counts: Map<string, number>, key: string) =>
  counts.set(key, (counts.get(key) ?? 0) + 1);
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

const evidenceWords = (evidence: readonly FixEvidence[]) =>
  evidence
    .map(({ name, installed, fixed, source }) => [name, installed, fixed, source?.fixed].join(' '))
    .toSorted();

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

    /** Accepts a record on one machine, on all of a client or a group, or on all. */
    const accept: Act = async (random) => {
      const missing = await queryRows(
        database,
        MissingRow,
        'select list, record_id from missing_record order by id',
      );
      const ids = await queryRows(
        database,
        MachineRow,
        `select id, client_id, '' as key from machine order by id`,
      );
      if (missing.length === 0 || ids.length === 0) return;
      const [{ list, record_id: recordId }, machine] = [random.of(missing), random.of(ids)];
      const target = random.of([
        { machineId: machine.id },
        { machineId: machine.id },
        { clientId: machine.client_id },
        {
          groupId: 1 + random.below(2),
          machines: ids.slice(random.below(ids.length)).map(({ id }) => id),
        },
        'all',
      ] as const);
      await database.transaction(async (tx) =>
        addException(
          tx,
          {
            target,
            list,
            recordId,
            kind: 'accepted',
            until: now + 1 + random.below(2),
            reason: 'later',
            ownerId: null,
            ownerAddress: null,
            by: 'admin',
          },
          now,
        ),
      );
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

    const acts = [sync, sync, sync, withdraw, report, report, remove, accept, judgeAndDie] as const;

    async function settle(): Promise<void> {
      // A killed worker's lease expires; the test does not wait for it.
      await database.query('update fleet_worker set until = 0, tallied_on = 0');
      const judge = new FleetJudge({ database, clock: () => now });
      await judge.round(never);
      await database.query('update fleet_worker set until = 0');
      expect((await judge.round(never)).judgedParts).toBe(0);
    }

    async function expectAsJudgedFromNothing(
      machines: ReadonlyMap<string, Machine>,
    ): Promise<number> {
      const ids = await queryRows(
        database,
        MachineRow,
        `select id, client_id, client_id || ' ' || natural_key as key from machine`,
      );
      expect(ids.map(({ key }) => key).toSorted()).toEqual([...machines.keys()].toSorted());
      const byRecord = new Map<string, number[]>();
      const certainly = new Map<string, number[]>();
      const tally = new Map<string, number>();
      const assessed = new Map<number, Findings>();
      let found = 0;
      for (const { id, key } of ids) {
        const machine = machines.get(key);
        const standing = await readMachineStanding(database, id, now);
        if (machine === undefined || standing === null) throw new Error(`No machine ${key}`);
        const accepted = new Set(standing.accepted.keys());
        const memories = new ListMemories(database);
        const findings = await findMachineFindings(
          { database, memories },
          { machine, accepted, ring: null },
          never,
        );
        assessed.set(id, findings);
        const lacking = getLacking(findings.verdicts);
        expect({ key, missing: await readStates(standing.parts) }).toEqual({
          key,
          missing: new Map(lacking.map(({ key: record, verdict }) => [record, verdict.kind])),
        });
        const certain = lacking.filter(({ verdict }) => verdict.kind === 'missing');
        const evidence = Map.groupBy(
          await readEvidenceOfParts(database, standing.parts),
          ({ list, recordId }) => toRecordKey(list, recordId),
        );
        for (const one of certain)
          expect(
            evidenceWords((evidence.get(one.key) ?? []).flatMap((part) => part.evidence)),
          ).toEqual(evidenceWords(one.evidence));
        await expectCounts(id, findings, accepted);
        found += lacking.length;
        for (const { key: record } of lacking)
          byRecord.set(record, [...(byRecord.get(record) ?? []), id]);
        for (const { key: record } of certain.filter((one) => !accepted.has(one.key))) {
          addOne(tally, record);
          certainly.set(record, [...(certainly.get(record) ?? []), id]);
          const steps = findings.closers.get(record) ?? [];
          for (const step of steps.includes(record) ? [record] : steps)
            addOne(tally, `${record} → ${step}`);
        }
      }
      expect(await readTally()).toEqual(tally);
      await expectPlans(database, now, assessed);
      for (const [record, missing] of byRecord) {
        const [list = '', recordId = ''] = record.split(' ');
        const page = { offset: 0, size: 1000, now, policies: new MachinePolicies(), within: null };
        const { objList } = await readMachinesMissing(
          database,
          { list, recordId: Number(recordId) },
          page,
        );
        expect(objList.map(({ id }) => id)).toEqual(missing.toSorted((a, b) => a - b));
        const certain = certainly.get(record) ?? [];
        await expectExposure(database, `${list}/${recordId}`, now, {
          certain,
          // All others were released decades ago.
          overdue: list === 'thirdparty_patch' ? [] : certain,
          machines: ids.length,
        });
      }
      return found;
    }

    /** Returns the most certain state of each record that one of the parts lacks. */
    async function readStates(parts: readonly number[]) {
      const { rows } = await database.query(
        `select list || ' ' || record_id as record, state from part_missing join missing_record on missing_record.id = missing_id
         where part_id = any($1::int[]) order by array_position(array['uncertain', 'needsSubscription', 'missing'], state)`,
        [arrayText(parts)],
      );
      return new Map(rows.map(({ record, state }) => [record, state]));
    }

    /** Returns the machines by record, and by record and step. */
    async function readTally() {
      const { rows } = await database.query(
        `select list || ' ' || record_id as key, machines from missing_record where machines > 0 union all
         select own.list || ' ' || own.record_id || ' → ' || step.list || ' ' || step.record_id, missing_closer.machines
         from missing_closer join missing_record as own on own.id = missing_id join missing_record as step on step.id = step_id`,
      );
      return new Map(rows.map(({ key, machines }) => [key, machines]));
    }

    async function expectCounts(
      id: number,
      { verdicts, records }: Findings,
      accepted: ReadonlySet<string>,
    ): Promise<void> {
      const { rows } = await database.query(
        `select missing, missing_critical, missing_important, missing_moderate, missing_low, missing_unspecified, missing_exploited,
           uncertain, needs_subscription, accepted, judged_on is not null as judged, not_judged from machine_standing where id = $1`,
        [id],
      );
      const shown = await readShownFindings(database, { verdicts, records });
      const assessment = listMissingRecords({ ...noFindings, verdicts, shown }, { accepted });
      const unaccepted = assessment.missing.filter(
        ({ list, recordId }) => !accepted.has(toRecordKey(list, recordId)),
      );
      const counts = countMissing(unaccepted);
      // A machine that is not judged has counts only when its applications have findings.
      const notJudged = rows[0]?.['not_judged'] === true;
      const count = (counted: number) =>
        notJudged && assessment.missing.length === 0 ? null : counted;
      expect(rows[0]).toEqual({
        missing: count(unaccepted.filter(({ state }) => state === 'missing').length),
        missing_critical: count(counts.critical),
        missing_important: count(counts.important),
        missing_moderate: count(counts.moderate),
        missing_low: count(counts.low),
        missing_unspecified: count(counts.unspecified),
        missing_exploited: count(counts.exploited),
        uncertain: count(counts.uncertain),
        needs_subscription: count(counts.needsSubscription),
        accepted: count(assessment.missing.length - unaccepted.length),
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

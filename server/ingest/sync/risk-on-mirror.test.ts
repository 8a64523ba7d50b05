/** The risk sources on real files: later states, faults of the publisher, and what a second sync does. */
import { fileURLToPath } from 'node:url';
import type { RiskSourceKey } from '@patch/catalogue/definition/risk-facts.ts';
import { riskFeeds } from '@patch/catalogue/risk/risk-feeds.ts';
import {
  describeWithRiskEdgeCases,
  riskEdgeCases,
} from '@patch/catalogue/testing/risk-edge-cases.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openEmbedded } from '../../platform/database/embedded-database.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { type Fault, type RunningMirror, startFeedMirror } from '../../testing/feed-mirror.ts';
import { httpUpstream } from './http-upstream.ts';
import { forgetRisk, type RiskTables, riskTables } from './testing/risk-tables.ts';
import { SyncBench } from './testing/sync-bench.ts';
import type { ToldRun } from './testing/told-run.ts';

const overlay = (name: string) => fileURLToPath(new URL(`${name}/`, riskEdgeCases));

describeWithRiskEdgeCases('risk sources on the feed mirror', () => {
  let database: Database;
  let bench: SyncBench;
  const states: RunningMirror[] = [];
  const [first, nextDay, nextWeek] = [0, 1, 2];

  beforeAll(async () => {
    database = await openEmbedded({ dataDir: null });
    await migrate(database);
    states.push(
      await startFeedMirror(),
      await startFeedMirror({ overlay: overlay('overlay-next-day') }),
      await startFeedMirror({ overlay: overlay('overlay-next-week') }),
    );
  });
  afterAll(async () => {
    for (const mirror of states) await mirror.stop();
    await database.close();
  });
  beforeEach(async () => {
    await forgetRisk(database);
    bench = await SyncBench.open(database);
  });
  afterEach(async () => {
    for (const mirror of states) await mirror.fail();
    await bench.close();
  });

  async function sync(state: number, source: RiskSourceKey): Promise<ToldRun> {
    const upstream = httpUpstream(states[state]?.url ?? '');
    try {
      return await bench.sync(riskFeeds[source], { source, upstream, fetching: { tries: 2 } });
    } finally {
      upstream.close();
    }
  }
  async function fresh(state: number, source: RiskSourceKey): Promise<RiskTables> {
    await sync(state, source);
    const tables = await riskTables(database);
    await forgetRisk(database);
    await bench.close();
    bench = await SyncBench.open(database);
    return tables;
  }

  test.each(['kev', 'epss'] as const)(
    '%s: a database that read every state equals one that read the last',
    { timeout: 240_000 },
    async (source) => {
      const truth = await fresh(nextWeek, source);
      for (const state of [first, nextDay, nextWeek])
        expect((await sync(state, source)).state).toMatch(/^succeeded/);
      const { scores, vulnerabilities } = await riskTables(database);
      expect(scores).toEqual(truth.scores);
      // A CVE whose entry has gone keeps its row, without facts.
      const named = (rows: readonly object[]) =>
        rows.filter((row) => JSON.stringify(row).includes('"kev_hash":"'));
      expect(named(vulnerabilities)).toEqual(named(truth.vulnerabilities));
      expect(await sync(nextWeek, source)).toMatchObject({ added: 0, changed: 0, withdrawn: 0 });
    },
  );

  const faults: readonly (readonly [string, Omit<Fault, 'match'>, RegExp])[] = [
    ['answers 403', { kind: 'status', value: 403 }, /answered 403/],
    ['answers 500', { kind: 'status', value: 500 }, /answered 500/],
    ['breaks off in the middle', { kind: 'truncate', value: 0.5 }, /broke off after/],
  ];
  test.each(faults)(
    'a publisher that %s changes nothing, and the next sync heals it',
    { timeout: 240_000 },
    async (_name, fault, told) => {
      for (const source of ['kev', 'epss'] as const) {
        const truth = await fresh(nextDay, source);
        await sync(first, source);
        const before = await riskTables(database);
        await states[nextDay]?.fail({ match: '', ...fault });
        const run = await sync(nextDay, source);
        expect(run.state).toBe('failed');
        expect([run.message, ...run.warnings].join('\n')).toMatch(told);
        expect(await riskTables(database)).toEqual(before);
        await states[nextDay]?.fail();
        expect((await sync(nextDay, source)).state).toMatch(/^succeeded/);
        expect((await riskTables(database)).scores).toEqual(truth.scores);
        await forgetRisk(database);
      }
    },
  );
});

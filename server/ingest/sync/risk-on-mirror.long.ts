/** Syncs risk sources from real files: later states, faults of the publisher, and repeated syncs. */
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type CveRecord,
  type RiskSourceKey,
  riskSourceKeys,
} from '@patch/catalogue/definition/risk-facts.ts';
import { riskFeeds } from '@patch/catalogue/risk/risk-feeds.ts';
import { plainCveRecord, writtenCves } from '@patch/catalogue/testing/plain-cve-record.ts';
import {
  describeWithRiskEdgeCases,
  riskEdgeCases,
} from '@patch/catalogue/testing/risk-edge-cases.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { type Fault, type RunningMirror, startFeedMirror } from '../../testing/feed-mirror.ts';
import { httpUpstream } from '../fetching/http-upstream.ts';
import { forgetRisk, type RiskTables, riskTables } from '../testing/risk-tables.ts';
import type { RunWithTexts } from '../testing/run-with-texts.ts';
import { SyncBench } from '../testing/sync-bench.ts';

const overlay = (name: string) => fileURLToPath(new URL(`${name}/`, riskEdgeCases));

describeWithRiskEdgeCases('risk sources on the feed mirror', () => {
  let database: Database;
  let bench: SyncBench;
  const states: RunningMirror[] = [];
  const [first, nextDay] = [0, 1];

  beforeAll(async () => {
    database = await openMigrated();
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

  const now = Date.UTC(2026, 7, 21);
  /** The states of each source. NVD has no state after the next day. */
  const statesBySource = { kev: [0, 1, 2], epss: [0, 1, 2], cvss: [0, 1] } as const;

  async function sync(state: number, source: RiskSourceKey): Promise<RunWithTexts> {
    const upstream = httpUpstream(states[state]?.url ?? '');
    try {
      return await bench.sync(riskFeeds[source], { source, upstream, now, fetching: { tries: 2 } });
    } finally {
      upstream.close();
    }
  }
  async function fresh(state: number, source: RiskSourceKey): Promise<RiskTables> {
    await sync(state, source);
    const tables = await riskTables(database);
    await forget();
    return tables;
  }
  async function forget(): Promise<void> {
    await forgetRisk(database);
    await bench.close();
    bench = await SyncBench.open(database);
  }
  /** Omits CVEs without facts, whose rows remain after their entry was removed. */
  const withFacts = ({ vulnerabilities }: RiskTables) =>
    vulnerabilities.filter((row) => /"(kev|cve_record)_hash":"/.test(JSON.stringify(row)));

  test.each(riskSourceKeys)(
    'writes for %s the same rows from every state as from the last one',
    { timeout: 240_000 },
    async (source) => {
      const last = statesBySource[source].at(-1) ?? 0;
      const truth = await fresh(last, source);
      for (const state of statesBySource[source])
        expect((await sync(state, source)).state).toMatch(/^succeeded/);
      const upgraded = await riskTables(database);
      expect(truth.scores.length + withFacts(truth).length).toBeGreaterThan(1000);
      expect(upgraded.scores).toEqual(truth.scores);
      expect(withFacts(upgraded)).toEqual(withFacts(truth));
      const again = await sync(last, source);
      expect(again).toMatchObject({ added: 0, changed: 0, withdrawn: 0 });
      expect(again.state).toMatch(/^succeeded/);
    },
  );

  test('stores the newest CVSS record of every CVE', async () => {
    await sync(first, 'cvss');
    expect(await storedRecords()).toEqual(newestRecords([feedMirrorFolder]));
    await sync(nextDay, 'cvss');
    const both = newestRecords([feedMirrorFolder, new URL('overlay-next-day/', riskEdgeCases)]);
    expect(await storedRecords()).toEqual(both);
    expect(both.size).toBeGreaterThan(11_000);
    const { rows } = await database.query(
      'select cve, cvss, cvss_vector as vector, published from vulnerability where cve_record is not null',
    );
    const shown = new Map(rows.map(({ cve, ...row }) => [String(cve), row]));
    expect(shown).toEqual(
      new Map(
        [...both].map(
          ([
            cve,
            {
              scores: [score],
              published,
            },
          ]) => [cve, { cvss: score?.score ?? null, vector: score?.vector ?? null, published }],
        ),
      ),
    );
  });

  test('keeps newer CVSS records when older files are read', { timeout: 240_000 }, async () => {
    await sync(nextDay, 'cvss');
    const newer = await riskTables(database);
    expect((await sync(first, 'cvss')).state).toMatch(/^succeeded/);
    expect(await riskTables(database)).toEqual(newer);
  });

  const faults: readonly (readonly [string, Omit<Fault, 'match'>, RegExp])[] = [
    ['answers 403', { kind: 'status', value: 403 }, /answered 403/],
    ['answers 500', { kind: 'status', value: 500 }, /answered 500/],
    ['breaks off in the middle', { kind: 'truncate', value: 0.5 }, /broke off after/],
    ['sends damaged files', { kind: 'corrupt', value: 3 }, /cannot be read|UTF-8|sha256/],
  ];
  describe.each(riskSourceKeys)('%s', (source) => {
    test.each(faults)(
      'changes nothing when the publisher %s, and recovers with the next sync',
      { timeout: 240_000 },
      async (_name, fault, message) => {
        const truth = await fresh(nextDay, source);
        await sync(first, source);
        const before = await riskTables(database);
        await states[nextDay]?.fail({ match: '', ...fault });
        const run = await sync(nextDay, source);
        expect(run.state).toBe('failed');
        expect([run.message, ...run.warnings].join('\n')).toMatch(message);
        expect(await riskTables(database)).toEqual(before);
        await states[nextDay]?.fail();
        expect((await sync(nextDay, source)).state).toMatch(/^succeeded/);
        const healed = await riskTables(database);
        expect(healed.scores).toEqual(truth.scores);
        expect(withFacts(healed)).toEqual(withFacts(truth));
      },
    );
  });

  test('keeps the other years when a CVSS year fails', { timeout: 240_000 }, async () => {
    await states[first]?.fail({ match: 'nvdcve-2.0-2024.json', kind: 'truncate', value: 0.5 });
    const run = await sync(first, 'cvss');
    expect([run.message, ...run.warnings].join('\n')).toMatch(/2024.*broke off after/s);
    const stored = await storedRecords();
    expect(stored.size).toBeGreaterThan(5000);
    await states[first]?.fail();
    await states[first]?.forgetRequests();
    expect((await sync(first, 'cvss')).state).toMatch(/^succeeded/);
    expect(await storedRecords()).toEqual(newestRecords([feedMirrorFolder]));
    // Documents that have been read are not fetched again.
    const files = Object.keys((await states[first]?.requests()) ?? {}).filter((address) =>
      address.includes('.json.gz'),
    );
    expect(files.map((address) => address.replace(/.*nvdcve-2\.0-/, ''))).toEqual(['2024.json.gz']);
  });

  async function storedRecords(): Promise<ReadonlyMap<string, unknown>> {
    const { rows } = await database.query(
      'select cve, cve_record as record from vulnerability where cve_record is not null order by cve_folded',
    );
    return new Map(rows.map((row) => [String(row['cve']), row['record']]));
  }
});

const feedMirrorFolder = new URL('../feed-mirror/', riskEdgeCases);

/** Returns the record of each CVE that was modified last, from all files of NVD in these folders. */
function newestRecords(roots: readonly URL[]): ReadonlyMap<string, CveRecord> {
  const newest = new Map<string, CveRecord>();
  for (const root of roots) {
    const folder = new URL('nvd.nist.gov/feeds/json/cve/2.0/', root);
    for (const name of globSync('*.json.gz', { cwd: folder })) {
      if (name.includes('recent')) continue;
      for (const written of writtenCves(name, folder)) {
        const record = plainCveRecord(written);
        const known = newest.get(record.cve);
        if (known === undefined || (record.lastModified ?? 0) > (known.lastModified ?? 0))
          newest.set(record.cve, record);
      }
    }
  }
  return newest;
}

/** A catalogue bundle carries the facts of risk sources to an installation that cannot sync them. */
import type { EpssScore, KnownExploited } from '@patch/catalogue/definition/risk-facts.ts';
import { beforeEach, expect, test } from 'vitest';
import { riskTables } from '../../ingest/testing/risk-tables.ts';
import { removeScores, writeScores } from '../../platform/database/cves/epss-score-store.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  buildCveFacts,
  buildCvssScore,
  buildKevFacts,
  writeCveFacts,
} from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { readCounts, withBundleExchange } from './testing/bundle-exchange.ts';
import { unzipped } from './testing/zip-files.ts';

const cves = Array.from({ length: 30 }, (_, n) => `CVE-2031-${1001 + n}`);
const [first = '', second = ''] = cves;
const risk = { sources: ['kev', 'epss', 'cvss'] };

const buildKev = (cve: string, more: Partial<KnownExploited> = {}) =>
  buildKevFacts(cve, { name: `A flaw ${cve} \u2028 "quoted"`, cwes: ['CWE-79'], ...more });
const noLongerExploited = (cve: string) => ({ of: 'kev', cve, facts: null, hash: '' }) as const;
const buildCvss = (cve: string, score: number, lastModified: number) =>
  buildCveFacts(cve, {
    description: 'A description.',
    lastModified,
    scores: [buildCvssScore({ score, vector: 'CVSS:3.1/AV:N', severity: 'HIGH' })],
  });
const buildScore = (cve: string, epss: number, percentile = 0.5): EpssScore => ({
  kind: 'epss',
  cve: cve.toLowerCase(),
  epss,
  percentile,
});
const writeEpss = (database: Database, scores: readonly EpssScore[]) =>
  database.transaction((tx) =>
    writeScores(tx, scores, { stale: new Set(scores.map(({ cve }) => cve)), now: 2000 }),
  );

const clear = `delete from download_job; delete from bundle_key; delete from bundle_applied; delete from almalinux_patch;
  delete from record; delete from record_risk; delete from record_epss; delete from sync_change;
  delete from vulnerability; delete from epss_score; delete from stale_cve; delete from sync_run;
  update list_revision set listed = 0, revision = revision + 1;`;

describeWithDatabase('bundle of risk sources', (open) => {
  const exchange = withBundleExchange(open);
  let from: Database;
  let to: Database;
  beforeEach(async () => {
    from = exchange.from.database;
    to = exchange.to.database;
    for (const database of [from, to]) {
      await database.script(clear);
      await writeRecords(database, 'almalinux_patch', [erratum(1, first), erratum(2, second)]);
    }
    for (const facts of [buildKev(first), buildCvss(first, 9.8, 1), buildCvss(second, 4.5, 1)])
      await writeCveFacts(from, facts);
    await writeEpss(
      from,
      cves.map((cve) => buildScore(cve, 0.25)),
    );
    await refreshStaleCves(from);
    await exchange.trust();
  });
  const erratum = (n: number, cve: string) => ({
    key: `ALSA-${n}`,
    row: { title: `ALSA-${n}`, bulletinId: `ALSA-${n}` },
    detail: { cve: [cve] },
  });
  const check = async () => exchange.upload(await exchange.bundle(risk));

  test('imports scores, exploitation and CVE records, and updates the risk of records', async () => {
    const checked = await check();
    expect(checked.report).toMatchObject({
      families: ['Known exploited (CISA KEV)', 'EPSS (FIRST)', 'CVSS and SSVC (NVD)'],
      concerns: [],
    });
    const expected = { kev: [1, 0, 0, 0], epss: [30, 0, 0, 0], cvss: [2, 0, 0, 0] };
    expect(readCounts(checked)).toEqual(expected);
    expect((await riskTables(to)).scores).toEqual([]);
    expect(readCounts(await exchange.apply(checked))).toEqual(expected);
    const { vulnerabilities, scores } = await riskTables(from);
    const ofRecord = (identifier: string, exploited: boolean, cvss: number) => ({
      list: 'almalinux_patch',
      identifier,
      exploited,
      cvss,
      // NVD calls each of them High.
      severity_rank: 4,
      epss: 0.25,
    });
    // Known exploited vulnerabilities were read, so all others are known not to be exploited.
    const records = [ofRecord('ALSA-1', true, 9.8), ofRecord('ALSA-2', false, 4.5)];
    expect(await riskTables(to)).toEqual({ vulnerabilities, scores, records });
    const { rows } = await to.query('select source, state, added from sync_run order by source');
    expect(rows).toEqual([
      { source: 'cvss', state: 'succeeded', added: 2 },
      { source: 'epss', state: 'succeeded', added: 30 },
      { source: 'kev', state: 'succeeded', added: 1 },
    ]);
    const again = { kev: [0, 0, 0, 1], epss: [0, 0, 0, 30], cvss: [0, 0, 0, 2] };
    expect(readCounts(await check())).toEqual(again);
  });

  test('applies changes and removals, and keeps a newer CVE record', async () => {
    await exchange.bring(risk);
    const exploited = buildKev(second, { ransomware: true });
    await writeCveFacts(from, noLongerExploited(first), exploited);
    await writeCveFacts(from, buildCvss(second, 7.5, 2));
    await writeCveFacts(to, buildCvss(first, 3.1, 9));
    const removed = cves.at(-1)?.toLowerCase() ?? '';
    await from.transaction((tx) => removeScores(tx, [removed], true));
    await writeEpss(from, [buildScore(first, 0.5), buildScore(second, 0.25, 0.75)]);
    const checked = await check();
    const expected = { kev: [1, 0, 1, 0], epss: [0, 1, 1, 28], cvss: [0, 1, 0, 1] };
    expect(readCounts(checked)).toEqual(expected);
    expect(checked.report?.concerns).toEqual([]);
    expect(readCounts(await exchange.apply(checked))).toEqual(expected);
    const { scores, records } = await riskTables(to);
    expect(scores).toEqual((await riskTables(from)).scores);
    expect(records).toMatchObject([
      { identifier: 'ALSA-1', exploited: false, cvss: 3.1, epss: 0.5 },
      { identifier: 'ALSA-2', exploited: true, cvss: 7.5, epss: 0.25 },
    ]);
    const { rows } = await to.query('select identity, kind from sync_change order by 1, 2');
    expect(rows).toEqual([
      { identity: second, kind: 'added' },
      { identity: second, kind: 'changed' },
    ]);
  });

  test('needs approval to remove many known exploited vulnerabilities', async () => {
    await writeCveFacts(from, ...cves.slice(1, 8).map((cve) => buildKev(cve)));
    await exchange.bring(risk);
    await writeCveFacts(from, ...cves.slice(1, 7).map(noLongerExploited));
    const checked = await check();
    const words = 'It withdraws 6 of the 8 records of Known exploited (CISA KEV).';
    expect(checked.report?.concerns).toEqual([{ kind: 'withdrawals', words }]);
    expect(await exchange.requestApply(checked).status).toBe(409);
    const accepted = await exchange.apply(await check(), ['withdrawals']);
    expect(readCounts(accepted)).toMatchObject({ kev: [0, 0, 6, 2] });
  });

  test('contains the CVE records written since a run, and the small sources in full', async () => {
    await exchange.bring(risk);
    const { rows } = await from.query(
      "insert into sync_run (source, state, started_by, queued_time, started_time, heartbeat_time) values ('cvss', 'succeeded', 'schedule', 5000, 5000, 5000) returning id",
    );
    await from.query(
      'update vulnerability set updated_time = case when cve = $1 then 6000 else 4000 end',
      [second],
    );
    const since = { sources: ['cvss'], sinceRun: Number(rows[0]?.['id']) };
    const files = await unzipped(await exchange.bundle(since));
    expect(String(files['risk/cvss.jsonl']).trim().split('\n')).toHaveLength(1);
    const manifest = JSON.parse(String(files['manifest.json'])) as object;
    expect(manifest).toMatchObject({ version: 4, risk: [{ source: 'cvss', whole: false }] });
  });
});

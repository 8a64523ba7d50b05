/** Syncs of risk sources: new, changed, missing and invalid entries, and their effect on records. */

import { epssFeed } from '@patch/catalogue/risk/epss-feed.ts';
import { kevFeed } from '@patch/catalogue/risk/kev-feed.ts';
import { beforeEach, expect, test } from 'vitest';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { storedEvents } from '../../testing/stored-events.ts';
import { SyncBench } from '../testing/sync-bench.ts';

const kevAddress = 'www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json';
const epssAddress = 'epss.empiricalsecurity.com/epss_scores-current.csv.gz';

const entry = (cveID: string, more: object = {}) => ({
  cveID,
  vendorProject: 'Vendor',
  product: 'Product',
  vulnerabilityName: `A flaw ${cveID}`,
  dateAdded: '2026-08-01',
  shortDescription: 'Words',
  requiredAction: 'Apply updates',
  dueDate: '2026-08-22',
  knownRansomwareCampaignUse: 'Unknown',
  notes: '',
  cwes: ['CWE-79'],
  ...more,
});
const catalogue = (day: number, entries: readonly object[]) => ({
  title: 'CISA Catalog of Known Exploited Vulnerabilities',
  catalogVersion: `2026.08.${String(day).padStart(2, '0')}`,
  dateReleased: `2026-08-${String(day).padStart(2, '0')}T12:00:00.0000Z`,
  count: entries.length,
  vulnerabilities: entries,
});
const many = Array.from({ length: 40 }, (_, n) => `CVE-2026-${1000 + n}`);

const scores = (day: string, rows: readonly string[], model = 'v2026.06.15') =>
  `#model_version:${model},score_date:${day}T12:00:00Z\ncve,epss,percentile\n${rows.join('\n')}\n`;

describeWithDatabase('a risk source', (open) => {
  let database: Database;
  let bench: SyncBench;
  beforeEach(async () => {
    database = await open();
    bench = await SyncBench.open(database);
    return () => bench.close();
  });

  const syncKev = async (day: number, entries: readonly object[]) => {
    await bench.publish(kevAddress, catalogue(day, entries));
    return bench.sync(kevFeed, { source: 'kev' });
  };
  const syncEpss = async (day: string, rows: readonly string[], model?: string) => {
    await bench.publish(epssAddress, scores(day, rows, model));
    return bench.sync(epssFeed, { source: 'epss' });
  };
  const shown = async (columns: string) =>
    (await database.query(`select ${columns} from vulnerabilities order by cve`)).rows;
  const erratum = (key: string, cve: readonly string[]) =>
    writeRecords(database, 'almalinux_patch', [
      { key, row: { title: key, bulletinId: key }, detail: { cve } },
    ]);
  const revisions = async () =>
    (await database.query("select revision from list_revision where list = 'almalinux_patch'"))
      .rows;

  test('makes events of CVEs of records that became known exploited, not of the first reading', async () => {
    await erratum('ALSA-1', ['CVE-2026-1000', 'CVE-2026-1001']);
    await syncKev(1, [entry('CVE-2026-1000')]);
    expect(await storedEvents(database)).toEqual([]);
    const changed = entry('CVE-2026-1000', { notes: 'more' });
    // No record names the third one.
    await syncKev(2, [changed, entry('CVE-2026-1001'), entry('CVE-2026-1002')]);
    expect(await storedEvents(database)).toEqual([
      [
        'vulnerability.exploited',
        'CVE-2026-1001 became known exploited',
        ['CVE-2026-1001: A flaw CVE-2026-1001 · 1 record'],
      ],
    ]);
  });

  test('splits the event of more than 100 CVEs', async () => {
    const cves = Array.from({ length: 130 }, (_, n) => `CVE-2026-${2000 + n}`);
    await erratum('ALSA-1', cves);
    await syncKev(1, [entry('CVE-2026-1000')]);
    await syncKev(
      2,
      ['CVE-2026-1000', ...cves].map((cve) => entry(cve)),
    );
    const events = await storedEvents(database);
    expect(events.map(([, title]) => title)).toEqual([
      '100 CVEs of records became known exploited',
      '30 CVEs of records became known exploited',
    ]);
    expect(new Set(events.flatMap(([, , items]) => items)).size).toBe(130);
  });

  test('writes a changed KEV entry independently of its date', async () => {
    expect(await syncKev(1, [entry('CVE-2026-1000'), entry('CVE-2026-1001')])).toMatchObject({
      state: 'succeeded',
      added: 2,
    });
    const known = entry('CVE-2026-1001', { knownRansomwareCampaignUse: 'Known' });
    expect(await syncKev(2, [entry('CVE-2026-1000'), known])).toMatchObject({
      state: 'succeeded',
      added: 0,
      changed: 1,
      unchanged: 1,
    });
    expect(await shown('cve, ransomware, title')).toEqual([
      { cve: 'CVE-2026-1000', ransomware: null, title: 'A flaw CVE-2026-1000' },
      { cve: 'CVE-2026-1001', ransomware: true, title: 'A flaw CVE-2026-1001' },
    ]);
    const { rows } = await database.query(
      "select kind, identity, fields from sync_change where kind = 'changed'",
    );
    expect(rows).toEqual([
      {
        kind: 'changed',
        identity: 'CVE-2026-1001',
        fields: { ransomware: { was: false, is: true } },
      },
    ]);
  });

  test('withdraws one missing KEV entry, and quarantines many at once', async () => {
    await syncKev(
      1,
      many.map((cve) => entry(cve)),
    );
    expect(
      await syncKev(
        2,
        many.slice(1).map((cve) => entry(cve)),
      ),
    ).toMatchObject({ withdrawn: 1 });
    expect(
      (await shown('exploited_since')).filter((row) => row['exploited_since'] === null),
    ).toHaveLength(1);
    const suspicious = await syncKev(
      3,
      many.slice(10).map((cve) => entry(cve)),
    );
    expect(suspicious).toMatchObject({ state: 'succeeded_with_warnings', withdrawn: 0 });
    expect(
      (await shown('exploited_since')).filter((row) => row['exploited_since'] === null),
    ).toHaveLength(1);
    await database.query(
      "update quarantine set decision = 'accepted', decided_by = 'Stan' where source = 'kev'",
    );
    expect(await bench.sync(kevFeed, { source: 'kev' })).toMatchObject({
      state: 'succeeded',
      withdrawn: 9,
    });
  });

  test('keeps the stored KEV entry while the new one is invalid', async () => {
    const cves = ['CVE-2026-1000', 'CVE-2026-1001', 'CVE-2026-1002'] as const;
    const due = entry(cves[1], { dueDate: '2026-09-30', knownRansomwareCampaignUse: 'Known' });
    await syncKev(1, [entry(cves[0]), due, entry(cves[2])]);
    await erratum('ALSA-1', [cves[1]]);
    const before = await shown('cve, exploited_since, due_date, ransomware, title');
    const broken = { ...due, dateAdded: '01/08/2026', vulnerabilityName: 'Another' };
    const state = [entry(cves[0]), broken, entry(cves[2])];
    for (const day of [2, 3]) {
      // The catalogue of the second day differs only in its date.
      const run = await syncKev(day, state);
      expect(run).toMatchObject({ changed: 0, withdrawn: 0, rejected: 1 });
      expect(await shown('cve, exploited_since, due_date, ransomware, title')).toEqual(before);
    }
    await refreshStaleCves(database);
    expect((await database.query('select exploited from all_patches')).rows).toEqual([
      { exploited: true },
    ]);
    await syncKev(4, [entry(cves[0]), entry(cves[1]), entry(cves[2])]);
    expect((await shown('ransomware')).map((row) => row['ransomware'])).toEqual([null, null, null]);
  });

  test('marks records with a KEV entry as exploited without a new revision of their list', async () => {
    await erratum('ALSA-1', ['CVE-2026-1000', 'CVE-2026-1001']);
    await erratum('ALSA-2', ['CVE-2026-1001']);
    await erratum('ALSA-3', []);
    const before = await revisions();
    await syncKev(1, [entry('CVE-2026-1000')]);
    await refreshStaleCves(database);
    const { rows } = await database.query(
      'select identifier, exploited from all_patches order by identifier',
    );
    expect(rows).toEqual([
      { identifier: 'ALSA-1', exploited: true },
      { identifier: 'ALSA-2', exploited: false },
      { identifier: 'ALSA-3', exploited: null },
    ]);
    expect(await revisions()).toEqual(before);
  });

  test('stores a changed EPSS percentile without counting it, and updates records with a changed score', async () => {
    await erratum('ALSA-1', ['CVE-2026-1000', 'CVE-2026-1001']);
    const before = await revisions();
    expect(
      await syncEpss('2026-08-12', ['CVE-2026-1000,0.5,0.9', 'CVE-2026-1001,0.25,0.8']),
    ).toMatchObject({
      state: 'succeeded',
      added: 2,
    });
    expect(
      await syncEpss('2026-08-13', ['CVE-2026-1000,0.125,0.7', 'CVE-2026-1001,0.25,0.85']),
    ).toMatchObject({
      changed: 1,
      unchanged: 1,
    });
    expect(await shown('cve, epss, epss_percentile')).toEqual([
      { cve: 'CVE-2026-1000', epss: 0.125, epss_percentile: 0.7 },
      { cve: 'CVE-2026-1001', epss: 0.25, epss_percentile: 0.85 },
    ]);
    await refreshStaleCves(database);
    expect((await database.query('select epss from all_patches')).rows).toEqual([{ epss: 0.25 }]);
    expect(await revisions()).toEqual(before);
    expect((await database.query('select 1 from sync_change')).rows).toEqual([]);
  });

  test('updates only the records of changed EPSS scores, and all records after a new model', async () => {
    const all = Array.from({ length: 30_000 }, (_, n) => `CVE-2026-${1000 + n}`);
    await erratum('ALSA-1', [all[0] ?? '']);
    await erratum('ALSA-2', [all[29_999] ?? '']);
    await syncEpss(
      '2026-08-12',
      all.map((cve) => `${cve},0.5,0.5`),
    );
    await refreshStaleCves(database);
    const waiting = async () =>
      (
        await database.query(
          'select count(*) as marks, bool_or(scores) as scores, bool_or(facts) as facts, min(cve_folded) as first from stale_cve',
        )
      ).rows[0];
    expect(await waiting()).toMatchObject({ marks: 0 });
    // 5,500 of 30,000 are less than a fifth, so that each CVE is marked.
    await syncEpss(
      '2026-08-13',
      all.map((cve, n) => `${cve},${n < 5500 ? 0.75 : 0.5},0.5`),
    );
    expect(await waiting()).toEqual({
      marks: 5500,
      scores: true,
      facts: false,
      first: 'cve-2026-1000',
    });
    expect(await refreshStaleCves(database)).toEqual({ record_epss: 1, record_risk: 0 });
    await syncEpss(
      '2026-08-14',
      all.map((cve) => `${cve},0.25,0.5`),
    );
    expect(await waiting()).toEqual({ marks: 1, scores: true, facts: false, first: '*' });
    expect(await refreshStaleCves(database)).toEqual({ record_epss: 2, record_risk: 0 });
    expect((await database.query('select distinct epss from all_patches')).rows).toEqual([
      { epss: 0.25 },
    ]);
  });

  test('keeps the stored EPSS score while the new row is invalid', async () => {
    await syncEpss('2026-08-12', ['CVE-2026-1000,0.5,0.9', 'CVE-2026-1001,0.25,0.8']);
    expect(
      await syncEpss('2026-08-13', ['CVE-2026-1000,1.5,0.9', 'CVE-2026-1001,0.125,0.7']),
    ).toMatchObject({ changed: 1, withdrawn: 0, rejected: 1 });
    expect(await shown('cve, epss')).toEqual([
      { cve: 'CVE-2026-1000', epss: 0.5 },
      { cve: 'CVE-2026-1001', epss: 0.125 },
    ]);
  });

  test('removes a missing EPSS score, and does nothing in the next sync of the same file', async () => {
    await syncEpss('2026-08-12', ['CVE-2026-1000,0.5,0.9', 'CVE-2026-1001,0.25,0.8']);
    expect(await syncEpss('2026-08-13', ['CVE-2026-1000,0.5,0.9'])).toMatchObject({
      withdrawn: 1,
      changed: 0,
    });
    expect(await shown('cve, epss')).toEqual([
      { cve: 'CVE-2026-1000', epss: 0.5 },
      { cve: 'CVE-2026-1001', epss: null },
    ]);
    expect(await bench.sync(epssFeed, { source: 'epss' })).toMatchObject({
      state: 'succeeded',
      added: 0,
      changed: 0,
      withdrawn: 0,
    });
  });
});

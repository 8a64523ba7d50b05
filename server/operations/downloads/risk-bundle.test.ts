/** A catalogue bundle carries what the risk sources say of CVEs to an installation that cannot sync them. */
import type {
  CveRecord,
  EpssScore,
  KnownExploited,
} from '@patch/catalogue/definition/risk-facts.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import type { BundleImport } from '@patch/contract/bundle-endpoints.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { riskTables } from '../../ingest/sync/testing/risk-tables.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { removeScores, writeScores } from '../../platform/database/epss-score-store.ts';
import { refreshStaleCves } from '../../platform/database/stale-cve-store.ts';
import { writeFacts } from '../../platform/database/vulnerability-store.ts';
import { describeWithDatabase, openMigrated } from '../../testing/databases.ts';
import { DownloadService } from './testing/download-service.ts';
import { unzipped } from './testing/zip-files.ts';

const alma = listOfKey('almalinux_patch');
const cves = Array.from({ length: 30 }, (_, n) => `CVE-2031-${1001 + n}`);
const [first = '', second = ''] = cves;

const kevOf = (cve: string, more: Partial<KnownExploited> = {}): KnownExploited => ({
  kind: 'kev',
  cve,
  vendorProject: 'Lantern',
  product: 'Lanternd',
  name: `A flaw ${cve} \u2028 "quoted"`,
  description: 'Words',
  requiredAction: 'Apply updates',
  dateAdded: Date.UTC(2031, 2, 4),
  dueDate: null,
  ransomware: false,
  notes: '',
  cwes: ['CWE-79'],
  ...more,
});

const recordOf = (cve: string, score: number, modified: number): CveRecord => ({
  kind: 'cvss',
  cve,
  description: 'A description.',
  status: 'Analyzed',
  rejected: false,
  published: Date.UTC(2031, 1, 1),
  lastModified: modified,
  scores: [
    {
      version: '3.1',
      score,
      vector: 'CVSS:3.1/AV:N',
      severity: 'HIGH',
      scorer: 'nvd',
      source: 'nvd@nist.gov',
    },
  ],
  ssvc: null,
});

const scoreOf = (cve: string, epss: number, percentile = 0.5): EpssScore => ({
  kind: 'epss',
  cve: cve.toLowerCase(),
  epss,
  percentile,
});

async function writeKev(database: Database, entries: readonly (KnownExploited | string)[]) {
  const facts = entries.map((one) => {
    const entry = typeof one === 'string' ? null : one;
    return {
      of: 'kev' as const,
      cve: entry?.cve ?? String(one),
      facts: entry,
      hash: entry === null ? '' : contentHash(entry as never, {}),
    };
  });
  await database.transaction((tx) => writeFacts(tx, facts, 2000));
}

async function writeRecord(database: Database, facts: CveRecord) {
  const { cve } = facts;
  const hash = contentHash(facts as never, {});
  await database.transaction((tx) => writeFacts(tx, [{ of: 'cvss', cve, facts, hash }], 2000));
}

const writeEpss = (database: Database, scores: readonly EpssScore[]) =>
  database.transaction((tx) =>
    writeScores(tx, scores, { stale: new Set(scores.map(({ cve }) => cve)), now: 2000 }),
  );

async function writeErratum(database: Database, key: string, named: readonly string[]) {
  const row = { title: key, bulletinId: key } as never;
  const detail = { cve: named } as never;
  const entry = { key, row, detail, contentHash: contentHash(row, detail) };
  await database.transaction((tx) => writeEntries(tx, alma, '9', [entry], 1000));
}

const clear = `delete from download_job; delete from bundle_key; delete from bundle_applied; delete from almalinux_patch;
  delete from record; delete from record_risk; delete from record_epss; delete from entry_detail; delete from sync_change;
  delete from vulnerability; delete from epss_score; delete from stale_cve; delete from sync_run;
  update list_revision set listed = 0, revision = revision + 1;`;

describeWithDatabase('a bundle of risk sources', (open) => {
  let from: DownloadService;
  let to: DownloadService;

  beforeAll(async () => {
    const other = await openMigrated();
    from = new DownloadService(other, new Uint8Array(32).fill(3));
    to = new DownloadService(await open(), new Uint8Array(32).fill(4));
    for (const service of [from, to]) {
      await service.start();
      await service.makePeople();
    }
  });
  afterAll(async () => {
    await from.stop();
    await to.stop();
    await from.database.close();
  });
  beforeEach(async () => {
    for (const { database } of [from, to]) {
      await database.script(clear);
      await writeErratum(database, 'ALSA-1', [first]);
      await writeErratum(database, 'ALSA-2', [second]);
    }
    await writeKev(from.database, [kevOf(first)]);
    await writeRecord(from.database, recordOf(first, 9.8, 1));
    await writeRecord(from.database, recordOf(second, 4.5, 1));
    await writeEpss(
      from.database,
      cves.map((cve) => scoreOf(cve, 0.25)),
    );
    await refreshStaleCves(from.database);
    await to.ask('POST', '/downloads/bundle-keys', {
      body: { name: 'Head office', publicKey: from.downloads.signer.publicKey },
    });
  });

  async function bundle(options: object = { sources: ['kev', 'epss', 'cvss'] }): Promise<Buffer> {
    const { id, state, message } = await from.made('catalogue_bundle', options);
    expect(state, message).toBe('done');
    return (await from.fetched(id)).bytes;
  }

  async function upload(file: Buffer): Promise<BundleImport> {
    const { status, json } = await to.ask(
      'POST',
      '/downloads/bundle-imports?fileName=head-office.zip',
      { file },
    );
    expect(status, JSON.stringify(json)).toBe(202);
    return to.ended<BundleImport>(json['id'] as number, '/downloads/bundle-imports');
  }

  async function apply({ id }: BundleImport, body: object = {}): Promise<BundleImport> {
    const { status, json } = await to.ask('POST', `/downloads/bundle-imports/${id}/apply`, {
      body,
    });
    expect(status, JSON.stringify(json)).toBe(202);
    return to.ended<BundleImport>(id, '/downloads/bundle-imports');
  }

  const counts = ({ report, message }: BundleImport) => {
    if (report === null) throw new Error(message ?? 'no report');
    return Object.fromEntries(
      report.lists.map(({ list, added, changed, withdrawn, unchanged }) => [
        list,
        [added, changed, withdrawn, unchanged],
      ]),
    );
  };

  test('brings scores, exploitation and CVE records, and with them the risk of records', async () => {
    const checked = await upload(await bundle());
    expect(checked.report).toMatchObject({
      families: ['Known exploited (CISA KEV)', 'EPSS (FIRST)', 'CVSS and SSVC (NVD)'],
      concerns: [],
    });
    const expected = { kev: [1, 0, 0, 0], epss: [30, 0, 0, 0], cvss: [2, 0, 0, 0] };
    expect(counts(checked)).toEqual(expected);
    expect((await riskTables(to.database)).scores).toEqual([]);
    expect(counts(await apply(checked))).toEqual(expected);
    const { vulnerabilities, scores } = await riskTables(from.database);
    expect(await riskTables(to.database)).toEqual({
      vulnerabilities,
      scores,
      records: [
        { list: 'almalinux_patch', identifier: 'ALSA-1', exploited: true, cvss: 9.8, epss: 0.25 },
        // Known exploited vulnerabilities were read: what is not among them is not exploited.
        { list: 'almalinux_patch', identifier: 'ALSA-2', exploited: false, cvss: 4.5, epss: 0.25 },
      ],
    });
    const { rows } = await to.database.query(
      'select source, state, added from sync_run order by source',
    );
    expect(rows).toEqual([
      { source: 'cvss', state: 'succeeded', added: 2 },
      { source: 'epss', state: 'succeeded', added: 30 },
      { source: 'kev', state: 'succeeded', added: 1 },
    ]);
    const again = { kev: [0, 0, 0, 1], epss: [0, 0, 0, 30], cvss: [0, 0, 0, 2] };
    expect(counts(await upload(await bundle()))).toEqual(again);
  });

  test('applies what has changed and is gone, and keeps a newer CVE record', async () => {
    await apply(await upload(await bundle()));
    await writeKev(from.database, [first, kevOf(second, { ransomware: true })]);
    await writeRecord(from.database, recordOf(second, 7.5, 2));
    await writeRecord(to.database, recordOf(first, 3.1, 9));
    const removed = cves.at(-1)?.toLowerCase() ?? '';
    await from.database.transaction((tx) => removeScores(tx, [removed], true));
    await writeEpss(from.database, [scoreOf(first, 0.5), scoreOf(second, 0.25, 0.75)]);
    const checked = await upload(await bundle());
    const expected = { kev: [1, 0, 1, 0], epss: [0, 1, 1, 28], cvss: [0, 1, 0, 1] };
    expect(counts(checked)).toEqual(expected);
    expect(checked.report?.concerns).toEqual([]);
    expect(counts(await apply(checked))).toEqual(expected);
    const { scores, records } = await riskTables(to.database);
    expect(scores).toEqual((await riskTables(from.database)).scores);
    expect(records).toMatchObject([
      { identifier: 'ALSA-1', exploited: false, cvss: 3.1, epss: 0.5 },
      { identifier: 'ALSA-2', exploited: true, cvss: 7.5, epss: 0.25 },
    ]);
    const { rows } = await to.database.query(
      'select identity, kind from sync_change order by identity, kind',
    );
    expect(rows).toEqual([
      { identity: second, kind: 'added' },
      { identity: second, kind: 'changed' },
    ]);
  });

  test('asks before it takes away many known exploited vulnerabilities', async () => {
    await writeKev(
      from.database,
      cves.slice(1, 8).map((cve) => kevOf(cve)),
    );
    await apply(await upload(await bundle()));
    await writeKev(from.database, cves.slice(1, 7));
    const checked = await upload(await bundle());
    expect(checked.report?.concerns).toEqual([
      {
        kind: 'withdrawals',
        words: 'It withdraws 6 of the 8 records of Known exploited (CISA KEV).',
      },
    ]);
    const { status } = await to.ask('POST', `/downloads/bundle-imports/${checked.id}/apply`);
    expect(status).toBe(409);
    const accepted = await apply(await upload(await bundle()), { accept: ['withdrawals'] });
    expect(counts(accepted)).toMatchObject({ kev: [0, 0, 6, 2] });
  });

  test('since a run holds the CVE records written since, and the small sources in full', async () => {
    await apply(await upload(await bundle()));
    const { rows } = await from.database.query(
      "insert into sync_run (source, state, started_by, queued_time, started_time, heartbeat_time) values ('cvss', 'succeeded', 'schedule', 5000, 5000, 5000) returning id",
    );
    await from.database.query(
      'update vulnerability set updated_time = case when cve = $1 then 6000 else 4000 end',
      [second],
    );
    const files = await unzipped(
      await bundle({ sources: ['cvss'], sinceRun: Number(rows[0]?.['id']) }),
    );
    expect(String(files['risk/cvss.jsonl']).trim().split('\n')).toHaveLength(1);
    const manifest = JSON.parse(String(files['manifest.json'])) as object;
    expect(manifest).toMatchObject({ version: 3, risk: [{ source: 'cvss', whole: false }] });
  });
});

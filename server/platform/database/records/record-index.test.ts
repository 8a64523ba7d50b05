/** The index of records follows the lists, and the risk of records follows the risk sources. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import {
  buildCveFacts,
  buildCvssScore,
  buildKevFacts,
  writeCveFacts,
} from '../../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import {
  type RecordToWrite,
  withdrawRecords,
  writeRecords,
} from '../../../testing/record-factories.ts';
import { writeScores } from '../cves/epss-score-store.ts';
import { refreshStaleCves } from '../cves/stale-cve-store.ts';
import type { FactsToWrite } from '../cves/vulnerability-store.ts';
import type { Database } from '../database.ts';
import { allWordsSql } from '../rows/list-columns.ts';
import { searchedRelation } from '../searched-relation.ts';
import { buildRecordIndex } from './build-record-index.ts';

const alma = getList('almalinux_patch');
const kbs = getList('patch_repository');
const scan = getList('kb_repository');

const scored = (cve: string, score: number, lastModified = 1) =>
  buildCveFacts(cve, {
    description: `About ${cve}.`,
    published: 5,
    lastModified,
    scores: [buildCvssScore({ score })],
  });

describeWithDatabase('the index of records', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  const write = (
    list: ListDefinition,
    records: Readonly<Record<string, Omit<RecordToWrite, 'key'>>>,
    now = 1,
  ) =>
    writeRecords(
      database,
      list,
      Object.entries(records).map(([key, record]) => ({ key, ...record })),
      now,
    );
  const facts = (...all: readonly FactsToWrite[]) => writeCveFacts(database, ...all);
  const epss = (scores: Readonly<Record<string, number>>) =>
    database.transaction((tx) =>
      writeScores(
        tx,
        Object.entries(scores).map(([cve, score]) => ({
          kind: 'epss',
          cve,
          epss: score,
          percentile: null,
        })),
        { stale: new Set(Object.keys(scores)), now: 9 },
      ),
    );
  const indexed = async (columns: string) =>
    (await database.query(`select ${columns} from all_patches order by list, record_id`)).rows;
  const vulnerabilities = async (columns: string) =>
    (await database.query(`select ${columns} from vulnerabilities order by cve`)).rows;

  const erratum = (severity: string, ...cve: string[]) => ({
    row: {
      title: 'openssl update',
      bulletinId: 'ALSA-1',
      severity,
      releaseDate: 77,
      osVersion: ['9'],
    },
    detail: {
      cve,
      vendorSeverity: severity.toLowerCase(),
      packages: [{ name: 'openssl' }, { name: 'openssl-libs' }, { name: 'openssl' }],
    },
  });

  test('has the fields of a record, its CVEs and packages', async () => {
    await write(alma, { a: erratum('Important', 'CVE-2024-1111', 'CVE-2024-22222', 'no CVE') });
    expect(
      await indexed(
        'list, record_id, identifier, title, vendor, release, severity, severity_rank, vendor_severity, cve, packages, release_date, superseded, folded, exploited, epss, cvss',
      ),
    ).toEqual([
      {
        list: 'almalinux_patch',
        record_id: 1,
        identifier: 'ALSA-1',
        title: 'openssl update',
        vendor: 'AlmaLinux',
        release: '9',
        severity: 'Important',
        severity_rank: 4,
        vendor_severity: 'important',
        cve: 'CVE-2024-1111\nCVE-2024-22222',
        packages: 'openssl\nopenssl-libs',
        release_date: 77,
        superseded: null,
        folded: false,
        exploited: null,
        epss: null,
        cvss: null,
      },
    ]);
    const { rows } = await database.query(
      "select list, listed from list_revision where list in ('all_patches', 'vulnerabilities') order by list",
    );
    expect(rows).toEqual([
      { list: 'all_patches', listed: 1 },
      { list: 'vulnerabilities', listed: 2 },
    ]);
  });

  test('follows a change, a withdrawal and a return', async () => {
    const ids = await write(alma, { a: erratum('Low', 'CVE-2024-1111') });
    await write(alma, { a: erratum('Critical', 'CVE-2024-3333') }, 2);
    expect(await indexed('severity, cve')).toEqual([
      { severity: 'Critical', cve: 'CVE-2024-3333' },
    ]);
    await withdrawRecords(database, alma, [ids.get('a')], 3);
    expect(await indexed('id')).toEqual([]);
    await refreshStaleCves(database);
    expect(await vulnerabilities('cve, record_count')).toEqual([
      { cve: 'CVE-2024-1111', record_count: 0 },
      { cve: 'CVE-2024-3333', record_count: 0 },
    ]);
    await write(alma, { a: erratum('Critical', 'CVE-2024-3333') }, 4);
    await refreshStaleCves(database);
    expect(await indexed('cve')).toEqual([{ cve: 'CVE-2024-3333' }]);
    expect(await vulnerabilities('cve, record_count, vendors')).toEqual([
      { cve: 'CVE-2024-1111', record_count: 0, vendors: null },
      { cve: 'CVE-2024-3333', record_count: 1, vendors: 'AlmaLinux' },
    ]);
  });

  test('shows one record of each Windows update, with the merged fields of all', async () => {
    await write(scan, {
      u: {
        row: {
          kbId: 'KB5000001',
          title: 'Cumulative update',
          severity: 'Important',
          productName: ['Windows 11'],
        },
      },
    });
    await write(kbs, {
      one: {
        row: {
          kbId: 'KB5000001',
          name: 'KB5000001',
          productName: 'Windows 10',
          severity: 'Low',
          cve: ['CVE-2024-1'.padEnd(13, '0')],
        },
      },
      two: {
        row: {
          kbId: 'KB5000001',
          name: 'KB5000001',
          productName: 'Windows Server 2022',
          severity: 'Critical',
          exploited: true,
        },
      },
    });
    expect(await indexed('list, record_id, release, severity, exploited, folded')).toEqual([
      {
        list: 'kb_repository',
        record_id: 1,
        release: 'Windows 11',
        severity: 'Important',
        exploited: null,
        folded: true,
      },
      {
        list: 'patch_repository',
        record_id: 2,
        release: 'Windows 10\nWindows 11\nWindows Server 2022',
        severity: 'Critical',
        exploited: true,
        folded: false,
      },
      {
        list: 'patch_repository',
        record_id: 3,
        release: 'Windows Server 2022',
        severity: 'Critical',
        exploited: true,
        folded: true,
      },
    ]);
    await withdrawRecords(database, kbs, [3], 5);
    expect(await indexed('list, record_id, release, severity, exploited, folded')).toEqual([
      {
        list: 'kb_repository',
        record_id: 1,
        release: 'Windows 11',
        severity: 'Important',
        exploited: null,
        folded: true,
      },
      {
        list: 'patch_repository',
        record_id: 2,
        release: 'Windows 10\nWindows 11',
        severity: 'Important',
        exploited: null,
        folded: false,
      },
    ]);
  });

  test('removes merged fields when a record no longer represents its update or has left it', async () => {
    const base = (kbId: string, product: string) => ({
      row: { kbId, title: `${kbId} ${product}`, productName: [product] },
    });
    await write(scan, {
      a: base('KB5000001', 'Windows 10'),
      b: base('KB5000001', 'Windows 11'),
    });
    const shown = 'list, record_id, release, folded';
    expect(await indexed(shown)).toEqual([
      { list: 'kb_repository', record_id: 1, release: 'Windows 10\nWindows 11', folded: false },
      { list: 'kb_repository', record_id: 2, release: 'Windows 11', folded: true },
    ]);
    await write(kbs, {
      k: { row: { kbId: 'KB5000001', name: 'KB5000001', productName: 'Windows Server 2022' } },
    });
    const server = { list: 'patch_repository', record_id: 3, folded: false };
    expect(await indexed(shown)).toEqual([
      { list: 'kb_repository', record_id: 1, release: 'Windows 10', folded: true },
      { list: 'kb_repository', record_id: 2, release: 'Windows 11', folded: true },
      { ...server, release: 'Windows 10\nWindows 11\nWindows Server 2022' },
    ]);
    await write(scan, { b: base('KB5000002', 'Windows 11') }, 2);
    expect(await indexed(shown)).toEqual([
      { list: 'kb_repository', record_id: 1, release: 'Windows 10', folded: true },
      { list: 'kb_repository', record_id: 2, release: 'Windows 11', folded: false },
      { ...server, release: 'Windows 10\nWindows Server 2022' },
    ]);
  });

  test('lists the CVEs of an update by their numbers', async () => {
    const kb = (productName: string, cve: readonly string[]) => ({
      row: { kbId: 'KB5000001', name: 'KB5000001', productName, cve },
    });
    await write(kbs, {
      one: kb('Windows 10', ['CVE-2024-10000', 'CVE-2023-5555']),
      two: kb('Windows 11', ['CVE-2024-9999', 'CVE-2024-10000']),
    });
    const [first] = await indexed('cve');
    expect(first).toEqual({ cve: 'CVE-2023-5555\nCVE-2024-9999\nCVE-2024-10000' });
  });

  test('shows the risk of the update in All patches, and that of the record’s own CVEs in its list', async () => {
    const kb = (productName: string, cve: readonly string[]) => ({
      row: { kbId: 'KB5000001', name: 'KB5000001', productName, cve },
    });
    const own = async () =>
      (
        await database.query(
          `select id, risk_epss as epss, risk_cvss as cvss, risk_exploited as exploited from ${searchedRelation(kbs)} order by id`,
        )
      ).rows;
    await database.query(
      "insert into feed_part (source, part, feed_version, read_time) values ('kev', 'all', 1, 1)",
    );
    await write(kbs, {
      one: kb('Windows 10', ['CVE-2024-1111']),
      two: kb('Windows 11', ['CVE-2024-1111', 'CVE-2024-2222']),
    });
    await facts(scored('CVE-2024-1111', 5), scored('CVE-2024-2222', 9.8));
    await facts(buildKevFacts('CVE-2024-2222'));
    await epss({ 'cve-2024-1111': 0.25, 'cve-2024-2222': 0.5 });
    await refreshStaleCves(database);
    const all = 'record_id, folded, epss, cvss, exploited';
    const [first, second] = [
      { id: 1, epss: 0.25, cvss: 5, exploited: false },
      { id: 2, epss: 0.5, cvss: 9.8, exploited: true },
    ];
    const highest = { epss: 0.5, cvss: 9.8, exploited: true };
    expect(await own()).toEqual([first, second]);
    expect(await indexed(all)).toEqual([
      { record_id: 1, folded: false, ...highest },
      { record_id: 2, folded: true, ...highest },
    ]);
    // A changed score reaches both.
    await epss({ 'cve-2024-1111': 0.125, 'cve-2024-2222': 0.75 });
    await refreshStaleCves(database);
    expect((await own()).map((row) => row['epss'])).toEqual([0.125, 0.75]);
    expect((await indexed('epss')).map((row) => row['epss'])).toEqual([0.75, 0.75]);
    // A record that represents only itself again has its own risk only.
    await withdrawRecords(database, kbs, [2], 3);
    await refreshStaleCves(database);
    expect(await indexed(all)).toEqual([
      {
        record_id: 1,
        folded: false,
        epss: 0.125,
        cvss: 5,
        exploited: false,
      },
    ]);
    const { rows } = await database.query('select record_id from record_epss');
    expect(rows).toEqual([{ record_id: 1 }]);
  });

  test('rates a record by its CVEs where the vendor states no severity', async () => {
    const kb = (productName: string, severity: string, cve: readonly string[]) => ({
      row: { kbId: 'KB5000001', name: 'KB5000001', productName, severity, cve },
    });
    await write(alma, {
      silent: erratum('Unspecified', 'CVE-2024-1111', 'CVE-2024-2222'),
      stated: erratum('Low', 'CVE-2024-2222'),
      withoutScore: erratum('Unspecified', 'CVE-2024-3333'),
      withoutCve: erratum('Unspecified'),
    });
    await write(kbs, {
      one: kb('Windows 10', 'Unspecified', ['CVE-2024-2222']),
      two: kb('Windows 11', 'Unspecified', ['CVE-2024-1111']),
    });
    await facts(scored('CVE-2024-1111', 5), scored('CVE-2024-2222', 9.8));
    await refreshStaleCves(database);
    const rated = 'severity, rated_severity, rated_severity_folded, rated_severity_rank';
    const critical = { rated_severity: 'Critical', rated_severity_folded: 'critical' };
    const none = { severity: 'Unspecified' };
    const unrated = {
      ...none,
      rated_severity: 'Unspecified',
      rated_severity_folded: 'unspecified',
      rated_severity_rank: 0,
    };
    const low = { rated_severity: 'Low', rated_severity_folded: 'low', rated_severity_rank: 2 };
    const byCves = { severity: 'Unspecified', ...critical, rated_severity_rank: 5 };
    expect(await indexed(rated)).toEqual([
      byCves,
      { severity: 'Low', ...low },
      unrated,
      unrated,
      byCves,
      // A folded record has its own CVEs only.
      {
        ...none,
        rated_severity: 'Moderate',
        rated_severity_folded: 'moderate',
        rated_severity_rank: 3,
      },
    ]);
    // A lower score reaches the record and the update.
    await facts(scored('CVE-2024-2222', 2, 7));
    await refreshStaleCves(database);
    expect((await indexed('rated_severity')).map((row) => row['rated_severity'])).toEqual([
      'Moderate',
      'Low',
      'Unspecified',
      'Unspecified',
      'Moderate',
      'Moderate',
    ]);
    // A word of the vendor for one record of the update is the update's.
    await write(kbs, { one: kb('Windows 10', 'Low', ['CVE-2024-2222']) }, 9);
    expect((await indexed('rated_severity')).map((row) => row['rated_severity']).at(-2)).toBe(
      'Low',
    );
  });

  test('joins the highest figures of the CVEs of a record, and follows when they are removed', async () => {
    await write(alma, { a: erratum('Low', 'CVE-2024-1111', 'CVE-2024-2222'), b: erratum('Low') });
    await facts(scored('CVE-2024-1111', 5), scored('CVE-2024-2222', 9.8));
    await facts(buildKevFacts('CVE-2024-1111', { ransomware: true }));
    await epss({ 'cve-2024-2222': 0.25, 'cve-2024-1111': 0.5 });
    await database.query(
      "insert into feed_part (source, part, feed_version, read_time) values ('kev', 'all', 1, 1)",
    );
    await refreshStaleCves(database);
    expect(await indexed('exploited, ransomware, epss, cvss')).toEqual([
      { exploited: true, ransomware: true, epss: 0.5, cvss: 9.8 },
      { exploited: null, ransomware: null, epss: null, cvss: null },
    ]);
    await facts(
      { of: 'kev', cve: 'CVE-2024-1111', facts: null, hash: '' },
      scored('CVE-2024-2222', 2, 7),
    );
    await refreshStaleCves(database);
    expect(await indexed('exploited, ransomware, cvss')).toEqual([
      { exploited: false, ransomware: null, cvss: 5 },
      { exploited: null, ransomware: null, cvss: null },
    ]);
    const [record] = (
      await database.query('select revision, updated_time from almalinux_patch where id = 1')
    ).rows;
    expect(record).toEqual({ revision: 1, updated_time: 1 });
  });

  test('adds the vendors of a CVE to its keyword in any order of writing', async () => {
    const words = async () =>
      (await vulnerabilities(`${allWordsSql(getList('vulnerabilities'))} as words`)).flatMap(
        ({ words: lines }) => String(lines).split('\n'),
      );
    await write(alma, { a: erratum('Low', 'CVE-2024-1111') });
    expect(await words()).toEqual(['cve-2024-1111', 'almalinux']);
    await facts(scored('CVE-2024-1111', 5));
    expect(await words()).toEqual(
      expect.arrayContaining(['about cve-2024-1111', 'almalinux', 'cve-2024-1111', 'nvd']),
    );
    await write(getList('debian_patch'), {
      d: { row: { bulletinId: 'DSA-1' }, detail: { cve: ['CVE-2024-1111'] } },
    });
    await refreshStaleCves(database);
    expect(await words()).toEqual(
      expect.arrayContaining(['about cve-2024-1111', 'almalinux', 'debian', 'nvd']),
    );
  });

  test('stores the newer of two records of a CVE, and reports only changes', async () => {
    expect(await facts(scored('CVE-2024-1111', 5, 10))).toMatchObject([
      { cve: 'CVE-2024-1111', kind: 'added' },
    ]);
    expect(await facts(scored('CVE-2024-1111', 5, 10))).toEqual([]);
    expect(await facts(scored('CVE-2024-1111', 7, 9))).toEqual([]);
    expect(await facts(scored('CVE-2024-1111', 3, 11))).toMatchObject([
      { cve: 'CVE-2024-1111', kind: 'changed' },
    ]);
    expect(await vulnerabilities('title, cvss, cvss_source, severity, published')).toEqual([
      { title: 'About CVE-2024-1111', cvss: 3, cvss_source: 'NVD', severity: 'Low', published: 5 },
    ]);
  });

  test('is the same when rebuilt from the lists', async () => {
    await write(scan, {
      u: { row: { kbId: 'KB5000001', title: 'Cumulative update', productName: ['Windows 11'] } },
    });
    await write(kbs, {
      one: {
        row: {
          kbId: 'KB5000001',
          name: 'KB5000001',
          productName: 'Windows 10',
          cve: ['CVE-2024-1000'],
        },
      },
    });
    await write(alma, {
      a: erratum('Important', 'CVE-2024-1111'),
      b: erratum('Low', 'CVE-2024-1111'),
    });
    await facts(scored('CVE-2024-1111', 5));
    await refreshStaleCves(database);
    const columns =
      'list, record_id, identifier, release, severity, cve, packages, keyword, folded, cvss';
    const before = [
      await indexed(columns),
      await vulnerabilities('cve, record_count, vendors, cvss'),
    ];
    await database.script(
      `update stored_record set packages = null, keyword = '';
       delete from record_index_state; delete from record_risk; delete from record_epss;`,
    );
    expect(await buildRecordIndex({ database })).toBe(4);
    expect([
      await indexed(columns),
      await vulnerabilities('cve, record_count, vendors, cvss'),
    ]).toEqual(before);
    expect(await buildRecordIndex({ database })).toBe(0);
  });
});

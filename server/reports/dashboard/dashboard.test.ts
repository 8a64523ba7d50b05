import { type CatalogueList, getList } from '@patch/catalogue/lists.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import { writeFacts } from '../../platform/database/cves/vulnerability-store.ts';
import { writeClientRows } from '../../testing/client-rows.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { writeRecords } from '../../testing/record-factories.ts';

type Row = Readonly<Record<string, unknown>>;
interface News {
  readonly since: number;
  readonly sinceReason: string;
  readonly cves: { readonly rows: readonly { readonly cve: string }[] } | null;
  readonly fixes: Figure | null;
  readonly patches: { readonly rows: readonly { readonly identifier: string }[] };
}

/** Collects every figure of a reply at any depth. */
function figuresIn(value: unknown): readonly Figure[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Object.hasOwn(value, 'criteria') && Object.hasOwn(value, 'totalCount'))
    return [value as Figure];
  return Object.values(value).flatMap(figuresIn);
}

describeApp('dashboard', (service) => {
  const { operator, stan } = service;
  const { now } = service;
  beforeEach(async () => {
    service.now = now;
    await service.database.script(
      'delete from almalinux_patch; delete from rockylinux_patch; delete from patch_repository; delete from record; delete from record_risk; delete from record_epss; delete from vulnerability; delete from dashboard_visit; delete from licensed_client; delete from sync_run; update list_revision set listed = 0, revision = revision + 1;',
    );
  });

  const write = (
    list: 'almalinux_patch' | 'rockylinux_patch' | 'patch_repository',
    ...rows: Row[]
  ) =>
    writeRecords(
      service.database,
      list,
      rows.map(({ cve, ...row }, n) => ({
        key: `${n}`,
        row,
        detail: cve === undefined ? {} : { cve },
      })),
      service.now,
    );
  const erratum = (bulletinId: string, severity: string, releaseDate: number) => ({
    bulletinId,
    severity,
    releaseDate,
  });
  const ask = (query = '', by = stan) => by.get(`/dashboard${query}`).json;

  /** Expects that each figure equals the total of a search with its criteria. */
  async function expectProven(value: unknown): Promise<void> {
    for (const { list, criteria, totalCount } of figuresIn(value)) {
      const definition: CatalogueList = getList(list as never);
      const filter = filterText(definition, criteria, { now: service.now, timeZone: 'UTC' });
      const found = await stan.post(`${definition.searchPath}?size=1`, { filter }).json;
      expect(found['totalCount'], filter).toBe(totalCount);
    }
  }
  const criticalIn = (json: Row) =>
    (json['critical'] as { vendor: string | null; figure: Figure }[]).map(({ vendor, figure }) => [
      vendor,
      figure.totalCount,
    ]);

  /** Writes a listing as the risk sources do. */
  async function listAsExploited(cve: string, dateAdded: number): Promise<void> {
    const facts = buildKevFacts(cve, { dateAdded });
    await service.database.transaction((tx) => writeFacts(tx, [facts], service.now));
    await refreshStaleCves(service.database);
  }

  test('counts the critical patches of 30 days by vendor, each figure equal to its list', async () => {
    await write(
      'almalinux_patch',
      erratum('a', 'Critical', now - day),
      erratum('b', 'Critical', now - 29 * day),
      erratum('c', 'Critical', now - 31 * day),
      erratum('d', 'Important', now - day),
      erratum('e', 'Critical', now + day),
    );
    const released = { severity: 'Critical', releaseDate: now - day };
    const kb = (kbId: string, productName: string) => ({ kbId, productName, ...released });
    const kbs = [kb('KB1', 'one'), kb('KB1', 'two'), kb('KB2', 'one'), kb('KB3', 'one')];
    await write('patch_repository', ...kbs);
    const json = await ask();
    // A KB for two products counts once.
    expect(criticalIn(json)).toEqual([
      ['Microsoft', 3],
      ['AlmaLinux', 2],
    ]);
    expect(figuresIn(json).length).toBeGreaterThan(8);
    await expectProven(json);
  });

  test('sums the vendors beyond the eighth', async () => {
    for (let n = 1; n <= 10; n += 1)
      await service.database.query(
        `insert into stored_record (natural_key, part, content_hash, own, created_time, updated_time, keyword, identifier, identifier_folded, vendor, vendor_folded, severity, severity_folded, severity_rank, release_date, list, revision)
         select $1 || ' ' || number, '', '', '{}', 1, 1, 'k', $1, lower($1), $1, lower($1), 'Critical', 'critical', $4, $2, 'thirdparty_patch',
           (select revision + 1 from list_revision where list = 'all_patches')
         from generate_series($3::int * 100, $3::int * 100 + $3::int - 1) as number`,
        [`Maker ${n}`, now - day, n, severities.indexOf('Critical')],
      );
    await service.database.query(
      "update list_revision set listed = (select count(*) from record), revision = revision + 1 where list = 'all_patches'",
    );
    const { critical } = await ask();
    expect(criticalIn({ critical })).toEqual([
      ...[10, 9, 8, 7, 6, 5, 4, 3].map((n) => [`Maker ${n}`, n]),
      [null, 3],
    ]);
    await expectProven(critical);
  });

  test('counts twelve weeks by severity, the same days for every reader', async () => {
    // Saturday, 21 November 2026; its week began on the 16th.
    const monday = Date.UTC(2026, 10, 16);
    await write(
      'almalinux_patch',
      erratum('a', 'Critical', monday),
      erratum('b', 'Low', monday + 7 * day - 1),
      erratum('c', 'Critical', monday - 1),
      erratum('d', 'Critical', monday - 11 * 7 * day),
      erratum('e', 'Critical', monday - 11 * 7 * day - 1),
    );
    const weeks = (await ask())['weeks'] as { readonly figure: Figure }[];
    const counts = weeks.map(({ figure }) => figure.totalCount);
    expect(counts).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    const one = { totalCount: 1 };
    expect(weeks.at(-1)).toMatchObject({
      from: monday,
      severities: [
        { severity: 'Low', figure: one },
        { severity: 'Critical', figure: one },
      ],
    });
    await expectProven(weeks);
    // In Istanbul Monday began on Sunday evening in UTC: the record of Sunday stays in its week.
    expect((await ask('?timeZone=Europe/Istanbul'))['weeks']).toEqual(weeks);
  });

  test('lists CVEs that became known exploited, the patches that fix them and new patches', async () => {
    const [known, became] = ['CVE-2026-1001', 'CVE-2026-1002'];
    await listAsExploited(known, now - 300 * day);
    service.now = now - 20 * day;
    await write('almalinux_patch', {
      bulletinId: 'old',
      releaseDate: now - 21 * day,
      cve: [known],
    });
    service.now = now;
    await write(
      'rockylinux_patch',
      { bulletinId: 'new', releaseDate: now - day, cve: [known] },
      { bulletinId: 'fix', releaseDate: now - day, cve: [became] },
      { bulletinId: 'past', releaseDate: now - 90 * day, cve: [known] },
    );
    await listAsExploited(became, now - day);
    const news = (await ask())['news'] as News;
    expect([news.since, news.sinceReason]).toEqual([now - 7 * day, 'first_visit']);
    // A CVE listed 300 days ago is not news, although it was read just now.
    expect(news.cves?.rows.map(({ cve }) => cve)).toEqual([became]);
    expect(news.fixes?.totalCount).toBe(1);
    const patches = news.patches.rows.map(({ identifier }) => identifier);
    expect(patches.toSorted()).toEqual(['fix', 'new']);
    expect(figuresIn(news)).toHaveLength(3);
    await expectProven(news);
  });

  test('ranks ransomware, exploitation and severity; leaves out what is superseded', async () => {
    const kb = (kbId: string, severity: string, more: Row = {}) => ({
      kbId,
      productName: 'Windows Server 2019',
      severity,
      releaseDate: now - day,
      ...more,
    });
    const rows = [
      kb('KB1', 'Low'),
      kb('KB2', 'Critical'),
      kb('KB3', 'Low', { cve: ['CVE-2026-1001'] }),
      kb('KB4', 'Low', { cve: ['CVE-2026-1002'], supersedes: ['KB8', 'KB9'] }),
      kb('KB5', 'Critical', { superseded: true }),
      kb('KB6', 'Moderate'),
    ];
    await writeRecords(
      service.database,
      'patch_repository',
      rows.map((row) => ({ key: row.kbId, row })),
      service.now,
    );
    const dateAdded = now - 300 * day;
    await writeCveFacts(
      service.database,
      buildKevFacts('CVE-2026-1001', { dateAdded }),
      buildKevFacts('CVE-2026-1002', { dateAdded, ransomware: true }),
    );
    await refreshStaleCves(service.database);
    const { updates, figure, backlog } = (await ask())['patchFirst'] as {
      updates: readonly { readonly row: Row; readonly machines: Figure | null }[];
      figure: Figure;
      backlog: Row;
    };
    expect(updates.map(({ row, machines }) => [row['identifier'], machines])).toEqual([
      ['KB4', null],
      ['KB3', null],
      ['KB2', null],
      ['KB6', null],
      ['KB1', null],
    ]);
    expect(updates[0]).toMatchObject({ exploitedCves: 1, replaces: 2, knownIssues: null });
    expect(figuresIn(backlog).map(({ totalCount }) => totalCount)).toEqual([2, 1]);
    await expectProven({ figure, backlog });
    const { objList } = (await stan.post('/records/search?sort=patchFirst', {
      filter: 'superseded != true',
    }).json) as { objList: readonly Row[] };
    expect(objList.map(({ identifier }) => identifier)).toEqual([
      'KB4',
      'KB3',
      'KB2',
      'KB6',
      'KB1',
    ]);
  });

  test('counts news from the end of the previous visit, the same for all of a visit', async () => {
    const visit = () => stan.post('/dashboard/visits', {}).status;
    const news = async (by = stan) => (await ask('', by))['news'] as News;
    await listAsExploited('CVE-2026-1003', now - day);
    expect((await news()).sinceReason).toBe('first_visit');
    expect(await visit()).toBe(200);
    // Reloads and other tabs belong to the visit.
    service.now = now + 29 * minute;
    await visit();
    service.now = now + 58 * minute;
    expect(await news()).toMatchObject({ sinceReason: 'first_visit', cves: { rows: [{}] } });
    // After half an hour another visit begins, before it is recorded and afterwards.
    service.now = now + 60 * minute;
    const since = now + 29 * minute;
    expect(await news()).toMatchObject({ since, sinceReason: 'last_visit', cves: null });
    await visit();
    expect((await news()).since).toBe(since);
    // Midnight ends no visit.
    service.now = now + 85 * minute;
    await visit();
    expect((await news()).since).toBe(since);
    service.now = now + day;
    expect((await news()).since).toBe(now + 85 * minute);
    // The clock was set back behind every visit.
    service.now = now - day;
    expect(await news()).toMatchObject({ since: now - 8 * day, sinceReason: 'first_visit' });
    service.now = now + day;
    // Visits are recorded per person.
    expect((await news(operator)).sinceReason).toBe('first_visit');
  });

  test('says when the catalogue was filled for the first time since the previous visit', async () => {
    const isFirstSync = async () =>
      ((await ask())['news'] as News & { isFirstSync: boolean }).isFirstSync;
    const row = { kbId: 'KB77', productName: 'Windows Server 2019', severity: 'Low' };
    await writeRecords(service.database, 'patch_repository', [{ key: 'KB77', row }], now);
    const [record] = await service.rows('select min(created_time) as first from record');
    const first = Number(record?.['first']);
    service.now = first + minute;
    await stan.post('/dashboard/visits', {});
    expect(await isFirstSync()).toBe(true);
    service.now = first + 40 * minute;
    expect(await isFirstSync()).toBe(false);
    service.now = now;
  });

  test('counts licences and silent clients', async () => {
    await writeClientRows(service.database, [
      { clientName: 'ends soon', licenseExpiry: now + 3 * day, repoUpdatedOn: now - 8 * day },
      { clientName: 'ended', licenseExpiry: now - day, repoUpdatedOn: now - day },
      { clientName: 'long yet', licenseExpiry: now + 300 * day },
    ]);
    const { licencesEnding, licencesEnded, silentClients, clients } = await ask(
      '?timeZone=Europe/Istanbul',
    );
    const figures = [licencesEnding, licencesEnded, silentClients, clients] as Figure[];
    expect(figures.map(({ totalCount }) => totalCount)).toEqual([1, 1, 1, 3]);
    expect(figures.at(-1)?.criteria).toEqual([]);
    await expectProven(figures);
  });

  test('refuses an unknown time zone', async () => {
    const reply = stan.get('/dashboard?timeZone=Mars/Base');
    expect(await reply.outcome).toBe('422 unknown_time_zone');
  });
});

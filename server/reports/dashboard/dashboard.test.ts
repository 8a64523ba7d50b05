import type { KnownExploited } from '@patch/catalogue/definition/risk-facts.ts';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { addRun } from '../../ingest/sync/run-store.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { refreshStaleCves } from '../../platform/database/stale-cve-store.ts';
import { writeFacts } from '../../platform/database/vulnerability-store.ts';
import { describeWithDatabase } from '../../testing/databases.ts';

const day = 24 * 3_600_000;

const exploitedFacts = (cve: string, dateAdded: number): KnownExploited => ({
  kind: 'kev',
  cve,
  vendorProject: 'Vendor',
  product: 'Product',
  name: `About ${cve}`,
  description: '',
  requiredAction: '',
  dateAdded,
  dueDate: null,
  ransomware: null,
  notes: '',
  cwes: [],
});

describeWithDatabase('the dashboard', (open) => {
  const service = withSignInApp(open);
  let token: string;

  async function write(
    list: ReturnType<typeof listOfKey>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void> {
    const entries = rows.map(({ detail = {}, ...row }, n) => ({
      key: `${n}`,
      row,
      detail,
      contentHash: contentHash(row, { ...(detail as object) }),
    }));
    await service.database.transaction((tx) =>
      writeEntries(tx, list, 'part', entries as never, service.now),
    );
  }

  async function writeClients(
    clients: readonly {
      readonly name: string;
      readonly licenseExpiry: number;
      readonly repoUpdatedOn: number | null;
    }[],
  ): Promise<void> {
    for (const { name, licenseExpiry, repoUpdatedOn } of clients)
      await service.database.query(
        `insert into licensed_client (key, created_time, updated_time, revision, keyword, client_name, client_name_folded, license_expiry, repo_updated_on)
         values ($1, 1, 1, 1, $1, $1, $1, $2, $3)`,
        [name, licenseExpiry, repoUpdatedOn],
      );
    await service.database.query(
      "update list_revision set listed = listed + $1, revision = revision + 1 where list = 'floto_user'",
      [clients.length],
    );
  }

  beforeEach(async () => {
    await service.database.script(
      'delete from almalinux_patch; delete from rockylinux_patch; delete from patch_repository; delete from record; delete from record_risk; delete from record_epss; delete from vulnerability; delete from dashboard_visit; delete from licensed_client; delete from sync_run; update list_revision set listed = 0, revision = revision + 1;',
    );
    token = await service.tokenOf('stan');
  });

  const ask = (query = '') => service.ask('GET', `/dashboard${query}`, { token });

  /** The list itself, asked with the figure's criteria. */
  async function proof({ list, criteria }: Figure): Promise<number> {
    const definition = listOfKey(list as never);
    const filter = filterText(definition, criteria, { now: service.now, timeZone: 'UTC' });
    const { json } = await service.ask('POST', `${definition.searchPath}?size=1`, {
      token,
      body: { filter },
    });
    return Number(json['totalCount']);
  }

  /** Every figure of a reply, wherever it stands. */
  function figuresIn(value: unknown): readonly Figure[] {
    if (typeof value !== 'object' || value === null) return [];
    if (Object.hasOwn(value, 'criteria') && Object.hasOwn(value, 'totalCount'))
      return [value as Figure];
    return Object.values(value).flatMap(figuresIn);
  }
  const alma = listOfKey('almalinux_patch');
  const news = (json: Record<string, unknown>) =>
    json['news'] as {
      since: number;
      sinceReason: string;
      cves: { figure: Figure; rows: { cve: string }[] } | null;
      fixes: Figure | null;
      patches: { figure: Figure; rows: { identifier: string }[] };
    };
  /** As the risk sources write it. */
  async function listAsExploited(cves: readonly string[], dateAdded: number): Promise<void> {
    await service.database.transaction((tx) =>
      writeFacts(
        tx,
        cves.map((cve) => ({
          of: 'kev',
          cve,
          hash: cve,
          facts: exploitedFacts(cve, dateAdded),
        })),
        service.now,
      ),
    );
    await refreshStaleCves(service.database);
  }

  test('counts the critical patches of 30 days by vendor, and each figure leads to as many records', async () => {
    const { now } = service;
    await write(alma, [
      { bulletinId: 'a', severity: 'Critical', releaseDate: now - day },
      { bulletinId: 'b', severity: 'Critical', releaseDate: now - 29 * day },
      { bulletinId: 'c', severity: 'Critical', releaseDate: now - 31 * day },
      { bulletinId: 'd', severity: 'Important', releaseDate: now - day },
      { bulletinId: 'e', severity: 'Critical', releaseDate: now + day },
    ]);
    const kb = (kbId: string, productName: string) => ({
      kbId,
      productName,
      severity: 'Critical',
      releaseDate: now - day,
    });
    await write(listOfKey('patch_repository'), [
      kb('KB1', 'one'),
      kb('KB1', 'two'),
      kb('KB2', 'one'),
      kb('KB3', 'one'),
    ]);
    const { status, json } = await ask();
    expect(status).toBe(200);
    const critical = json['critical'] as { vendor: string; figure: Figure }[];
    // A KB for two products counts once.
    expect(critical.map(({ vendor, figure }) => [vendor, figure.totalCount])).toEqual([
      ['Microsoft', 3],
      ['AlmaLinux', 2],
    ]);
    const all = figuresIn(json);
    expect(all.length).toBeGreaterThan(8);
    for (const figure of all)
      expect(figure.totalCount, JSON.stringify(figure.criteria)).toBe(await proof(figure));
  });

  test('puts the vendors beyond the eighth together', async () => {
    const { now } = service;
    for (let n = 1; n <= 10; n += 1)
      await service.database.query(
        `insert into record (created_time, updated_time, keyword, identifier, identifier_folded, vendor, vendor_folded, severity, severity_folded, severity_rank, release_date, list, list_folded, record_id, revision)
         select 1, 1, 'k', $1, lower($1), $1, lower($1), 'Critical', 'critical', $4, $2, 'thirdparty_patch', 'thirdparty_patch', 100 + place,
           (select revision + 1 from list_revision where list = 'all_patches')
         from generate_series($3::int * 100, $3::int * 100 + $3::int - 1) as place`,
        [`Maker ${n}`, now - day, n, severities.indexOf('Critical')],
      );
    await service.database.query(
      "update list_revision set listed = (select count(*) from record), revision = revision + 1 where list = 'all_patches'",
    );
    const { json } = await ask();
    const critical = json['critical'] as { vendor: string | null; figure: Figure }[];
    expect(critical.map(({ vendor, figure }) => [vendor, figure.totalCount])).toEqual([
      ...[10, 9, 8, 7, 6, 5, 4, 3].map((n) => [`Maker ${n}`, n]),
      [null, 3],
    ]);
    for (const { figure } of critical) expect(figure.totalCount).toBe(await proof(figure));
  });

  test('counts twelve weeks by severity, the same days for every reader', async () => {
    // Saturday, 21 November 2026; its week began on the 16th.
    const monday = Date.UTC(2026, 10, 16);
    await write(alma, [
      { bulletinId: 'a', severity: 'Critical', releaseDate: monday },
      { bulletinId: 'b', severity: 'Low', releaseDate: monday + 7 * day - 1 },
      { bulletinId: 'c', severity: 'Critical', releaseDate: monday - 1 },
      { bulletinId: 'd', severity: 'Critical', releaseDate: monday - 11 * 7 * day },
      { bulletinId: 'e', severity: 'Critical', releaseDate: monday - 11 * 7 * day - 1 },
    ]);
    type Week = {
      from: number;
      figure: Figure;
      severities: { severity: string; figure: Figure }[];
    };
    const { json } = await ask();
    const weeks = json['weeks'] as Week[];
    expect(weeks.map(({ figure }) => figure.totalCount)).toEqual([
      1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2,
    ]);
    expect(weeks.at(-1)).toMatchObject({
      from: monday,
      severities: [
        { severity: 'Low', figure: { totalCount: 1 } },
        { severity: 'Critical', figure: { totalCount: 1 } },
      ],
    });
    for (const figure of figuresIn(weeks)) expect(figure.totalCount).toBe(await proof(figure));
    // In Istanbul Monday began on Sunday evening in UTC: the record of Sunday stays in its week.
    expect((await ask('?timeZone=Europe/Istanbul')).json['weeks']).toEqual(weeks);
  });

  test('tells which CVEs became known exploited, the patches that fix them and new patches', async () => {
    const { now } = service;
    await listAsExploited(['CVE-2026-1001'], now - 300 * day);
    service.now = now - 20 * day;
    await write(alma, [
      { bulletinId: 'old', releaseDate: now - 21 * day, detail: { cve: ['CVE-2026-1001'] } },
    ]);
    service.now = now;
    await write(listOfKey('rockylinux_patch'), [
      { bulletinId: 'new', releaseDate: now - day, detail: { cve: ['CVE-2026-1001'] } },
      { bulletinId: 'fix', releaseDate: now - day, detail: { cve: ['CVE-2026-1002'] } },
      { bulletinId: 'past', releaseDate: now - 90 * day, detail: { cve: ['CVE-2026-1001'] } },
    ]);
    await listAsExploited(['CVE-2026-1002'], now - day);
    const { json } = await ask();
    const told = news(json);
    expect([told.since, told.sinceReason]).toEqual([now - 7 * day, 'first_visit']);
    // The one that was listed 300 days ago is no news, though it was read a moment ago.
    expect(told.cves?.rows.map(({ cve }) => cve)).toEqual(['CVE-2026-1002']);
    expect(told.fixes?.totalCount).toBe(1);
    expect(told.patches.rows.map(({ identifier }) => identifier).toSorted()).toEqual([
      'fix',
      'new',
    ]);
    const figures = figuresIn(told);
    expect(figures).toHaveLength(3);
    for (const figure of figures) expect(figure.totalCount).toBe(await proof(figure));
  });

  test('tells nothing twice on the next day: what is new counts from the last visit on an earlier day', async () => {
    const visit = (body: object = {}) => service.ask('POST', '/dashboard/visits', { token, body });
    const since = async (query = '') => news((await ask(query)).json);
    const first = service.now;
    await listAsExploited(['CVE-2026-1003'], first - day);
    expect((await visit()).status).toBe(200);
    // A second look on the same day shows the same.
    service.now = first + 20 * 60_000;
    await visit();
    expect((await since()).cves?.rows).toHaveLength(1);
    service.now = first + day;
    token = await service.tokenOf('stan');
    expect(await since()).toMatchObject({
      since: first + 20 * 60_000,
      sinceReason: 'last_visit',
      cves: null,
    });
    // Before and after the visit is noted.
    await visit();
    expect((await since()).since).toBe(first + 20 * 60_000);
    // Each person has own visits.
    token = await service.tokenOf('operator');
    expect((await since()).sinceReason).toBe('first_visit');
    expect((await visit({ timeZone: 'Mars/Base' })).status).toBe(422);
    service.now = first;
  });

  test('counts licences and silent clients', async () => {
    const { now } = service;
    await writeClients([
      { name: 'ends soon', licenseExpiry: now + 3 * day, repoUpdatedOn: now - 8 * day },
      { name: 'ended', licenseExpiry: now - day, repoUpdatedOn: now - day },
      { name: 'long yet', licenseExpiry: now + 300 * day, repoUpdatedOn: null },
    ]);
    const { json } = await ask('?timeZone=Europe/Istanbul');
    expect(json).toMatchObject({
      licencesEnding: { totalCount: 1 },
      licencesEnded: { totalCount: 1 },
      silentClients: { totalCount: 1 },
      clients: { totalCount: 3, criteria: [] },
    });
    for (const name of ['licencesEnding', 'licencesEnded', 'silentClients', 'clients']) {
      const figure = json[name] as Figure;
      expect(figure.totalCount, name).toBe(await proof(figure));
    }
  });

  test('shows the newest runs, newest first', async () => {
    for (const source of ['debian', 'almaLinux'] as const)
      await addRun(service.database, source, 'Stan', service.now);
    const { json } = await ask();
    expect(json['runs']).toMatchObject([{ source: 'almaLinux' }, { source: 'debian' }]);
  });

  test('a time zone that is none is refused', async () => {
    expect(await ask('?timeZone=Mars/Base')).toMatchObject({
      status: 422,
      json: { code: 'unknown_time_zone' },
    });
  });
});

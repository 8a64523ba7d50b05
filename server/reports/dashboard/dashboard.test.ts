import { listOfKey } from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { addRun } from '../../ingest/sync/run-store.ts';
import { contentHash } from '../../platform/database/content-hash.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { describeOnDatabases } from '../../testing/databases.ts';

const day = 24 * 3_600_000;

describeOnDatabases('the dashboard', (open) => {
  const service = withSignInApp(open);
  let token: string;

  async function write(
    list: ReturnType<typeof listOfKey>,
    rows: readonly Readonly<Record<string, unknown>>[],
  ): Promise<void> {
    const entries = rows.map((row, n) => ({
      key: `${n}`,
      row,
      detail: {},
      contentHash: contentHash(row, {}),
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
      'delete from almalinux_patch; delete from patch_repository; delete from licensed_client; delete from sync_run; update list_revision set listed = 0, revision = revision + 1;',
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

  test('counts what is new and critical; each figure is what its list answers', async () => {
    const { now } = service;
    await write(listOfKey('almalinux_patch'), [
      { title: 'a', severity: 'Critical', releaseDate: now - day },
      { title: 'b', severity: 'Critical', releaseDate: now - 7 * day },
      { title: 'c', severity: 'Critical', releaseDate: now - 8 * day },
      { title: 'd', severity: 'Critical', releaseDate: now - 31 * day },
      { title: 'e', severity: 'Important', releaseDate: now - day },
      { title: 'f', severity: 'Critical', releaseDate: now + day },
    ]);
    const { status, json } = await ask();
    expect(status).toBe(200);
    const critical = json['critical'] as { list: string; last7Days: Figure; last30Days: Figure }[];
    const alma = critical.find(({ list }) => list === 'almalinux_patch');
    expect([alma?.last7Days.totalCount, alma?.last30Days.totalCount]).toEqual([2, 3]);
    expect(critical.find(({ list }) => list === 'patch_repository')?.last30Days.totalCount).toBe(0);
    expect(critical.some(({ list }) => list === 'kb_repository')).toBe(false);
    for (const { last7Days, last30Days } of critical) {
      expect(last7Days.totalCount).toBe(await proof(last7Days));
      expect(last30Days.totalCount).toBe(await proof(last30Days));
    }
  });

  test('counts a KB once, whichever products it stands at', async () => {
    const { now } = service;
    const row = (kbId: string | null, productName: string, more: object = {}) => ({
      kbId,
      productName,
      severity: 'Critical',
      releaseDate: now - day,
      ...more,
    });
    await write(listOfKey('patch_repository'), [
      row('KB1', 'one'),
      row('KB1', 'two'),
      row('kb1', 'three'),
      row('KB2', 'one', { releaseDate: now - 20 * day }),
      row('KB1', 'four', { severity: 'Important' }),
      row(null, 'one'),
      row(null, 'two'),
    ]);
    const { json } = await ask();
    const critical = json['critical'] as { list: string; last7Days: Figure; last30Days: Figure }[];
    const windows = critical.find(({ list }) => list === 'patch_repository');
    expect(windows).toMatchObject({
      last7Days: { totalCount: 5, updateCount: 3 },
      last30Days: { totalCount: 6, updateCount: 4 },
    });
    for (const figure of windows === undefined ? [] : [windows.last7Days, windows.last30Days])
      expect(figure.totalCount).toBe(await proof(figure));
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

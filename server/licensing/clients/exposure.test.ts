import {
  type CatalogueList,
  catalogueLists,
  getList,
  type ListKey,
} from '@patch/catalogue/lists.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type {
  BehindClient,
  ClientExposure,
} from '@patch/contract/licensing/licensed-client-endpoints.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { withdrawRecords, writeRecords, writeTitled } from '../../testing/record-factories.ts';
import { activeClient, emptyRegistry, fetchPage, register } from './testing/client-registry.ts';

const alma = 'almalinux_patch';

describeApp('exposure of clients', (service) => {
  const { operator } = service;
  beforeEach(() => emptyRegistry(service.database));

  const write = (titles: readonly string[], severity: string) =>
    writeTitled(service.database, alma, titles, { severity });
  const readExposure = async (id: number) =>
    (await operator.get(`/windows/user/${id}/exposure`).json) as unknown as ClientExposure;
  const counts = ({ lists }: ClientExposure, key = alma) => {
    const list = lists.find((one) => one.list === key);
    return [list?.all.totalCount, list?.critical?.totalCount, list?.important?.totalCount];
  };
  const behindIn = async (key: string) => {
    const lists = (await operator.get('/windows/user/exposure').list) as unknown as {
      list: string;
      notYetFetchedBy: BehindClient[];
    }[];
    expect(lists).toHaveLength(catalogueLists.filter(({ source }) => source !== null).length);
    return lists.find(({ list }) => list === key);
  };

  /** Expects that every figure equals the total of its search. */
  async function expectProven({ lists }: ClientExposure): Promise<void> {
    for (const { all, critical, important } of lists)
      for (const figure of [all, critical, important]) if (figure !== null) await provenBy(figure);
  }
  async function provenBy({ list, criteria, totalCount, updateCount }: Figure): Promise<void> {
    const definition: CatalogueList = getList(list as never);
    const { searchPath, countedBy } = definition;
    const filter = filterText(definition, criteria, { now: service.now, timeZone: 'UTC' });
    const { json } = await operator.post(`${searchPath}?size=1000`, { filter });
    expect(json['totalCount'], filter).toBe(totalCount);
    const about = (json['objList'] as Record<string, unknown>[]).map(
      (row) => row[countedBy ?? 'id'] ?? `record ${String(row['id'])}`,
    );
    expect(new Set(about).size, filter).toBe(updateCount);
    if (countedBy === undefined) return;
    const counted = await operator.post(`${searchPath}/updates`, { filter }).json;
    expect(counted, filter).toEqual({ totalCount, updateCount });
  }

  test('counts all for a client that never fetched, then only records published, changed or returned since', async () => {
    const { id, caller } = await activeClient(service);
    const ids = await write(['c1', 'c2'], 'Critical');
    await write(['i1'], 'Important');
    await write(['l1'], 'Low');
    expect(counts(await readExposure(id))).toEqual([4, 2, 1]);
    await fetchPage(caller, alma);
    const fetched = await readExposure(id);
    expect(counts(fetched)).toEqual([0, 0, 0]);
    expect(fetched.lists.map(({ list, fetchedOn }) => [list, fetchedOn])).toEqual([
      [alma, service.now],
      ['debian_patch', null],
    ]);
    // A request from the beginning that finds nothing new leaves the position unchanged.
    const path = `/client/changes?list=${alma}`;
    const { etag } = (await caller.get(path)).headers;
    expect(await caller.get(path, { 'if-none-match': String(etag) }).status).toBe(304);
    expect(counts(await readExposure(id))).toEqual([0, 0, 0]);
    await write(['c3'], 'Critical');
    await write(['l1'], 'Important');
    await withdrawRecords(service.database, alma, [ids.get('c1')]);
    const behind = await readExposure(id);
    expect(counts(behind)).toEqual([2, 1, 1]);
    expect([behind.critical, behind.important]).toEqual([1, 1]);
    await write(['c1'], 'Critical');
    const again = await readExposure(id);
    expect(counts(again)).toEqual([3, 2, 1]);
    await expectProven(again);
  });

  test('counts the rest after a page that is not the last', async () => {
    const { id, caller } = await activeClient(service);
    await write(['c1', 'c2', 'c3'], 'Critical');
    await fetchPage(caller, alma, '&size=2');
    expect(counts(await readExposure(id))).toEqual([3, 3, 0]);
  });

  test('counts all records of a list without severities', async () => {
    const { id } = await register(service);
    await writeTitled(service.database, 'debian_patch', ['d1', 'd2']);
    const exposure = await readExposure(id);
    expect(counts(exposure, 'debian_patch')).toEqual([2, undefined, undefined]);
    expect(await operator.get('/windows/user/999999/exposure').status).toBe(404);
  });

  test('counts a KB once, however many lists and products contain it', async () => {
    const families = ['wsus', 'almaLinux'] as const;
    const { id, caller } = await activeClient(service, { families: [...families] });
    const kb = (list: ListKey, key: string, kbId: string | null, severity = 'Critical') =>
      writeRecords(service.database, list, [{ key, row: { kbId, severity } }]);
    await kb('patch_repository', 'a', 'KB1');
    await kb('patch_repository', 'b', 'KB1');
    await kb('patch_repository', 'c', 'KB2', 'Important');
    await kb('kb_repository', 'a', 'KB1');
    await kb('kb_repository', 'b', 'KB3');
    await kb('patch', 'a', 'KB1');
    await kb('patch', 'b', null);
    await kb('patch', 'c', null);
    await write(['c1', 'c2'], 'Critical');
    const all = await readExposure(id);
    const updates = all.lists.map((one) => [
      one.list,
      one.all.updateCount,
      one.critical?.updateCount,
      one.all.totalCount,
    ]);
    expect(updates).toEqual([
      ['patch_repository', 2, 1, 3],
      ['kb_repository', 2, 2, 2],
      [alma, 2, 2, 2],
      ['patch', 3, 3, 3],
    ]);
    // KB1, KB3, the two records without a KB, and the two errata.
    expect([all.critical, all.important]).toEqual([6, 1]);
    await expectProven(all);

    for (const list of ['patch_repository', 'kb_repository', 'patch'])
      await fetchPage(caller, list);
    expect((await readExposure(id)).critical).toBe(2);
    await kb('patch_repository', 'd', 'KB1');
    await kb('kb_repository', 'b', 'KB3', 'Important');
    const later = await readExposure(id);
    expect([later.critical, later.important]).toEqual([3, 1]);
    await expectProven(later);

    const never = await register(service, { clientName: 'Never', families: ['wsus'] });
    for (const [list, own] of [
      ['patch_repository', { all: 1, critical: 1, important: 0 }],
      ['kb_repository', { all: 1, critical: 0, important: 1 }],
    ] as const)
      expect((await behindIn(list))?.notYetFetchedBy).toMatchObject([
        { id: never.id, all: 2, critical: 1, important: 1 },
        { id, ...own },
      ]);
  });

  test('lists clients that lack updates, most severe first, without revoked and expired ones', async () => {
    await write(['c1'], 'Critical');
    const ready = await activeClient(service, { clientName: 'Ready' });
    const half = await activeClient(service, { clientName: 'Half' });
    const never = await register(service, { clientName: 'Never' });
    await register(service, { clientName: 'Other', families: ['wsus'] });
    const gone = await register(service, { clientName: 'Gone' });
    await register(service, { clientName: 'Ended', licenseExpiry: service.now - day });
    await operator.post(`/windows/user/${gone.id}/revoke`);
    await fetchPage(half.caller, alma);
    const ids = await write(['c2', 'c3'], 'Critical');
    const newest = await write(['i1'], 'Important');
    await fetchPage(ready.caller, alma);
    const figures = { hasSeverity: true, clients: 3, behind: 2 };
    const lacked = await behindIn(alma);
    expect(lacked).toMatchObject({ ...figures, lackCritical: 2, lackImportant: 2 });
    const behind = [
      { id: never.id, clientName: 'Never', fetchedOn: null, all: 4, critical: 3, important: 1 },
      {
        id: half.id,
        clientName: 'Half',
        fetchedOn: service.now,
        all: 3,
        critical: 2,
        important: 1,
      },
    ];
    expect(lacked?.notYetFetchedBy).toEqual(behind.map((one) => ({ ...one, declined: 0 })));
    for (const { id, all, critical, important } of behind)
      expect(counts(await readExposure(id))).toEqual([all, critical, important]);
    expect(await behindIn('patch_repository')).toMatchObject({ clients: 1, behind: 0 });

    const lacking = (path: string) => operator.get(`/windows/user/not-fetched/${path}`);
    for (const id of [ids.get('c2'), newest.get('i1')])
      expect(await lacking(`${alma}/${id}`).json).toMatchObject({
        clients: 3,
        totalCount: 2,
        objList: [
          { clientName: 'Half', heldBack: null },
          { clientName: 'Never', heldBack: null },
        ],
      });
    for (const path of [`${alma}/999999`, 'floto_user/1', 'fedora/1'])
      expect(await lacking(path).status, path).toBe(404);
  });
});

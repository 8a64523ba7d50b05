import { catalogueLists, type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { BehindClient, ClientExposure } from '@patch/contract/licensed-client-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import {
  activate,
  day,
  emptyRegistry,
  register,
  withdrawRecords,
  writeRecords,
} from './testing/client-registry.ts';

const almalinux = listOfKey('almalinux_patch');
const debian = listOfKey('debian_patch');

describeWithDatabase('what clients have not fetched', (open) => {
  const service = withSignInApp(open);
  let token: string;
  beforeEach(async () => {
    await emptyRegistry(service.database);
    token = await service.tokenOf('operator');
  });

  const write = (keys: readonly string[], severity: string) =>
    writeRecords(service.database, almalinux, keys, { severity });
  const fetchAll = (client: string, list = 'almalinux_patch', more = '') =>
    service.ask('GET', `/client/changes?list=${list}${more}`, { token: client });
  const exposureOf = async (id: number) =>
    (await service.ask('GET', `/windows/user/${id}/exposure`, { token }))
      .json as unknown as ClientExposure;
  const counts = ({ lists }: ClientExposure, key = 'almalinux_patch') => {
    const list = lists.find((one) => one.list === key);
    return [list?.all.totalCount, list?.critical?.totalCount, list?.important?.totalCount];
  };

  async function provenBy({ list, criteria, totalCount, updateCount }: Figure): Promise<void> {
    const definition = listOfKey(list as never);
    const filter = filterText(definition, criteria, { now: service.now, timeZone: 'UTC' });
    const { json } = await service.ask('POST', `${definition.searchPath}?size=1000`, {
      token,
      body: { filter },
    });
    expect(json['totalCount'], filter).toBe(totalCount);
    const about = (json['objList'] as Record<string, unknown>[]).map(
      (row) => row[definition.countedBy ?? 'id'] ?? `record ${String(row['id'])}`,
    );
    expect(new Set(about).size, filter).toBe(updateCount);
    if (definition.countedBy === undefined) return;
    const counted = await service.ask('POST', `${definition.searchPath}/updates`, {
      token,
      body: { filter },
    });
    expect(counted.json, filter).toEqual({ totalCount, updateCount });
  }

  test('a client that never asked lacks all; one that has all lacks what is published, changed or returned since', async () => {
    const client = await register(service);
    const clientToken = await activate(service, client);
    const ids = await write(['c1', 'c2'], 'Critical');
    await write(['i1'], 'Important');
    await write(['l1'], 'Low');
    expect(counts(await exposureOf(client.id))).toEqual([4, 2, 1]);
    await fetchAll(clientToken);
    const fetched = await exposureOf(client.id);
    expect(counts(fetched)).toEqual([0, 0, 0]);
    expect(fetched.lists.map(({ list, fetchedOn }) => [list, fetchedOn])).toEqual([
      ['almalinux_patch', service.now],
      ['debian_patch', null],
    ]);
    // Asked from the beginning, and told that nothing is new, it has what it had.
    const begun = '/api/client/changes?list=almalinux_patch';
    const headers = { authorization: `Apikey ${clientToken}` };
    const { etag } = (await service.app.inject({ url: begun, headers })).headers;
    const again304 = await service.app.inject({
      url: begun,
      headers: { ...headers, 'if-none-match': String(etag) },
    });
    expect(again304.statusCode).toBe(304);
    expect(counts(await exposureOf(client.id))).toEqual([0, 0, 0]);
    await write(['c3'], 'Critical');
    await write(['l1'], 'Important');
    await withdrawRecords(service.database, almalinux, [ids.get('c1') ?? 0]);
    const behind = await exposureOf(client.id);
    expect(counts(behind)).toEqual([2, 1, 1]);
    expect([behind.critical, behind.important]).toEqual([1, 1]);
    await write(['c1'], 'Critical');
    const again = await exposureOf(client.id);
    expect(counts(again)).toEqual([3, 2, 1]);
    for (const { all, critical, important } of again.lists)
      for (const figure of [all, critical, important]) if (figure !== null) await provenBy(figure);
  });

  test('a page that is not the last one is not the whole', async () => {
    const client = await register(service);
    const clientToken = await activate(service, client);
    await write(['c1', 'c2', 'c3'], 'Critical');
    await fetchAll(clientToken, 'almalinux_patch', '&size=2');
    expect(counts(await exposureOf(client.id))).toEqual([3, 3, 0]);
  });

  test('a list without severities counts all its records', async () => {
    const client = await register(service);
    await writeRecords(service.database, debian, ['d1', 'd2']);
    const exposure = await exposureOf(client.id);
    expect(counts(exposure, 'debian_patch')).toEqual([2, undefined, undefined]);
    expect((await service.ask('GET', '/windows/user/999999/exposure', { token })).status).toBe(404);
  });

  test('a KB counts once, however many lists and products it stands in', async () => {
    const client = await register(service, { families: ['wsus', 'almaLinux'] });
    const clientToken = await activate(service, client);
    const kb = (list: ListKey, key: string, kbId: string | null, severity = 'Critical') =>
      writeRecords(service.database, listOfKey(list), [key], { kbId, severity });
    await kb('patch_repository', 'a', 'KB1');
    await kb('patch_repository', 'b', 'KB1');
    await kb('patch_repository', 'c', 'KB2', 'Important');
    await kb('kb_repository', 'a', 'KB1');
    await kb('kb_repository', 'b', 'KB3');
    await kb('patch', 'a', 'KB1');
    await kb('patch', 'b', null);
    await kb('patch', 'c', null);
    await write(['c1', 'c2'], 'Critical');
    const all = await exposureOf(client.id);
    const updates = ({ lists }: ClientExposure) =>
      Object.fromEntries(
        lists.map(({ list, all: every, critical }) => [
          list,
          [every.updateCount, critical?.updateCount, every.totalCount],
        ]),
      );
    expect(updates(all)).toEqual({
      patch_repository: [2, 1, 3],
      kb_repository: [2, 2, 2],
      patch: [3, 3, 3],
      almalinux_patch: [2, 2, 2],
    });
    // KB1, KB3, the two that name no KB, and the two errata.
    expect([all.critical, all.important]).toEqual([6, 1]);
    for (const each of all.lists)
      for (const figure of [each.all, each.critical, each.important])
        if (figure !== null) await provenBy(figure);

    for (const list of ['patch_repository', 'kb_repository', 'patch'])
      await fetchAll(clientToken, list);
    expect((await exposureOf(client.id)).critical).toBe(2);
    await kb('patch_repository', 'd', 'KB1');
    await kb('kb_repository', 'b', 'KB3', 'Important');
    const later = await exposureOf(client.id);
    expect([later.critical, later.important]).toEqual([3, 1]);
    for (const each of later.lists)
      for (const figure of [each.all, each.critical, each.important])
        if (figure !== null) await provenBy(figure);

    const never = await register(service, { clientName: 'Never', families: ['wsus'] });
    const { json } = await service.ask('GET', '/windows/user/exposure', { token });
    const lists = json['objList'] as { list: string; notYetFetchedBy: BehindClient[] }[];
    expect(lists.find(({ list }) => list === 'patch_repository')?.notYetFetchedBy).toMatchObject([
      { id: never.id, all: 2, critical: 1, important: 1 },
      { id: client.id, all: 1, critical: 1, important: 0 },
    ]);
    expect(lists.find(({ list }) => list === 'kb_repository')?.notYetFetchedBy).toMatchObject([
      { id: never.id, all: 2, critical: 1, important: 1 },
      { id: client.id, all: 1, critical: 0, important: 1 },
    ]);
  });

  test('over all clients: who has not fetched what, those that lack most first; revoked and expired ones do not count', async () => {
    await write(['c1'], 'Critical');
    const ready = await register(service, { clientName: 'Ready' });
    const half = await register(service, { clientName: 'Half' });
    const never = await register(service, { clientName: 'Never' });
    const other = await register(service, { clientName: 'Other', families: ['wsus'] });
    const gone = await register(service, { clientName: 'Gone' });
    await register(service, { clientName: 'Ended', licenseExpiry: service.now - day });
    await service.ask('POST', `/windows/user/${gone.id}/revoke`, { token });
    await fetchAll(await activate(service, half));
    const ids = await write(['c2', 'c3'], 'Critical');
    await write(['i1'], 'Important');
    await fetchAll(await activate(service, ready));
    const { json } = await service.ask('GET', '/windows/user/exposure', { token });
    const lists = json['objList'] as { list: string; notYetFetchedBy: BehindClient[] }[];
    expect(json['totalCount']).toBe(catalogueLists.filter(({ source }) => source !== null).length);
    const alma = lists.find(({ list }) => list === 'almalinux_patch');
    expect(alma).toMatchObject({
      hasSeverity: true,
      clients: 3,
      behind: 2,
      lackCritical: 2,
      lackImportant: 2,
    });
    expect(alma?.notYetFetchedBy).toEqual([
      { id: never.id, clientName: 'Never', fetchedOn: null, all: 4, critical: 3, important: 1 },
      {
        id: half.id,
        clientName: 'Half',
        fetchedOn: service.now,
        all: 3,
        critical: 2,
        important: 1,
      },
    ]);
    for (const { id, critical, important } of alma?.notYetFetchedBy ?? []) {
      expect(counts(await exposureOf(id)).slice(1)).toEqual([critical, important]);
    }
    expect(lists.find(({ list }) => list === 'patch_repository')).toMatchObject({
      clients: 1,
      behind: 0,
    });
    expect(other.state).toBe('waiting');

    const lacking = async (key: string) =>
      (
        await service.ask('GET', `/windows/user/not-fetched/almalinux_patch/${ids.get(key)}`, {
          token,
        })
      ).json;
    expect(await lacking('c2')).toMatchObject({
      clients: 3,
      totalCount: 2,
      objList: [{ clientName: 'Half' }, { clientName: 'Never' }],
    });
    for (const path of ['almalinux_patch/999999', 'floto_user/1', 'fedora/1'])
      expect(
        (await service.ask('GET', `/windows/user/not-fetched/${path}`, { token })).status,
        path,
      ).toBe(404);
  });
});

/** Machines of other groups do not exist for a user of some groups: no reply of any call changes with them. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { allPatchesList } from '@patch/catalogue/records/all-patches-list.ts';
import { endpoints } from '@patch/contract/endpoints.ts';
import { expect, test } from 'vitest';
import { day } from '../identity/sign-in/testing/sign-in-app.ts';
import type { Caller } from '../testing/caller.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { old, patched, withMachinesOfClients } from './testing/machines-of-clients.ts';

/** In every text that a machine of another group has. */
const secret = 'elsewhere';

describeWithDatabase('users of some groups', (open) => {
  const fleet = withMachinesOfClients(open);
  const { service } = fleet;
  const { operator } = service;

  const report = async (by: Caller, key: string, text: string) =>
    (await fleet.outcomes(by, { key, name: `host-${key}`, text, tags: [`tag-${key}`] }))[0]?.id ??
    0;
  const addGroup = async (name: string, criteria: string) =>
    Number((await operator.post('/machines/groups', { name, criteria, owner: null }).json)['id']);
  const addPlan = async (name: string, criteria: string, by = operator) =>
    Number((await by.post('/machines/plans', { name, criteria, choice: 'all' }).json)['id']);
  const addUser = async (name: string, userType: 'Approver' | 'Operator', groups: number[]) => {
    await buildUser(service.database, { name, userType, machineGroups: groups });
    return service.as(await service.createToken(name));
  };
  const exceptAs = async (by: Caller, id: number, identifier: string, more: object = {}) => {
    const recordId = await fleet.recordId(identifier);
    const target = { list: 'almalinux_patch', recordId, until: service.now + 3 * day };
    const body = { ...target, reason: 'Behind a firewall', ...more };
    return by.post(`/machines/${id}/exceptions`, body).outcome;
  };

  async function begin() {
    for (const { id } of await operator.get('/machines/groups').list)
      await operator.delete(`/machines/groups/${Number(id)}`).json;
    for (const { exceptionId } of await operator.get('/machines/exceptions').list)
      await operator.delete(`/machines/exceptions/${Number(exceptionId)}`).json;
    const own = await addGroup('Own', 'client.equal.North');
    const ids = {
      a: await report(fleet.north, 'a', old),
      b: await report(fleet.north, 'b', patched),
    };
    const text = old.replace('8.9', '8.8').replace('bash-', `${secret}-1-1.x86_64\nbash-`);
    const c = await report(fleet.south, `${secret}-c`, text);
    const d = await report(fleet.south, `${secret}-d`, patched);
    await report(fleet.south, 'a', old);
    const foreign = await addGroup(`group-${secret}`, 'client.equal.South');
    const broken = await addGroup(`broken-${secret}`, '');
    await service.rows('update machine_group set criteria = $2 where id = $1', [
      broken,
      `${secret}.equal.red`,
    ]);
    await fleet.judge();
    return { own, foreign, broken, ...ids, c, d };
  }
  type World = Awaited<ReturnType<typeof begin>>;

  const valuesOf = ({ own, foreign, a, c }: World) => [
    'host-a',
    `host-${secret}-c`,
    `#${a}`,
    `#${c}`,
    'Own',
    `group-${secret}`,
    `#${own}`,
    `#${foreign}`,
    'North',
    'South',
    'ALSA-2024:1',
    'ALSA-2024:3',
    'almalinux 8',
  ];

  /** Filters with every criterion that no row has, and some on what rows have. */
  function filtersOf(world: World, list: typeof machineList | typeof allPatchesList) {
    const names = Object.keys(list.criteria).filter(
      (name) => getField(list, name).kind === 'identifiers',
    );
    const foreign = [`host-${secret}-c`, `group-${secret}`];
    return [
      '',
      ...names.flatMap((name) => [
        ...valuesOf(world).map((value) => `${name} = '${value}'`),
        ...foreign.map((value) => `${name} != '${value}'`),
        `lower(${name}) like '%o%'`,
      ]),
      ...(list === machineList
        ? [
            `name = 'host-a'`,
            `lower(name) like '%e%'`,
            `tags = 'tag-${secret}-c'`,
            `release = 'AlmaLinux 8.8'`,
          ]
        : []),
    ];
  }

  function requestsOf(world: World, almaRecord: number, plans: readonly number[]) {
    const gets = [
      ...[world.a, world.b, world.c, world.d].flatMap((id) => [
        `/machines/${id}`,
        `/machines/${id}/missing`,
      ]),
      ...['', '&group=Own', `&group=group-${secret}`, `&group=%23${world.foreign}`].flatMap(
        (group) => [
          `/machines/exposure?misses=ALSA-2024:3${group}`,
          `/dashboard/machines?${group}`,
          `/dashboard/machines/report?days=7${group}`,
          `/machines/exceptions?offset=0${group}`,
          `/machines/exceptions?endedWithin=30${group}`,
        ],
      ),
      `/records/almalinux_patch/${almaRecord}/machines`,
      ...[`?machineId=${world.a}`, `?machineId=${world.c}`, ''].map(
        (machine) => `/records/almalinux_patch/${almaRecord}/notes${machine}`,
      ),
      '/records/assignments',
      '/machines/groups',
      '/machines/plans',
      ...plans.flatMap((id) => [`/machines/plans/${id}`, `/machines/plans/${id}/files/plan.csv`]),
      '/dashboard',
      '/months/2024-04?products=mine',
      '/months/2024-04/file?format=csv&products=mine',
      '/searchTags?tag=tag',
      `/machines/exceptions?client=${fleet.northId}`,
      ...[world.c, world.a].map((id) => `/machines/exceptions?client=${Math.floor(id / 2 ** 26)}`),
      // Every other call that takes nothing.
      ...endpoints
        .filter(
          ({ method, machines, path, streams }) =>
            machines !== undefined &&
            method === 'GET' &&
            !path.includes('{') &&
            streams === undefined,
        )
        .map(({ path }) => path),
    ].map((path) => ({ method: 'GET' as const, path, body: undefined }));
    const posts = [machineList, allPatchesList].flatMap((list) => [
      ...filtersOf(world, list).flatMap((filter) =>
        ['', ...(/ (?:!=|like) /.test(filter) ? ['/summary', '/relaxed'] : [])].map((call) => ({
          method: 'POST' as const,
          path: `${list.searchPath}${call}`,
          body: { filter, ...(call === '/relaxed' && { keyword: secret }) },
        })),
      ),
      ...[secret, `host-${secret}-c`, 'host-elsewher-c', 'almalinux 8.8', 'host-a'].flatMap((q) => [
        { method: 'POST' as const, path: list.searchPath, body: { q } },
        { method: 'POST' as const, path: `${list.searchPath}/reading`, body: { q } },
        { method: 'POST' as const, path: `${list.searchPath}/reading`, body: { q, typing: true } },
        { method: 'POST' as const, path: list.searchPath, body: { keyword: q } },
      ]),
    ]);
    return [...gets, ...posts];
  }

  /** Returns the reply to each request, and the exported rows of machines. */
  async function observe(by: Caller, requests: ReturnType<typeof requestsOf>) {
    const replies: [string, string][] = [];
    for (const { method, path, body } of requests) {
      const { status, bytes, json } = await (method === 'GET' ? by.get(path) : by.post(path, body));
      const { requestId: _requestId, ...told } = json;
      const text = Object.keys(told).length > 0 ? JSON.stringify(told) : bytes.toString();
      replies.push([`${method} ${path} ${JSON.stringify(body)}`, `${status} ${text}`]);
    }
    for (const list of [machineList, allPatchesList]) {
      const columns = [...list.columns];
      const search = { filter: '' };
      const ticket = await by.post('/export', { list: list.key, format: 'csv', columns, search })
        .json;
      const file = await by.get(String(ticket['path']));
      replies.push([`export ${list.key}`, file.bytes.toString()]);
    }
    return replies;
  }

  test('get the same replies whether machines of other groups exist or not', async () => {
    const world = await begin();
    const limited = await addUser('Limited', 'Approver', [world.own]);
    await exceptAs(operator, world.a, 'ALSA-2024:2', { scope: 'group', groupId: world.own });
    await exceptAs(limited, world.a, 'ALSA-2024:3');
    await exceptAs(operator, world.c, 'ALSA-2024:3', { reason: secret });
    await exceptAs(operator, world.c, 'ALSA-2024:1', {
      reason: secret,
      scope: 'group',
      groupId: world.foreign,
    });
    await exceptAs(operator, world.d, 'ALSA-2024:3', { reason: secret, scope: 'client' });
    const notes = `/records/almalinux_patch/${await fleet.recordId('ALSA-2024:3')}`;
    for (const machineId of [world.a, world.c]) {
      const text = machineId === world.a ? 'Ask the vendor' : secret;
      expect(await operator.post(`${notes}/notes`, { machineId, text }).outcome).toBe('201');
      const assignee = { address: `${machineId === world.a ? 'own' : secret}@example.org` };
      expect(await operator.put(`${notes}/assignee`, { machineId, assignee }).outcome).toBe('200');
    }
    const plans = [
      await addPlan('Of own', 'group.in.Own'),
      await addPlan('By limited', '', limited),
      await addPlan(`All ${secret}`, ''),
      await addPlan(`Foreign ${secret}`, `group.in.group-${secret}`),
    ];
    await fleet.judge();
    const requests = requestsOf(world, await fleet.recordId('ALSA-2024:3'), plans);
    const before = await observe(limited, requests);

    for (const row of (await fleet.search({ filter: "client = 'South'" })).objList)
      expect(await operator.delete(`/machines/${String(row['id'])}`).outcome).toBe('200');
    for (const id of plans.slice(2)) await operator.delete(`/machines/plans/${id}`).json;
    for (const id of [world.foreign, world.broken])
      await operator.delete(`/machines/groups/${id}`).json;
    await fleet.judge();
    const after = await observe(limited, requests);

    expect(before).toEqual(after);
    const own = new Map(after);
    expect(own.get('export machines')).toContain('host-a');
    expect(own.get(`GET /machines/${world.a} undefined`)).toContain('host-a');
    expect(own.get(`GET /machines/${world.c} undefined`)).toMatch(/^404/);
    expect(own.get('GET /machines/plans undefined')).toContain('"totalCount":2');
    expect(own.get('GET /machines/exposure?misses=ALSA-2024:3 undefined')).toContain(
      '"machines":2',
    );
    expect(own.get('GET /records/assignments undefined')).toContain('own@example.org');
    expect(own.get('GET /dashboard/machines/report?days=7 undefined')).toMatch(/^422/);
    expect(own.get('GET /dashboard/machines/report?days=7&group=Own undefined')).toMatch(/^200/);
    expect(own.get('GET /machines/exceptions?offset=0 undefined')).toContain('"totalCount":2');
    const replies = before.filter(([request]) => !request.includes(secret));
    expect(replies.filter(([, reply]) => reply.includes(secret))).toEqual([]);
  });

  test('decide, plan and schedule for own machines alone', async () => {
    const world = await begin();
    const { a, c, own, foreign } = world;
    const limited = await addUser('Limited', 'Approver', [own]);
    const except = (id: number, more?: object) => exceptAs(limited, id, 'ALSA-2024:1', more);
    expect(await except(a)).toBe('201');
    expect(await except(a, { scope: 'group', groupId: own })).toBe('201');
    expect(await except(c)).toBe('404 not_found');
    for (const scope of ['client', 'all'])
      expect(await except(a, { scope })).toBe('403 limited_to_groups');

    for (const id of [foreign, 999_999])
      expect(await except(a, { scope: 'group', groupId: id })).toBe('404 no_such_group');
    await exceptAs(operator, c, 'ALSA-2024:2');
    await exceptAs(operator, c, 'ALSA-2024:3', { scope: 'client' });
    await exceptAs(operator, a, 'ALSA-2024:2', { scope: 'all' });
    const change = { kind: 'accepted', until: service.now + day, reason: 'Mine' };
    const found = await operator.get('/machines/exceptions?size=100').list;
    const outcomes = new Map<string, readonly string[]>();
    let foreignClient = '';
    for (const { exceptionId, scope, machineId } of found) {
      const path = `/machines/exceptions/${String(exceptionId)}`;
      const name = `${String(scope)}${machineId === c ? ' elsewhere' : ''}`;
      if (scope === 'client') foreignClient = path;
      outcomes.set(name, [
        await limited.put(path, change).outcome,
        await limited.delete(path).outcome,
      ]);
    }
    expect(Object.fromEntries(outcomes)).toEqual({
      machine: ['200', '200'],
      group: ['200', '200'],
      'machine elsewhere': ['404 not_found', '404 not_found'],
      client: ['404 not_found', '404 not_found'],
      all: ['403 limited_to_groups', '403 limited_to_groups'],
    });

    expect(await limited.delete(foreignClient).refusal).toEqual([
      404,
      expect.stringMatching(/^Exception \d+ does not exist\.$/),
    ]);

    const record = `/records/almalinux_patch/${await fleet.recordId('ALSA-2024:3')}`;
    const assignee = { address: 'ops@example.org' };
    const noteOn = (machineId: number | undefined, by = limited) =>
      by.post(`${record}/notes`, { machineId, text: 'Seen' });
    const foreignNote = Number((await noteOn(c, operator).json)['id']);
    expect(await noteOn(a).outcome).toBe('201');
    expect(await noteOn(c).outcome).toBe('404 not_found');
    expect(await limited.delete(`/records/notes/${foreignNote}`).outcome).toBe('404 not_found');
    expect(await noteOn(undefined).outcome).toBe('403 limited_to_groups');
    const noteOfAll = Number((await noteOn(undefined, operator).json)['id']);
    expect(await limited.delete(`/records/notes/${noteOfAll}`).outcome).toBe(
      '403 limited_to_groups',
    );
    expect(await operator.delete(`/records/notes/${noteOfAll}`).outcome).toBe('200');
    const assign = (target: object) =>
      limited.put(`${record}/assignee`, { assignee, ...target }).outcome;
    expect(await assign({ machineId: a })).toBe('200');
    expect(await assign({ machineId: c })).toBe('404 not_found');
    expect(await assign({})).toBe('403 limited_to_groups');

    const plan = await limited.post('/machines/plans', { name: 'P', criteria: '', choice: 'all' })
      .json;
    expect(plan).toMatchObject({ machines: 2 });
    const named = { name: 'N', criteria: `name.contains.${secret}`, choice: 'all' };
    expect(await limited.post('/machines/plans', named).json).toMatchObject({ machines: 0 });
    const all = await addPlan('All', '');
    for (const id of [all, 999_999]) {
      const path = `/machines/plans/${id}`;
      expect(await limited.put(`${path}/tasks/0`, { window: null }).outcome).toBe(
        '404 no_such_plan',
      );
      expect(await limited.delete(path).outcome).toBe('404 no_such_plan');
    }
    expect(await limited.delete(`/machines/plans/${Number(plan['id'])}`).outcome).toBe('200');
  });

  test('lose what concerns machines that have left their groups', async () => {
    const { a, b, own } = await begin();
    const limited = await addUser('Limited', 'Approver', [own]);
    const more = { scope: 'group', groupId: own };
    await exceptAs(operator, a, 'ALSA-2024:3', more);
    const plan = await addPlan('Both', 'group.in.Own');
    const path = `/machines/plans/${plan}`;
    const positionOf = async (machine: number) => {
      const { tasks } = await operator.get(path).json;
      type Task = {
        readonly position: number;
        readonly machines: readonly { readonly id: number }[];
      };
      return (tasks as Task[]).find(({ machines }) => machines[0]?.id === machine)?.position;
    };
    const ofA = `${path}/tasks/${await positionOf(a)}`;
    expect(await limited.put(ofA, { window: null }).outcome).toBe('200');

    await operator.put(`/machines/groups/${own}`, { criteria: 'name.equal.host-b' }).json;
    expect(await limited.get(`/machines/${a}`).outcome).toBe('404 not_found');
    expect(await limited.get(`/machines/${b}`).outcome).toBe('200');
    expect(await limited.put(ofA, { window: null }).outcome).toBe('404 no_such_plan');
    expect(JSON.stringify(await limited.get(path).json)).not.toContain('host-a');
    expect(await exceptAs(limited, b, 'ALSA-2024:3', more)).toBe('403 not_allowed');
    const [{ exceptionId } = {}, ...others] = await limited.get('/machines/exceptions').list;
    expect(others).toEqual([]);
    expect(await limited.delete(`/machines/exceptions/${Number(exceptionId)}`).outcome).toBe(
      '403 limited_to_groups',
    );
    expect(await operator.get(`/machines/exceptions`).list).toHaveLength(1);

    await operator.delete(`/machines/groups/${own}`).json;
    expect(await limited.get(path).outcome).toBe('404 no_such_plan');
    expect(await limited.delete(`/machines/exceptions/${Number(exceptionId)}`).outcome).toBe(
      '404 not_found',
    );
  });

  test('see no machine when their groups were removed', async () => {
    const { a, own } = await begin();
    const limited = await addUser('Limited', 'Operator', [own]);
    expect(await limited.get(`/machines/${a}`).outcome).toBe('200');
    await operator.delete(`/machines/groups/${own}`).json;
    expect(await limited.get(`/machines/${a}`).outcome).toBe('404 not_found');
    expect(await limited.post('/machines/search', {}).json).toEqual({ objList: [], totalCount: 0 });
    expect(await limited.get('/dashboard/machines').json).toMatchObject({
      machines: 0,
      missing: 0,
    });
  });

  test('export own machines alone, also with a link from before', async () => {
    const { own } = await begin();
    await buildUser(service.database, { name: 'Limited', userType: 'Operator' });
    const limited = service.as(await service.createToken('Limited'));
    const body = { list: 'machines', format: 'csv', columns: ['name'], search: {} };
    const link = async () => String((await limited.post('/export', body).json)['path']);
    const fetched = async (path: string) => (await service.anyone.get(path)).bytes.toString();
    expect(await fetched(await link())).toContain(secret);
    const path = await link();
    await service.rows(
      "update users set machine_groups = array[$1::bigint] where name = 'Limited'",
      [own],
    );
    const text = await fetched(path);
    expect(text).toContain('host-a');
    expect(text).not.toContain(secret);
  });

  test('are sent alerts and feeds of own machines alone', async () => {
    const { own } = await begin();
    const limited = await addUser('Limited', 'Operator', [own]);
    const entriesOf = async (name: string, criteria: string) => {
      const search = { criteria, keyword: '', sort: null, columns: null };
      const view = { list: 'all_patches', name, shared: false, isDefault: false, search };
      const { id } = await limited.post('/views', view).json;
      const { secretAddress } = await limited.post(`/views/${Number(id)}/atomfeeds`).json;
      const path = String(secretAddress).replace(/^.*\/api/, '');
      const text = (await limited.get(path)).bytes.toString();
      return text.match(/<entry>/g)?.length ?? 0;
    };
    expect(await entriesOf('Own', 'missingAt.in.North')).toBe(3);
    expect(await entriesOf('Others', 'missingAt.in.South')).toBe(0);
    expect(await entriesOf('Any', 'missingOn.contains.host')).toBe(3);

    const search = { criteria: '', keyword: '' };
    const alert = { list: 'machines', search, mode: 'digest', hour: 6, timeZone: 'UTC' };
    service.now += day;
    const later = service.as(await service.createToken('Limited'));
    expect(await later.post('/alerts/preview', alert).json).toMatchObject({ total: 2 });
    expect(await operator.post('/alerts/preview', alert).json).toMatchObject({ total: 5 });
  });
});

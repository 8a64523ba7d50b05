import { specified } from '@patch/catalogue/testing/specified.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { describeWithDatabase } from '../../testing/databases.ts';

describeWithDatabase('preferences', (open) => {
  const service = withSignInApp(open);
  let operator: string;
  let stan: string;

  beforeEach(async () => {
    operator = await service.createToken('operator');
    stan = await service.createToken('stan');
  });

  const save = (token: string, body: object) => service.ask('POST', '/preference', { token, body });
  const read = async (token: string) =>
    (await service.ask('GET', '/preference', { token })).json['preferences'];

  test('stores preferences for each user, and the last write for a list wins', async () => {
    expect(await read(operator)).toEqual({});
    await save(operator, {
      moduleName: 'almalinux_patch',
      preference: { columns: ['title'], widths: { title: 300 } },
    });
    const preference = {
      columns: ['severity', 'title'],
      pageSize: 50,
      sort: '-severity',
      density: 'dense',
      loadMode: 'loadmore',
    };
    expect(await save(operator, { moduleName: 'almalinux_patch', preference })).toMatchObject({
      status: 200,
      json: { preferences: { almalinux_patch: preference } },
    });
    await save(stan, { moduleName: 'patch', preference: { columns: ['uuid'] } });
    expect(await read(operator)).toEqual({ almalinux_patch: preference });
    expect(await read(stan)).toEqual({ patch: { columns: ['uuid'] } });
    expect(
      (await service.ask('DELETE', '/preference/almalinux_patch', { token: operator })).json,
    ).toEqual({ preferences: {}, frame: {} });
    expect(await read(operator)).toEqual({});
  });

  test('stores an order of several fields by its name, in preferences and in views', async () => {
    const preference = { sort: 'patchFirst' };
    expect((await save(operator, { moduleName: 'all_patches', preference })).status).toBe(200);
    const search = { criteria: '', keyword: '', sort: 'patchFirst', columns: null };
    const view = { list: 'all_patches', name: 'First', shared: false, isDefault: false, search };
    const { status, json } = await service.ask('POST', '/views', { token: stan, body: view });
    expect([status, json['search']]).toEqual([201, search]);
    expect((await save(operator, { moduleName: 'almalinux_patch', preference })).status).toBe(422);
  });

  test.each([
    [{ preference: {} }, specified.moduleNameRequired],
    [{ moduleName: '', preference: {} }, specified.moduleNameRequired],
    [{ moduleName: 'no_list', preference: {} }, "Unknown list 'no_list'. Lists: "],
    [
      { moduleName: 'patch', preference: { columns: ['titel'] } },
      "has no field 'titel'. Its fields are: id, uuid, title",
    ],
    [{ moduleName: 'patch', preference: { sort: '-titel' } }, "has no field 'titel'"],
    [{ moduleName: 'patch', preference: { widths: { title: 20 } } }, '80'],
    [{ moduleName: 'patch', preference: { columns: [] } }, 'preference.columns'],
    [{ moduleName: 'patch', preference: { colour: 'red' } }, 'colour'],
  ])('rejects %j with a message', async (body, words) => {
    const { status, json } = await save(operator, body);
    expect(status).toBe(422);
    expect(json['userMessage']).toContain(words);
    expect(await read(operator)).toEqual({});
  });

  test('stores the layout in addition to the lists, for each person', async () => {
    const frame = (token: string, body: object) =>
      service.ask('POST', '/preference/frame', { token, body });
    await save(operator, { moduleName: 'patch', preference: { columns: ['uuid'] } });
    const set = await frame(operator, { sidebar: 'collapsed', theme: 'dark' });
    expect(set.json).toEqual({
      preferences: { patch: { columns: ['uuid'] } },
      frame: { sidebar: 'collapsed', theme: 'dark' },
    });
    await frame(operator, { sidebar: 'expanded' });
    expect((await service.ask('GET', '/preference', { token: operator })).json['frame']).toEqual({
      sidebar: 'expanded',
    });
    expect((await service.ask('GET', '/preference', { token: stan })).json).toEqual({
      preferences: {},
      frame: {},
    });
    expect((await frame(operator, { sidebar: 'left' })).status).toBe(422);
  });

  describe('saved views', () => {
    const search = {
      criteria: 'severity.in.Critical*.Important**releaseDate.equal.last_week',
      keyword: 'ssl',
      sort: '-releaseDate',
      columns: null,
    };
    const view = {
      list: 'almalinux_patch',
      name: 'This week',
      shared: false,
      isDefault: false,
      search,
    };
    const create = (token: string, body: object) => service.ask('POST', '/views', { token, body });
    const seen = async (token: string, list = '') => {
      const { json } = await service.ask('GET', `/views${list === '' ? '' : `?list=${list}`}`, {
        token,
      });
      return json['objList'] as readonly Record<string, unknown>[];
    };

    test('shows a private view only to its owner and a shared view to all, and lets its owner and administrators change it', async () => {
      const own = await create(stan, view);
      expect(own).toMatchObject({
        status: 201,
        json: { ...view, ownerName: 'Stan', mayChange: true },
      });
      const shared = await create(stan, { ...view, name: 'For all', shared: true });
      expect((await seen(stan)).map(({ name }) => name)).toEqual(['For all', 'This week']);
      expect(await seen(operator, 'almalinux_patch')).toMatchObject([
        { name: 'For all', mayChange: true },
      ]);
      expect(await seen(operator, 'patch')).toEqual([]);

      const operators = await create(operator, { ...view, name: 'Mine', shared: true });
      const refused = await service.ask('PUT', `/views/${String(operators.json['id'])}`, {
        token: stan,
        body: { name: 'Taken' },
      });
      expect(refused).toMatchObject({
        status: 403,
        json: {
          userMessage: "'Mine' is Operator's. Only Operator and administrators may change it.",
        },
      });
      expect(
        (await service.ask('DELETE', `/views/${String(operators.json['id'])}`, { token: stan }))
          .status,
      ).toBe(403);
      expect(
        (await service.ask('DELETE', `/views/${String(own.json['id'])}`, { token: operator }))
          .status,
      ).toBe(404);
      expect(
        (await service.ask('DELETE', `/views/${String(shared.json['id'])}`, { token: operator }))
          .status,
      ).toBe(200);
      expect((await seen(stan)).map(({ name }) => name)).toEqual(['Mine', 'This week']);
    });

    test('allows one default for each user and list, also of another owner until sharing stops', async () => {
      const first = await create(operator, { ...view, shared: true, isDefault: true });
      const path = `/views/${String(first.json['id'])}`;
      expect(
        (await service.ask('PUT', path, { token: stan, body: { isDefault: true } })).json,
      ).toMatchObject({
        isDefault: true,
        mayChange: false,
      });
      const second = await create(stan, { ...view, name: 'Other', isDefault: true });
      expect((await seen(stan)).filter(({ isDefault }) => isDefault)).toMatchObject([
        { id: second.json['id'] },
      ]);
      await service.ask('PUT', path, { token: stan, body: { isDefault: true } });
      expect((await seen(stan)).filter(({ isDefault }) => isDefault)).toMatchObject([
        { id: first.json['id'] },
      ]);
      await service.ask('PUT', path, { token: operator, body: { shared: false } });
      expect((await seen(stan)).filter(({ isDefault }) => isDefault)).toEqual([]);
      expect(await seen(operator)).toMatchObject([
        { id: first.json['id'], isDefault: true, shared: false },
      ]);
    });

    test('allows a name once for each user and list, ignoring case', async () => {
      await create(stan, view);
      expect(await create(stan, { ...view, name: ' this WEEK ' })).toMatchObject({
        status: 409,
        json: {
          userMessage: "You have a view named 'this WEEK' in this list. Choose another name.",
        },
      });
      expect((await create(operator, view)).status).toBe(201);
      const other = await create(stan, { ...view, name: 'Other' });
      const renamed = await service.ask('PUT', `/views/${String(other.json['id'])}`, {
        token: stan,
        body: { name: 'This Week' },
      });
      expect(renamed.status).toBe(409);
      expect((await seen(stan)).map(({ name }) => name)).toEqual(['Other', 'This week']);
    });

    test.each([
      [{ list: 'no_list' }, "Unknown list 'no_list'"],
      [{ name: '  ' }, 'name is required'],
      [{ name: 'x'.repeat(101) }, 'Size of Name must be less than 100.'],
      [
        { search: { ...search, criteria: 'titel.equal.x' } },
        "The field 'titel' is not valid. Allowed fields are: ",
      ],
      [{ search: { ...search, columns: ['titel'] } }, "has no field 'titel'"],
      [{ search: { ...search, sort: '-titel' } }, "has no field 'titel'"],
    ])('rejects %j with a message', async (change, words) => {
      const { status, json } = await create(stan, { ...view, ...change });
      expect(status).toBe(422);
      expect(json['userMessage']).toContain(words);
    });
  });
});

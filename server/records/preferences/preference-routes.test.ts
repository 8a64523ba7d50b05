import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, test } from 'vitest';
import { describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import type { Caller } from '../../testing/caller.ts';

describeApp('preferences', (service) => {
  const { operator, stan } = service;
  const save = (body: object, by = operator) => by.post('/preference', body);
  const read = (by = operator) => by.get('/preference').json;
  const readLists = async (by = operator) => (await read(by))['preferences'];

  test('stores preferences for each user, and the last write for a list wins', async () => {
    expect(await readLists()).toEqual({});
    const first = { columns: ['title'], widths: { title: 300 } };
    await save({ moduleName: 'almalinux_patch', preference: first });
    const preference = {
      columns: ['severity', 'title'],
      pageSize: 50,
      sort: '-severity',
      density: 'dense',
      loadMode: 'loadmore',
    };
    expect(await save({ moduleName: 'almalinux_patch', preference })).toMatchObject({
      status: 200,
      json: { preferences: { almalinux_patch: preference } },
    });
    await save({ moduleName: 'patch', preference: { columns: ['uuid'] } }, stan);
    expect(await readLists()).toEqual({ almalinux_patch: preference });
    expect(await readLists(stan)).toEqual({ patch: { columns: ['uuid'] } });
    const nothing = { preferences: {}, frame: {} };
    expect(await operator.delete('/preference/almalinux_patch').json).toEqual(nothing);
    expect(await readLists()).toEqual({});
  });

  test('stores an order of several fields by its name, in preferences and in views', async () => {
    const preference = { sort: 'patchFirst' };
    expect(await save({ moduleName: 'all_patches', preference }).status).toBe(200);
    const search = { criteria: '', keyword: '', sort: 'patchFirst', columns: null };
    const view = { list: 'all_patches', name: 'First', shared: false, isDefault: false, search };
    const { status, json } = await stan.post('/views', view);
    expect([status, json['search']]).toEqual([201, search]);
    expect(await save({ moduleName: 'almalinux_patch', preference }).status).toBe(422);
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
    expect(await save(body).refusal).toEqual([422, expect.stringContaining(words)]);
    expect(await readLists()).toEqual({});
  });

  test('stores the layout in addition to the lists, for each person', async () => {
    const saveFrame = (body: object) => operator.post('/preference/frame', body);
    const preferences = { patch: { columns: ['uuid'] } };
    await save({ moduleName: 'patch', preference: preferences.patch });
    const frame = { sidebar: 'collapsed', theme: 'dark' };
    expect(await saveFrame(frame).json).toEqual({ preferences, frame });
    await saveFrame({ sidebar: 'expanded' });
    expect((await read())['frame']).toEqual({ sidebar: 'expanded' });
    expect(await read(stan)).toEqual({ preferences: {}, frame: {} });
    expect(await saveFrame({ sidebar: 'left' }).status).toBe(422);
  });
});

describeApp('saved views', (service) => {
  const { operator, stan } = service;
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
  const create = (by: Caller, change: object = {}) => by.post('/views', { ...view, ...change });
  test('takes the address of the list as its criteria, decoded once', async () => {
    const written = 'title.contains.50%25 off';
    const criteria = `/patch-repository/almalinux?criteria=${encodeURIComponent(written)}`;
    const made = (await create(stan, { search: { ...search, criteria } }).json) as {
      readonly id: number;
      readonly search: object;
    };
    expect(made.search).toEqual({ ...search, criteria: written });
    const path = `/views/${made.id}`;
    expect(await stan.put(path, { name: 'Other' }).json).toMatchObject({ search: made.search });
    expect(await stan.put(path, { search: made.search }).refusal).toEqual([
      422,
      expect.stringContaining('must not have percent encoding such as %25'),
    ]);
  });

  const createPath = async (by: Caller, change: object = {}) =>
    `/views/${String((await create(by, change).json)['id'])}`;
  const readNames = async (by: Caller) => (await by.get('/views').list).map(({ name }) => name);

  test('shows a private view only to its owner and a shared view to all, and lets its owner and administrators change it', async () => {
    const own = await create(stan);
    const shown = { ...view, ownerName: 'Stan', mayChange: true };
    expect(own).toMatchObject({ status: 201, json: shown });
    const shared = await createPath(stan, { name: 'For all', shared: true });
    expect(await readNames(stan)).toEqual(['For all', 'This week']);
    expect(await operator.get('/views?list=almalinux_patch').list).toMatchObject([
      { name: 'For all', mayChange: true },
    ]);
    expect(await operator.get('/views?list=patch').list).toEqual([]);

    const operators = await createPath(operator, { name: 'Mine', shared: true });
    const words = "'Mine' is Operator's. Only Operator and administrators may change it.";
    expect(await stan.put(operators, { name: 'Taken' }).refusal).toEqual([403, words]);
    expect(await stan.delete(operators).status).toBe(403);
    expect(await operator.delete(`/views/${String(own.json['id'])}`).status).toBe(404);
    expect(await operator.delete(shared).status).toBe(200);
    expect(await readNames(stan)).toEqual(['Mine', 'This week']);
  });

  test('writes every change of a shared view to the audit log, and none of a private one', async () => {
    // After the entries of other tests.
    service.now += 1000;
    const own = await createPath(stan);
    await stan.put(own, { name: 'Renamed' });
    const shared = { list: view.list, name: 'For all', search };
    const path = await createPath(stan, { name: 'For all', shared: true });
    await operator.put(path, { isDefault: true });
    const keyword = { ...search, keyword: 'tls' };
    await operator.put(path, { search: keyword });
    await operator.put(path, { shared: false });
    await stan.put(path, { shared: true, name: 'Again' });
    const others = await createPath(operator, { name: 'Mine', shared: true });
    expect(await stan.delete(others).status).toBe(403);
    await operator.delete(path);
    await stan.delete(own);
    const found = await operator.get(`/audit?subject=view&from=${service.now}`).list;
    const subject = 'view For all of Stan';
    const again = { ...shared, name: 'Again', search: keyword };
    const mine = { ...shared, name: 'Mine' };
    expect(
      found
        .toReversed()
        .map(({ userName, action, subject: about, outcome, before, after }) => [
          `${String(userName)} ${String(action)} ${String(outcome)}`,
          about,
          before,
          after,
        ]),
    ).toEqual([
      ['Stan create_view done', subject, null, shared],
      ['Operator change_view done', subject, shared, { ...shared, search: keyword }],
      ['Operator change_view done', subject, { ...shared, search: keyword }, null],
      ['Stan change_view done', 'view Again of Stan', null, again],
      ['Operator create_view done', 'view Mine of Operator', null, mine],
      ['Stan delete_view refused', 'view Mine of Operator', mine, null],
      ['Operator delete_view done', 'view Again of Stan', again, null],
    ]);
  });

  test('allows one default for each user and list, also of another owner until sharing stops', async () => {
    const readDefaults = async () =>
      (await stan.get('/views').list).filter(({ isDefault }) => isDefault);
    const { id } = await create(operator, { shared: true, isDefault: true }).json;
    const path = `/views/${String(id)}`;
    const byStan = { isDefault: true, mayChange: false };
    expect(await stan.put(path, { isDefault: true }).json).toMatchObject(byStan);
    const second = await create(stan, { name: 'Other', isDefault: true }).json;
    expect(await readDefaults()).toMatchObject([{ id: second['id'] }]);
    await stan.put(path, { isDefault: true });
    expect(await readDefaults()).toMatchObject([{ id }]);
    await operator.put(path, { shared: false });
    expect(await readDefaults()).toEqual([]);
    const byOperator = { id, isDefault: true, shared: false };
    expect(await operator.get('/views').list).toMatchObject([byOperator]);
  });

  test('allows a name once for each user and list, ignoring case', async () => {
    await create(stan);
    expect(await create(stan, { name: ' this WEEK ' }).refusal).toEqual([
      409,
      "You have a view named 'this WEEK' in this list. Choose another name.",
    ]);
    expect(await create(operator).status).toBe(201);
    const other = await createPath(stan, { name: 'Other' });
    expect(await stan.put(other, { name: 'This Week' }).status).toBe(409);
    expect(await readNames(stan)).toEqual(['Other', 'This week']);
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
    expect(await create(stan, change).refusal).toEqual([422, expect.stringContaining(words)]);
  });
});

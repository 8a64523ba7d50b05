import { parseAtomFeed } from 'feedsmith';
import { beforeEach, expect, test } from 'vitest';
import { day, describeApp, minute } from '../../identity/sign-in/testing/sign-in-app.ts';
import type { Caller } from '../../testing/caller.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';

const list = 'almalinux_patch';

describeApp('Atom feeds', (service) => {
  const { operator, stan, anyone } = service;
  const began = service.now;

  beforeEach(async () => {
    service.now = began;
    await service.database.script(
      'delete from record; delete from almalinux_patch; delete from patch_repository; delete from kb_repository; delete from sync_change; delete from sync_run',
    );
  });

  const write = (titles: readonly string[], now: number, more: object = {}) =>
    writeRecords(
      service.database,
      list,
      titles.map((title) => ({ key: title, row: { title, severity: 'Critical', ...more } })),
      now,
    );

  const createView = async (owner: Caller, more: object = {}) => {
    const search = { criteria: 'severity.in.Critical', keyword: '', sort: null, columns: null };
    const body = { list, name: 'Critical', shared: false, isDefault: false, search, ...more };
    return (await owner.post('/views', body).json) as unknown as { readonly id: number };
  };
  const subscribe = async (owner: Caller, path: string) => {
    const { status, json } = await owner.post(`${path}/atomfeeds`);
    if (status !== 201) throw new Error(`The feed was not created: ${JSON.stringify(json)}`);
    const { id, secretAddress } = json as { id: number; secretAddress: string };
    return { id, path: secretAddress.replace('https://patch.example.org/api', '') };
  };
  const subscribeToView = async (owner: Caller, more: object = {}) => {
    const { id } = await createView(owner, more);
    return { view: id, ...(await subscribe(owner, `/views/${id}`)) };
  };
  const read = async (path: string) => {
    const { status, headers, bytes } = await anyone.get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    return parseAtomFeed(bytes.toString());
  };
  const titles = async (path: string) =>
    (await read(path)).entries?.map(({ title }) => title?.value);

  test('shows the records of a view with the last change first, for a reader without an account', async () => {
    const { path, view } = await subscribeToView(stan);
    await write(['first'], began);
    const ids = await write(['<second> & "co"\u0007'], began + minute);
    await write(['other'], began, { severity: 'Low' });
    const feed = await read(path);
    const page = 'https://patch.example.org/patch-repository/almalinux-patch';
    expect(feed).toMatchObject({
      title: { value: 'Critical (AlmaLinux patches)' },
      updated: new Date(began + minute).toISOString(),
      authors: [{ name: 'Patch Repository' }],
      links: [
        { rel: 'self', href: `https://patch.example.org/api${path}` },
        { rel: 'alternate', href: `${page}?criteria=severity.in.Critical&view=${view}` },
      ],
      entries: [
        {
          title: { value: '<second> & "co"' },
          summary: { value: 'Severity: Critical' },
          updated: new Date(began + minute).toISOString(),
          published: new Date(began + minute).toISOString(),
          links: [{ href: `${page}/record/${[...ids.values()][0]}` }],
        },
        { title: { value: 'first' } },
      ],
    });
    expect(new Set(feed.entries?.map(({ id }) => id)).size).toBe(2);
  });

  test('moves changed, withdrawn and returned records up, under the same id', async () => {
    const { path } = await subscribeToView(stan);
    const ids = await write(['a', 'b', 'c'], began);
    const id = async (title: string) =>
      (await read(path)).entries?.find((entry) => entry.title?.value?.endsWith(title))?.id;
    const before = [await id('a'), await id('b'), await id('c')];
    await write(['c'], began + minute, { releaseDate: began });
    expect((await titles(path))?.[0]).toBe('c');
    await withdrawRecords(service.database, list, [ids.get('a')], began + 2 * minute);
    expect(await titles(path)).toEqual(['Withdrawn: a', 'c', 'b']);
    expect((await read(path)).entries?.[0]).toMatchObject({
      categories: [{ term: 'withdrawn' }],
      updated: new Date(began + 2 * minute).toISOString(),
    });
    await write(['b'], began + 3 * minute, { severity: 'Low' });
    expect(await titles(path)).toEqual(['Withdrawn: a', 'c']);
    await write(['b'], began + 4 * minute);
    await write(['a'], began + 5 * minute);
    const { entries } = await read(path);
    expect(entries?.map(({ title, updated }) => [title?.value, updated])).toEqual([
      ['a', new Date(began + 5 * minute).toISOString()],
      ['b', new Date(began + 4 * minute).toISOString()],
      ['c', new Date(began + minute).toISOString()],
    ]);
    expect([await id('a'), await id('b'), await id('c')]).toEqual(before);
  });

  test('answers 304 until a record, the view or the day changes', async () => {
    const { path, view } = await subscribeToView(stan);
    await write(['a'], began);
    const tag = async () => String((await anyone.get(path)).headers['etag']);
    const first = await tag();
    const again = (known: string) => anyone.get(path, { 'if-none-match': known });
    expect(await again(first)).toMatchObject({ status: 304, bytes: Buffer.from('') });
    expect(await again('W/"other"').status).toBe(200);
    await write(['b'], began);
    const second = await tag();
    expect(await again(first).status).toBe(200);
    service.now += minute;
    await stan.put(`/views/${view}`, { name: 'Worst' });
    expect(await again(second).status).toBe(200);
    const third = await tag();
    expect(await again(third).status).toBe(304);
    service.now += day;
    expect(await again(third).status).toBe(200);
  });

  test('has the 100 entries that changed last', async () => {
    const { path } = await subscribe(stan, '/sources/almaLinux');
    await write(
      Array.from({ length: 101 }, (_, index) => `old ${index}`),
      began,
    );
    await write(['new'], began + minute);
    const found = await titles(path);
    expect([found?.length, found?.[0]]).toEqual([100, 'new']);
  });

  test('has one entry for an update of several records and lists of a vendor', async () => {
    const kb = (key: string, kbId: string, more: object = {}) => ({
      key,
      row: { kbId, title: `Update (${kbId})`, ...more },
    });
    const products = [kb('1', 'KB5034441'), kb('2', 'KB5034441'), kb('3', 'KB5034129')];
    const ids = await writeRecords(service.database, 'patch_repository', products, began);
    await writeRecords(service.database, 'kb_repository', [kb('4', 'KB5034441')], began + minute);
    const { path } = await subscribe(stan, '/sources/wsus');
    const entries = async () =>
      (await read(path)).entries?.map(({ title, summary, updated }) => [
        title?.value,
        summary?.value?.replace(/^.* · /, ''),
        updated,
      ]);
    const [first, second] = (await entries()) ?? [];
    expect(first).toEqual([
      'KB5034441',
      'and 2 more records',
      new Date(began + minute).toISOString(),
    ]);
    expect(second?.[0]).toBe('KB5034129');
    await withdrawRecords(service.database, 'patch_repository', [ids.get('1')], began + day);
    expect((await entries())?.[0]?.slice(0, 2)).toEqual(['KB5034441', 'and 1 more record']);
    expect((await read(path)).title?.value).toBe('Microsoft Windows');
  });

  test('is empty and valid without records, with the time of its address', async () => {
    const { path } = await subscribe(stan, '/sources/almaLinux');
    expect(await read(path)).toMatchObject({
      updated: new Date(began).toISOString(),
      id: expect.stringMatching(/^urn:uuid:/) as string,
    });
    expect(await titles(path)).toBeUndefined();
  });

  test('has views of all patches and of vulnerabilities, and none of clients and machines', async () => {
    const all = { criteria: '', keyword: '', sort: null, columns: null };
    await write(['a'], began);
    const feed = async (shown: string) =>
      titles((await subscribeToView(operator, { list: shown, name: shown, search: all })).path);
    expect(await feed('all_patches')).toEqual(['a']);
    expect(await feed('vulnerabilities')).toBeUndefined();
    for (const secret of ['floto_user', 'machines']) {
      const view = await createView(operator, { list: secret, name: secret, search: all });
      expect(await operator.post(`/views/${view.id}/atomfeeds`).outcome).toBe('422 unknown_list');
    }
  });

  test('is known by the hash of its token, and its creation and revocation are audited without it', async () => {
    const { id, path } = await subscribeToView(stan);
    const token = path.replace('/atom/', '');
    expect(token).toMatch(/^prf_[\w-]{43}$/);
    await read(path);
    await anyone.get(`${path}x`);
    expect(await stan.delete(`/atomfeeds/${id}`).json).toMatchObject({
      message: "The address of the feed of the view 'Critical' has been revoked.",
    });
    const entries = await service.rows('select * from audit_entry order by id');
    expect(entries.map(({ action, subject }) => [action, subject]).slice(-2)).toEqual([
      ['create_view_feed', "Atom feed of the view 'Critical' for Stan"],
      ['revoke_atom_feed', "Atom feed of the view 'Critical' for Stan"],
    ]);
    const stored = await service.rows('select * from atom_feed');
    expect(JSON.stringify([stored, entries, service.lines])).not.toContain(token.slice(4, 20));
  });

  test('says when it was last read, to the minute', async () => {
    const { path } = await subscribe(stan, '/sources/almaLinux');
    const lastReadAt = async () => (await stan.get('/atomfeeds').list)[0]?.['lastReadAt'];
    expect(await lastReadAt()).toBeNull();
    await read(path);
    service.now += minute / 2;
    await read(path);
    expect(await lastReadAt()).toBe(began);
    service.now += minute / 2;
    await read(path);
    expect(await lastReadAt()).toBe(began + minute);
  });

  test('is listed for its owner and for administrators, and revoked by nobody else', async () => {
    const { id } = await subscribe(operator, '/sources/almaLinux');
    const { id: own, path } = await subscribe(stan, '/sources/debian');
    expect(await stan.get('/atomfeeds').list).toMatchObject([{ id: own, source: 'debian' }]);
    expect(await operator.get('/atomfeeds').list).toMatchObject([
      { id: own, ownerName: 'Stan' },
      { id, ownerName: 'Operator' },
    ]);
    expect(await stan.delete(`/atomfeeds/${id}`).outcome).toBe('404 no_such_atom_feed');
    expect(await operator.delete(`/atomfeeds/${own}`).outcome).toBe('200');
    expect(await anyone.get(path).outcome).toBe('404 no_such_atom_feed');
  });

  const ends: readonly [string, (view: number) => Promise<unknown>][] = [
    ['the view is removed', (view) => operator.delete(`/views/${view}`)],
    [
      'the view is not shared any more, also when it is shared again',
      async (view) => {
        await operator.put(`/views/${view}`, { shared: false });
        await operator.put(`/views/${view}`, { shared: true });
      },
    ],
    [
      'its owner is removed',
      () => service.database.query("delete from users where name_folded = 'stan'"),
    ],
    [
      'its owner must change the password',
      () =>
        service.database.query(
          "update users set must_change_password = true where name_folded = 'stan'",
        ),
    ],
  ];
  test.each(ends)('answers 404 when %s', async (_, end) => {
    const { id } = await createView(operator, { shared: true });
    const { path } = await subscribe(stan, `/views/${id}`);
    await read(path);
    await end(id);
    expect(await anyone.get(path).outcome).toBe('404 no_such_atom_feed');
  });

  test('ends with the API keys when the password is changed because somebody else knew it', async () => {
    const { path } = await subscribe(stan, '/sources/almaLinux');
    const body = { oldPassword: 'Correct-Horse-7', newPassword: 'Other-Horse-9-battery' };
    const { status } = await stan.post('/user/changepassword', { ...body, endApiKeys: true });
    expect(status).toBe(200);
    expect(await anyone.get(path).outcome).toBe('404 no_such_atom_feed');
  });

  test('refuses a view that is not visible, an unknown vendor and the 101st feed', async () => {
    const { id } = await createView(operator);
    expect(await stan.post(`/views/${id}/atomfeeds`).outcome).toBe('404 no_such_view');
    expect(await stan.post('/sources/kev/atomfeeds').outcome).toBe('422 invalid_input');
    await service.database.query(
      `insert into atom_feed (token_hash, user_id, source, created_time)
       select number::text, users.id, 'debian', 1 from users, generate_series(1, 100) as number where name_folded = 'stan'`,
    );
    expect(await stan.post('/sources/debian/atomfeeds').outcome).toBe('409 too_many_atom_feeds');
    expect(await anyone.get('/atom/prf_short').outcome).toBe('404 no_such_atom_feed');
  });

  test('says why a view whose criteria have become invalid cannot be read', async () => {
    const { path, view } = await subscribeToView(stan);
    await service.database.query(
      `update saved_view set search = jsonb_set(search, '{criteria}', '"gone.eq.1"') where id = $1`,
      [view],
    );
    expect(await anyone.get(path).outcome).toBe('422 unaskable_criteria');
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import type { ClientChange } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { day, describeApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { beginEpoch, readEpochs } from '../../platform/database/rows/epoch-store.ts';
import type { Caller } from '../../testing/caller.ts';
import { withdrawRecords, writeTitled } from '../../testing/record-factories.ts';
import { completeRevision, endOfRevision, readCursor, writeCursor } from './change-cursor.ts';
import { changeClient, lockClient } from './licensed-client-store.ts';
import {
  activeClient,
  emptyRegistry,
  fetchPage,
  follower,
  register,
} from './testing/client-registry.ts';

const list = 'almalinux_patch';
const lists = ['almalinux_patch', 'debian_patch'];

describeApp('client protocol', (service) => {
  const { operator } = service;
  const { now: start } = service;
  beforeEach(async () => {
    service.now = start;
    await emptyRegistry(service.database);
  });

  const write = (titles: readonly string[], row = {}, now?: number) =>
    writeTitled(service.database, list, titles, row, now);
  const withdraw = (...ids: readonly (number | undefined)[]) =>
    withdrawRecords(service.database, list, ids, 2_000);
  const ask = (caller: Caller, query = '', headers = {}) =>
    caller.get(`/client/changes?list=${list}${query}`, headers);
  const changes = (caller: Caller, query = '') => fetchPage(caller, list, query);
  const titles = (rows: readonly ClientChange[]) => rows.map(({ row }) => String(row['title']));
  const keys = (count: number) => Array.from({ length: count }, (_, n) => `key ${n}`);
  const administer = (id: number, what: string, body?: object) =>
    operator.post(`/windows/user/${id}/${what}`, body);
  const readEntry = (id: number) => operator.get(`/windows/user/${id}/licence`).json;
  const beat = (caller: Caller, more = {}) =>
    caller.post('/client/heartbeat', { applicationVersion: '3.0', ...more });

  describe('activation', () => {
    const activation = (activationCode: string, hostName = 'repo-1') =>
      service.ask('POST', '/client/activate', {
        body: { activationCode, applicationVersion: '2.1', hostName },
        // The number of activations per address is limited.
        from: '192.0.2.50',
      });

    test('exchanges the code for a token, however it is typed, and shows that in the registry', async () => {
      const { id, activationCode } = await register(service);
      const typed = ` ${activationCode.toLowerCase().replaceAll('-', '')} `;
      const { status, json } = await activation(typed);
      expect(status).toBe(200);
      expect(json).toMatchObject({
        clientId: id,
        clientName: 'North Hospital',
        families: ['almaLinux', 'debian'],
        lists,
        token: expect.stringMatching(/^prc_[\w-]{43}$/),
      });
      expect(await readEntry(id)).toMatchObject({
        state: 'active',
        registeredOn: service.now,
        applicationVersion: '2.1',
        hostName: 'repo-1',
      });
      const [row] = await service.rows('select token_hash from licensed_client');
      expect(row?.['token_hash']).toMatch(/^[\da-f]{64}$/);
    });

    test('refuses a second activation, whatever the machine says its name is, and records the attempt', async () => {
      const { client, caller } = await activeClient(service);
      for (const hostName of ['repo-1', 'REPO-1', 'other', '']) {
        const reply = activation(client.activationCode, hostName);
        expect(await reply.outcome, hostName).toBe('403 activated_already');
        const [, words] = await reply.refusal;
        expect(words).toContain('Ask an administrator of the repository to allow a re-activation');
        expect(words).not.toContain('repo-1');
      }
      expect(await ask(caller).status).toBe(200);
      const newest =
        "select subject, outcome, code from audit_entry where action = 'activate_client' order by id desc limit 1";
      const subject = 'licensed client North Hospital';
      expect(await service.rows(newest)).toEqual([
        { subject, outcome: 'refused', code: 'activated_already' },
      ]);
    });

    test('allows one re-activation within a day, which revokes the old token', async () => {
      const { id, activationCode } = await register(service);
      const allow = () => administer(id, 'reactivation');
      expect(await allow().outcome).toBe('409 not_activated');
      const old = service.as((await activation(activationCode).json)['token']);
      expect(await allow().json).toMatchObject({
        reactivationUntil: start + day,
        hostName: 'repo-1',
      });
      expect(await ask(old).status).toBe(200);
      const { token } = await activation(activationCode, 'repo-2').json;
      expect(await ask(old).outcome).toBe('403 unknown_client');
      expect(await ask(service.as(token)).status).toBe(200);
      expect(await activation(activationCode).outcome).toBe('403 activated_already');
    });

    test('distinguishes mistyped, unknown, revoked and expired codes', async () => {
      const { id, activationCode } = await register(service);
      const mistyped = activationCode.replace(/.$/, activationCode.endsWith('0') ? '1' : '0');
      const [status, words] = await activation(mistyped).refusal;
      expect([status, words]).toEqual([422, expect.stringContaining('mistyped')]);
      expect(await activation('0'.repeat(25)).outcome).toBe('403 unknown_client');
      await administer(id, 'revoke');
      expect(await activation(activationCode).outcome).toBe('403 client_revoked');
      await administer(id, 'restore');
      service.now += 400 * day;
      const expired = activation(activationCode);
      expect(await expired.outcome).toBe('403 licence_expired');
      expect((await expired.refusal)[1]).toContain('ended on');
    });

    test('activates one of two machines that use a code at once', async () => {
      const { activationCode } = await register(service);
      const hosts = ['repo-1', 'repo-2', 'repo-3', 'repo-4'];
      const replies = await Promise.all(hosts.map((host) => activation(activationCode, host)));
      const good = replies.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      expect(replies.filter(({ json }) => json['code'] === 'activated_already')).toHaveLength(3);
      expect(await ask(service.as(good[0]?.json['token'])).status).toBe(200);
    });

    test('rejects a host name that would be stored differently, at the first activation', async () => {
      const { activationCode } = await register(service);
      const words = 'hostName must be one line without control or invisible characters.';
      expect(await activation(activationCode, 'repo\n1').refusal).toEqual([422, words]);
      expect(await activation(activationCode, 'repo').status).toBe(200);
    });
  });

  test('records the version and the time of the copy from a heartbeat, and returns the licensed lists', async () => {
    const { id, caller } = await activeClient(service);
    expect(await beat(caller).json).toMatchObject({ clientId: id, lists });
    expect(await readEntry(id)).toMatchObject({ applicationVersion: '3.0', repoUpdatedOn: null });
    await beat(caller, { repoUpdatedOn: service.now - day });
    expect(await readEntry(id)).toMatchObject({ repoUpdatedOn: service.now - day });
  });

  test('keeps a revocation for which a heartbeat waits', async () => {
    const { id, caller } = await activeClient(service);
    let beaten: Promise<unknown> = Promise.resolve();
    await service.database.transaction(async (tx) => {
      const before = await lockClient(tx, id);
      if (before === null) throw new Error('It is there');
      beaten = beat(caller);
      await pause(300);
      const revocation = { revokedOn: service.now, revokedBy: 'Operator' };
      await changeClient(tx, before, revocation, service.now);
    });
    await beaten;
    expect(await readEntry(id)).toMatchObject({ state: 'revoked', revokedBy: 'Operator' });
  });

  test('stores no future times after a fast clock was corrected', async () => {
    const { id, caller } = await activeClient(service);
    for (const now of [start + 2 * day, start]) {
      service.now = now;
      await changes(caller);
      await beat(caller, { repoUpdatedOn: now });
    }
    expect(await readEntry(id)).toMatchObject({ latestKbRequestOn: start, repoUpdatedOn: start });
  });

  test('returns all listed records first, then what was added, changed and withdrawn', async () => {
    const { id, caller } = await activeClient(service);
    const ids = await write(['a', 'b', 'c', 'gone']);
    await withdraw(ids.get('gone'));
    const all = await changes(caller);
    expect(titles(all.rows).toSorted()).toEqual(['a', 'b', 'c']);
    expect(all.more).toBe(false);
    expect(all.rows[0]).toMatchObject({
      row: { title: 'a', severity: null },
      detail: { description: 'About a: "quoted", \\ and\nmore' },
      firstSeenTime: 1_000,
      changedTime: 1_000,
      withdrawnTime: null,
    });
    expect(await readEntry(id)).toMatchObject({ latestKbRequestOn: service.now });

    const nothing = await changes(caller, `&since=${all.nextCursor}`);
    expect(nothing).toMatchObject({ rows: [], more: false });
    await write(['b'], { severity: 'Critical' }, 5_000);
    await write(['d']);
    await withdraw(ids.get('a'));
    const newer = await changes(caller, `&since=${nothing.nextCursor}`);
    expect(
      newer.rows.map(({ row, withdrawnTime, changedTime }) => [
        row['title'],
        withdrawnTime,
        changedTime,
      ]),
    ).toEqual([
      ['b', null, 5_000],
      ['d', null, 1_000],
      ['a', 2_000, 1_000],
    ]);
    expect((await changes(caller, `&since=${newer.nextCursor}`)).rows).toEqual([]);
  });

  test('returns each record once across pages, and a withdrawal between two pages if the client has the record', async () => {
    const { caller } = await activeClient(service);
    const ids = await write(keys(23));
    for (const size of [1, 4, 23, 24])
      expect(titles(await follower(caller, list, size)()), String(size)).toEqual(keys(23));
    const { nextCursor } = await changes(caller, '&size=10');
    await withdraw(ids.get('key 3'), ids.get('key 20'));
    const rows = await follower(caller, list, 10, nextCursor)();
    const received = rows.map(({ row, withdrawnTime }) =>
      withdrawnTime === null ? row['title'] : `-${String(row['title'])}`,
    );
    const others = keys(23)
      .slice(10)
      .filter((key) => key !== 'key 20');
    expect(received).toEqual([...others, '-key 3', '-key 20']);
  });

  test('returns more records than one batch, and ends a long page early', async () => {
    const { caller } = await activeClient(service);
    await write(keys(600));
    expect(titles((await changes(caller)).rows)).toEqual(keys(600));
    await write(keys(600), { binaryPkgName: ['x'.repeat(20_000)] });
    const page = await changes(caller, '&size=10000');
    expect([page.more, page.rows.length]).toEqual([true, 500]);
    const rest = await follower(caller, list, 10_000, page.nextCursor)();
    expect(titles([...page.rows, ...rest])).toEqual(keys(600));
  });

  test('answers a known ETag with 304 until something changes, or a page of another size is requested', async () => {
    const { caller } = await activeClient(service);
    await write(['a']);
    const since = `&since=${(await changes(caller)).nextCursor}`;
    const { etag } = (await ask(caller, since)).headers;
    const known = { 'if-none-match': etag };
    const same = await ask(caller, since, known);
    expect([same.status, same.bytes.length, same.headers['etag']]).toEqual([304, 0, etag]);
    expect(await ask(caller, `${since}&size=1`, known).status).toBe(200);
    await write(['b']);
    const { status, json } = await ask(caller, since, known);
    expect([status, json['rows']]).toMatchObject([200, [{ row: { title: 'b' } }]]);
  });

  test('rejects an invalid cursor, one of another list, and one from before a restore, with instructions', async () => {
    const { caller } = await activeClient(service);
    await write(['a']);
    const { nextCursor } = await changes(caller);
    const since = (cursor: string) => ask(caller, `&since=${cursor}`).outcome;
    const { epoch } = readCursor(list, nextCursor);
    const cursor = { list, epoch, revision: 1, id: 1, begunAt: 0 };
    expect(await since(writeCursor({ ...cursor, list: 'debian_patch' }))).toBe('422 bad_cursor');
    expect(await since('nonsense')).toBe('422 bad_cursor');
    const ahead = { ...cursor, revision: 99_999, id: endOfRevision };
    expect(await since(writeCursor(ahead))).toBe('409 cursor_ended');
    // A dump contains no epoch, so each restored database has a new one.
    await service.database.script(
      "update change_epoch set epoch = 'another'; delete from client_position",
    );
    expect(await since(nextCursor)).toBe('409 cursor_ended');
    for (const size of ['0', '10001', 'x'])
      expect(await ask(caller, `&size=${size}`).status).toBe(422);
  });

  test('refuses a cursor of changes that a copy that was put back does not have, not one of before', async () => {
    const { database } = service;
    const { caller } = await activeClient(service);
    const since = (cursor: string) => ask(caller, `&since=${cursor}`);
    await beginEpoch(database);
    await write(['a']);
    const { nextCursor: copied } = await changes(caller);
    const { started } = await readEpochs(database);
    await beginEpoch(database);
    expect(await since(copied).json).toMatchObject({ rows: [] });
    await write(['one']);
    const { nextCursor: lost } = await changes(caller, `&since=${copied}`);
    const { etag } = (await since(lost)).headers;
    // The folder as it was after the first of both, on which the service starts.
    await database.script(
      `delete from ${list} where title = 'one'; update list_revision set revision = revision - 1 where list = '${list}';
       delete from started_epoch where id not in (select id from started_epoch order by id limit ${started.length})`,
    );
    await beginEpoch(database);
    await write(['two']);
    expect(await since(lost).outcome).toBe('409 cursor_ended');
    expect(titles((await changes(caller, `&since=${copied}`)).rows)).toEqual(['two']);
    const { nextCursor: next } = await changes(caller);
    expect(readCursor(list, next).revision).toBe(readCursor(list, lost).revision);
    expect(await ask(caller, `&since=${next}`, { 'if-none-match': etag }).status).toBe(200);
  });

  test('returns only the lists of the licensed families', async () => {
    const { caller } = await activeClient(service, { families: ['wsus'] });
    const { json } = await ask(caller);
    expect(json['code']).toBe('family_not_licensed');
    expect(json['userMessage']).toContain('patch_repository, kb_repository, patch');
    expect(await caller.get('/client/changes?list=floto_user').status).toBe(403);
  });

  test('rejects a client that is revoked or expires between two pages, until it is restored or renewed', async () => {
    const { id, caller } = await activeClient(service);
    await write(['a', 'b']);
    const { nextCursor } = await changes(caller, '&size=1');
    const next = () => ask(caller, `&since=${nextCursor}`).outcome;
    await administer(id, 'revoke');
    expect(await next()).toBe('403 client_revoked');
    const revocation = { state: 'revoked', revokedOn: service.now, revokedBy: 'Operator' };
    expect(await readEntry(id)).toMatchObject(revocation);
    await administer(id, 'restore');
    expect(await next()).toBe('200');
    await operator.put(`/windows/user/${id}/licence`, { licenseExpiry: service.now });
    expect(await next()).toBe('403 licence_expired');
    await administer(id, 'renew', { licenseExpiry: service.now + day });
    expect(await next()).toBe('200');
  });

  test('misses no change and repeats only changed records during concurrent writes', async () => {
    const { caller } = await activeClient(service);
    const contents = new Map<number, string>();
    const received = new Set<string>();
    let writing = true;
    const writers = [0, 1, 2].map(async (writer) => {
      for (let round = 0; round < 12; round += 1) {
        const written = Array.from({ length: 7 }, (_, n) => `w${writer} ${(round * 3 + n) % 40}`);
        const ids = await write(written, { category: `round ${round}` }, round);
        if (round % 4 === 3) await withdraw(...[...ids.values()].slice(0, 2));
      }
    });
    const written = Promise.all(writers).finally(() => {
      writing = false;
    });
    let cursor = '';
    let pages = 0;
    for (let done = false; !done; ) {
      // Checked before the page is requested: the page after the last write is the last one.
      const last = !writing;
      const page = await changes(caller, `&size=15${cursor}`);
      pages += 1;
      for (const { id, row, withdrawnTime } of page.rows) {
        const content = `${String(row['category'])} ${withdrawnTime}`;
        const again = received.has(`${id} ${content}`) && contents.get(id) === content;
        expect(again, 'the same again').toBe(false);
        received.add(`${id} ${content}`);
        if (withdrawnTime === null) contents.set(id, content);
        else contents.delete(id);
      }
      cursor = `&since=${page.nextCursor}`;
      done = last && !page.more;
    }
    await written;
    const rows = await service.rows(
      'select id, category from almalinux_patch where withdrawn_time is null order by id',
    );
    expect([...contents].toSorted(([a], [b]) => a - b)).toEqual(
      rows.map(({ id, category }) => [id, `${String(category)} null`]),
    );
    expect(pages).toBeGreaterThan(10);
  });
});

test('reads a cursor as it was written and returns its complete revision', () => {
  const cursor = { list: 'patch', epoch: 'abc', revision: 7, id: 12, begunAt: 3 };
  expect(readCursor('patch', writeCursor(cursor))).toEqual(cursor);
  expect(completeRevision(cursor)).toBe(6);
  const end = { ...cursor, id: endOfRevision };
  expect(readCursor('patch', writeCursor(end))).toEqual(end);
  expect(completeRevision(end)).toBe(7);
  const scan = { low: 4, high: 9, target: 6 };
  const passes = { ring: 2, decisions: 1, list: 9, risk: 30, lacks: true };
  const news = { decisions: 2, list: 10, risk: 31, id: 5 };
  for (const more of [{ scan }, { passes }, { scan, passes }, { passes: { ...passes, news } }])
    expect(readCursor('patch', writeCursor({ ...end, ...more }))).toEqual({ ...end, ...more });
});

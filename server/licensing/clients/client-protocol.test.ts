import { setTimeout as pause } from 'node:timers/promises';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { type ClientChange, ClientChanges } from '@patch/contract/client-protocol-endpoints.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { buildClient } from '../../testing/factories.ts';
import { endOfRevision, readCursor, wholeRevision, writeCursor } from './change-cursor.ts';
import { changeClient, lockClient } from './licensed-client-store.ts';
import {
  activate,
  day,
  emptyRegistry,
  register,
  withdrawRecords,
  writeRecords,
} from './testing/client-registry.ts';

const almalinux = listOfKey('almalinux_patch');

describeWithDatabase('what licensed clients call', (open) => {
  const service = withSignInApp(open);
  const { now: start } = service;
  beforeEach(async () => {
    service.now = start;
    await emptyRegistry(service.database);
  });

  const asked = (token: string, query: string, headers: Record<string, string> = {}) =>
    service.app.inject({
      url: `/api/client/changes?list=almalinux_patch${query}`,
      headers: { authorization: `Apikey ${token}`, 'x-forwarded-for': '192.0.2.9', ...headers },
    });

  async function changes(token: string, query = ''): Promise<ClientChanges> {
    const reply = await asked(token, query);
    expect([reply.statusCode, reply.json()['userMessage']]).toEqual([200, undefined]);
    return ClientChanges.parse(reply.json());
  }

  async function allPages(
    token: string,
    size: number,
    since?: string,
  ): Promise<{ rows: ClientChange[]; cursor: string }> {
    const rows: ClientChange[] = [];
    let cursor = since;
    for (;;) {
      const page = await changes(
        token,
        `&size=${size}${cursor === undefined ? '' : `&since=${cursor}`}`,
      );
      rows.push(...page.rows);
      cursor = page.nextCursor;
      if (!page.more) return { rows, cursor };
    }
  }

  const titles = (rows: readonly ClientChange[]) => rows.map(({ row }) => String(row['title']));
  const clientRow = async (id: number) =>
    (
      await service.ask('GET', `/windows/user/${id}/licence`, {
        token: await service.tokenOf('operator'),
      })
    ).json;

  describe('activation', () => {
    const activation = (activationCode: string, hostName = 'repo-1', from = '192.0.2.50') =>
      service.ask('POST', '/client/activate', {
        body: { activationCode, applicationVersion: '2.1', hostName },
        from,
      });

    test('exchanges the code for a token, however it is typed, and shows that in the registry', async () => {
      const { id, activationCode } = await register(service);
      const { status, json } = await activation(
        ` ${activationCode.toLowerCase().replaceAll('-', '')} `,
      );
      expect(status).toBe(200);
      expect(json).toMatchObject({
        clientId: id,
        clientName: 'North Hospital',
        families: ['almaLinux', 'debian'],
        lists: ['almalinux_patch', 'debian_patch'],
      });
      expect(json['token']).toMatch(/^prc_[\w-]{43}$/);
      expect(await clientRow(id)).toMatchObject({
        state: 'active',
        registeredOn: service.now,
        applicationVersion: '2.1',
        hostName: 'repo-1',
      });
      const rows = await queryRows(
        service.database,
        z.object({ kept: z.string() }),
        'select token_hash as kept from licensed_client',
      );
      expect(rows[0]?.kept).toMatch(/^[\da-f]{64}$/);
    });

    test('refuses a second activation, whatever the machine says its name is, and records the attempt', async () => {
      const client = await register(service);
      const token = await activate(service, client);
      for (const hostName of ['repo-1', 'REPO-1', 'other', '']) {
        const refused = await activation(client.activationCode, hostName);
        expect(refused, hostName).toMatchObject({
          status: 403,
          json: { code: 'activated_already' },
        });
        expect(refused.json['userMessage']).toContain(
          'Ask an administrator of the repository to allow a re-activation',
        );
        expect(refused.json['userMessage']).not.toContain('repo-1');
      }
      expect((await asked(token, '')).statusCode).toBe(200);
      const rows = await queryRows(
        service.database,
        z.object({ subject: z.string(), outcome: z.string(), code: z.string() }),
        "select subject, outcome, code from audit_entry where action = 'activate_client' order by id desc limit 1",
      );
      expect(rows).toEqual([
        {
          subject: 'licensed client North Hospital',
          outcome: 'refused',
          code: 'activated_already',
        },
      ]);
    });

    test('allows one re-activation within a day, which revokes the old token', async () => {
      const client = await register(service);
      const token = await service.tokenOf('operator');
      const allow = () => service.ask('POST', `/windows/user/${client.id}/reactivation`, { token });
      expect(await allow()).toMatchObject({ status: 409, json: { code: 'not_activated' } });
      const old = await activate(service, client);
      expect(
        (
          await service.ask('POST', `/windows/user/${client.id}/reactivation`, {
            token: await service.tokenOf('stan'),
          })
        ).status,
      ).toBe(403);
      expect((await allow()).json).toMatchObject({
        reactivationUntil: start + day,
        hostName: 'repo-1',
      });
      expect((await asked(old, '')).statusCode).toBe(200);
      const fresh = await activation(client.activationCode, 'repo-2');
      expect(fresh.status).toBe(200);
      expect((await asked(old, '')).json()).toMatchObject({ code: 'unknown_client' });
      expect((await asked(String(fresh.json['token']), '')).statusCode).toBe(200);
      expect((await activation(client.activationCode)).json).toMatchObject({
        code: 'activated_already',
      });
      await allow();
      service.now += day;
      expect((await activation(client.activationCode)).json).toMatchObject({
        code: 'activated_already',
      });
      expect(await clientRow(client.id)).toMatchObject({ reactivationUntil: null });
    });

    test('distinguishes mistyped, unknown, revoked and expired codes', async () => {
      const { id, activationCode } = await register(service);
      const mistyped = activationCode.replace(/.$/, activationCode.endsWith('0') ? '1' : '0');
      expect(await activation(mistyped)).toMatchObject({
        status: 422,
        json: { userMessage: expect.stringContaining('mistyped') },
      });
      expect(await activation('0'.repeat(25))).toMatchObject({
        status: 403,
        json: { code: 'unknown_client' },
      });
      const token = await service.tokenOf('operator');
      await service.ask('POST', `/windows/user/${id}/revoke`, { token });
      expect(await activation(activationCode)).toMatchObject({
        status: 403,
        json: { code: 'client_revoked' },
      });
      await service.ask('POST', `/windows/user/${id}/restore`, { token });
      service.now += 400 * day;
      expect(await activation(activationCode)).toMatchObject({
        status: 403,
        json: { code: 'licence_expired', userMessage: expect.stringContaining('ended on') },
      });
    });

    test('activates one of two machines that use a code at once', async () => {
      const client = await register(service);
      const hosts = ['repo-1', 'repo-2', 'repo-3', 'repo-4'];
      const replies = await Promise.all(
        hosts.map((host) => activation(client.activationCode, host)),
      );
      const good = replies.filter(({ status }) => status === 200);
      expect(good).toHaveLength(1);
      expect(replies.filter(({ json }) => json['code'] === 'activated_already')).toHaveLength(3);
      expect((await asked(String(good[0]?.json['token']), '')).statusCode).toBe(200);
    });

    test('rejects a host name that would be stored differently, at the first activation', async () => {
      const { activationCode } = await register(service);
      expect((await activation(activationCode, 'repo\0')).status).toBe(422);
      expect(await activation(activationCode, 'repo\n1')).toMatchObject({
        status: 422,
        json: { userMessage: 'hostName must be one line without control or invisible characters.' },
      });
      expect((await activation(activationCode, 'repo')).status).toBe(200);
    });
  });

  test('a heartbeat reports the version and when the copy was complete, never later than now, and returns the licensed lists', async () => {
    const { id, ...client } = await register(service);
    const token = await activate(service, client);
    const beat = async (repoUpdatedOn?: number) =>
      service.ask('POST', '/client/heartbeat', {
        token,
        body: { applicationVersion: '3.0', ...(repoUpdatedOn !== undefined && { repoUpdatedOn }) },
      });
    expect((await beat()).json).toMatchObject({
      clientId: id,
      lists: ['almalinux_patch', 'debian_patch'],
    });
    expect(await clientRow(id)).toMatchObject({ applicationVersion: '3.0', repoUpdatedOn: null });
    await beat(service.now - day);
    expect(await clientRow(id)).toMatchObject({ repoUpdatedOn: service.now - day });
    await beat(service.now + day);
    expect(await clientRow(id)).toMatchObject({ repoUpdatedOn: service.now });
    await beat(service.now - day);
    expect(await clientRow(id)).toMatchObject({ repoUpdatedOn: service.now });
  });

  test('a heartbeat that waits for a revocation does not undo it', async () => {
    const { id, ...client } = await register(service);
    const token = await activate(service, client);
    let beaten: Promise<unknown> = Promise.resolve();
    await service.database.transaction(async (tx) => {
      const before = await lockClient(tx, id);
      if (before === null) throw new Error('It is there');
      beaten = service.ask('POST', '/client/heartbeat', {
        token,
        body: { applicationVersion: '9.9' },
      });
      await pause(300);
      await changeClient(
        tx,
        before,
        { revokedOn: service.now, revokedBy: 'Operator' },
        service.now,
      );
    });
    await beaten;
    expect(await clientRow(id)).toMatchObject({ state: 'revoked', revokedBy: 'Operator' });
  });

  test('a clock that was fast and is set right leaves no times that lie ahead', async () => {
    const { id, ...client } = await register(service);
    const token = await activate(service, client);
    service.now = start + 2 * day;
    await changes(token);
    await service.ask('POST', '/client/heartbeat', {
      token,
      body: { applicationVersion: '1', repoUpdatedOn: service.now },
    });
    service.now = start;
    await changes(token);
    await service.ask('POST', '/client/heartbeat', {
      token,
      body: { applicationVersion: '1', repoUpdatedOn: start },
    });
    expect(await clientRow(id)).toMatchObject({ latestKbRequestOn: start, repoUpdatedOn: start });
  });

  test('returns all listed records first, then what was added, changed and withdrawn', async () => {
    const { id, ...client } = await register(service);
    const token = await activate(service, client);
    const ids = await writeRecords(service.database, almalinux, ['a', 'b', 'c', 'gone']);
    await withdrawRecords(service.database, almalinux, [ids.get('gone') ?? 0]);
    const all = await changes(token);
    expect(titles(all.rows).toSorted()).toEqual(['a', 'b', 'c']);
    expect(all).toMatchObject({ more: false });
    expect(all.rows[0]).toMatchObject({
      row: { title: 'a', severity: null },
      detail: { description: 'About a: "quoted", \\ and\nmore' },
      firstSeenTime: 1_000,
      changedTime: 1_000,
      withdrawnTime: null,
    });
    expect(await clientRow(id)).toMatchObject({ latestKbRequestOn: service.now });

    const nothing = await changes(token, `&since=${all.nextCursor}`);
    expect(nothing).toMatchObject({ rows: [], more: false });
    await writeRecords(service.database, almalinux, ['b'], { severity: 'Critical' }, 5_000);
    await writeRecords(service.database, almalinux, ['d']);
    await withdrawRecords(service.database, almalinux, [ids.get('a') ?? 0]);
    const newer = await changes(token, `&since=${nothing.nextCursor}`);
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
    expect((await changes(token, `&since=${newer.nextCursor}`)).rows).toEqual([]);
  });

  test('returns each record once across pages, and a withdrawal between two pages if the client has the record', async () => {
    const token = await activate(service, await register(service));
    const keys = Array.from({ length: 23 }, (_, n) => `key ${n}`);
    const ids = await writeRecords(service.database, almalinux, keys);
    for (const size of [1, 4, 23, 24]) {
      const { rows } = await allPages(token, size);
      expect(titles(rows), String(size)).toEqual(keys);
    }
    const first = await changes(token, '&size=10');
    await withdrawRecords(service.database, almalinux, [
      ids.get('key 3') ?? 0,
      ids.get('key 20') ?? 0,
    ]);
    const { rows } = await allPages(token, 10, first.nextCursor);
    expect(
      rows.map(({ row, withdrawnTime }) =>
        withdrawnTime === null ? row['title'] : `-${String(row['title'])}`,
      ),
    ).toEqual([...keys.slice(10).filter((key) => key !== 'key 20'), '-key 3', '-key 20']);
  });

  test('more records than are read at once, and a page that ends early because it is long', async () => {
    const token = await activate(service, await register(service));
    const keys = Array.from({ length: 600 }, (_, n) => `key ${n}`);
    await writeRecords(service.database, almalinux, keys);
    expect(titles((await changes(token)).rows)).toEqual(keys);
    await writeRecords(service.database, almalinux, keys, { binaryPkgName: ['x'.repeat(20_000)] });
    const { rows } = await allPages(token, 10_000);
    expect(titles(rows)).toEqual(keys);
    const page = await changes(token, '&size=10000');
    expect([page.more, page.rows.length]).toEqual([true, 500]);
  });

  test('answers a known ETag with 304 until something changes', async () => {
    const token = await activate(service, await register(service));
    await writeRecords(service.database, almalinux, ['a']);
    const whole = await asked(token, '', { 'accept-encoding': 'gzip' });
    const since = `&since=${ClientChanges.parse(whole.json()).nextCursor}`;
    const tag = String((await asked(token, since)).headers['etag']);
    const same = await asked(token, since, { 'if-none-match': tag });
    expect([same.statusCode, same.body, same.headers['etag']]).toEqual([304, '', tag]);
    await writeRecords(service.database, almalinux, ['b']);
    const changed = await asked(token, since, { 'if-none-match': tag });
    expect([changed.statusCode, titles(ClientChanges.parse(changed.json()).rows)]).toEqual([
      200,
      ['b'],
    ]);
  });

  test('is compressed', async () => {
    const token = await activate(service, await register(service));
    await writeRecords(
      service.database,
      almalinux,
      Array.from({ length: 300 }, (_, n) => `key ${n}`),
    );
    const plain = await asked(token, '');
    const compressed = await asked(token, '', { 'accept-encoding': 'gzip' });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(compressed.rawPayload.length * 5).toBeLessThan(plain.rawPayload.length);
  });

  test('rejects an invalid cursor, one of another list, and one from before a restore, with instructions', async () => {
    const token = await activate(service, await register(service));
    await writeRecords(service.database, almalinux, ['a']);
    const { nextCursor } = await changes(token);
    const refusal = async (query: string) => {
      const reply = await asked(token, query);
      return [reply.statusCode, reply.json()['code']];
    };
    expect(
      await refusal(
        `&since=${writeCursor({ list: 'debian_patch', epoch: 'x', revision: 1, id: 1, begunAt: 0 })}`,
      ),
    ).toEqual([422, 'bad_cursor']);
    expect(await refusal('&since=nonsense')).toEqual([422, 'bad_cursor']);
    const { epoch } = readCursor('almalinux_patch', nextCursor);
    expect(
      await refusal(
        `&since=${writeCursor({ list: 'almalinux_patch', epoch, revision: 99_999, id: endOfRevision, begunAt: 0 })}`,
      ),
    ).toEqual([409, 'cursor_ended']);
    // Like a restored database: a dump holds no epoch, so each restored database has a new one.
    await service.database.script(
      "update change_epoch set epoch = 'another'; delete from client_position",
    );
    expect(await refusal(`&since=${nextCursor}`)).toEqual([409, 'cursor_ended']);
    for (const size of ['0', '10001', 'x']) expect((await refusal(`&size=${size}`))[0]).toBe(422);
  });

  test('returns only the lists of the licensed families', async () => {
    const token = await activate(service, await register(service, { families: ['wsus'] }));
    expect((await asked(token, '')).json()).toMatchObject({
      code: 'family_not_licensed',
      userMessage: expect.stringContaining('patch_repository, kb_repository, patch'),
    });
    expect((await service.ask('GET', '/client/changes?list=floto_user', { token })).status).toBe(
      403,
    );
  });

  test('rejects a client that is revoked or expires midway, until it is restored or renewed', async () => {
    const { id, ...client } = await register(service);
    const token = await activate(service, client);
    await writeRecords(service.database, almalinux, ['a', 'b']);
    const { nextCursor } = await changes(token, '&size=1');
    const next = async () => {
      const reply = await asked(token, `&since=${nextCursor}`);
      return [reply.statusCode, reply.json()['code']];
    };
    const operator = await service.tokenOf('operator');
    await service.ask('POST', `/windows/user/${id}/revoke`, { token: operator });
    expect(await next()).toEqual([403, 'client_revoked']);
    await service.ask('POST', `/windows/user/${id}/restore`, { token: operator });
    expect(await next()).toEqual([200, undefined]);
    await service.ask('PUT', `/windows/user/${id}/licence`, {
      token: operator,
      body: buildClient(service.now, { licenseExpiry: service.now - 1 }),
    });
    expect(await next()).toEqual([403, 'licence_expired']);
    await service.ask('POST', `/windows/user/${id}/renew`, {
      token: operator,
      body: { licenseExpiry: service.now + day },
    });
    expect(await next()).toEqual([200, undefined]);
  });

  test('misses nothing and repeats only changed records during concurrent writes', async () => {
    const token = await activate(service, await register(service));
    const copy = new Map<number, string>();
    let writing = true;
    const writers = [0, 1, 2].map(async (writer) => {
      for (let round = 0; round < 12; round += 1) {
        const keys = Array.from({ length: 7 }, (_, n) => `w${writer} ${(round * 3 + n) % 40}`);
        const ids = await writeRecords(
          service.database,
          almalinux,
          keys,
          { category: `round ${round}` },
          round,
        );
        if (round % 4 === 3)
          await withdrawRecords(service.database, almalinux, [...ids.values()].slice(0, 2), round);
      }
    });
    const written = Promise.all(writers).finally(() => {
      writing = false;
    });
    let cursor: string | undefined;
    let pages = 0;
    const places = new Set<string>();
    for (let done = false; !done; ) {
      // Checked before the page is requested: the page after the last write is the last one.
      const last = !writing;
      const page = await changes(token, `&size=5${cursor === undefined ? '' : `&since=${cursor}`}`);
      pages += 1;
      for (const { id, row, withdrawnTime } of page.rows) {
        const content = `${String(row['category'])} ${withdrawnTime}`;
        expect(places.has(`${id} ${content}`) && copy.get(id) === content, 'the same again').toBe(
          false,
        );
        places.add(`${id} ${content}`);
        if (withdrawnTime === null) copy.set(id, content);
        else copy.delete(id);
      }
      cursor = page.nextCursor;
      done = last && !page.more;
    }
    await written;
    const rows = await queryRows(
      service.database,
      z.object({ id: z.number(), category: z.string() }),
      'select id, category from almalinux_patch where withdrawn_time is null order by id',
    );
    expect([...copy].toSorted(([one], [other]) => one - other)).toEqual(
      rows.map(({ id, category }) => [id, `${category} null`]),
    );
    expect(pages).toBeGreaterThan(10);
  });
});

test('a cursor is read as it was written, and says what is whole', () => {
  const cursor = { list: 'patch', epoch: 'abc', revision: 7, id: 12, begunAt: 3 };
  expect(readCursor('patch', writeCursor(cursor))).toEqual(cursor);
  expect(wholeRevision(cursor)).toBe(6);
  const end = { ...cursor, id: endOfRevision };
  expect(readCursor('patch', writeCursor(end))).toEqual(end);
  expect(wholeRevision(end)).toBe(7);
});

import type { AddressInfo } from 'node:net';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { createParser } from 'eventsource-parser';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { minute, withSignInApp } from '../../identity/sign-in/testing/sign-in-app.ts';
import { NotificationListener } from '../../platform/database/notifications.ts';
import { closeApp } from '../../platform/http/listen.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { LocalNotifications } from '../../testing/local-notifications.ts';
import { addRun, takeRun } from './run-store.ts';
import { SyncEvents } from './sync-events.ts';

const state = (source: string, more: object = {}) =>
  ({ source, run: null, ...more }) as unknown as SourceState;

describe('SyncEvents', () => {
  const left: AbortController[] = [];
  afterEach(() => {
    for (const each of left.splice(0)) each.abort();
  });

  function watched(first: readonly SourceState[]) {
    const given = { states: first, reads: 0, failing: false };
    const errors: unknown[] = [];
    const notifications = new LocalNotifications();
    const events = new SyncEvents({
      states: () => {
        given.reads++;
        return given.failing ? Promise.reject(new Error('away')) : Promise.resolve(given.states);
      },
      notifications,
      onError: (error) => errors.push(error),
    });
    const listen = () => {
      const leave = new AbortController();
      left.push(leave);
      return { heard: events.listen(leave.signal), leave };
    };
    const change = (states: readonly SourceState[]) => {
      given.states = states;
      notifications.send('runs');
    };
    return { given, errors, notifications, listen, change };
  }

  test('sends all sources first, then each changed source, to every listener', async () => {
    const { listen, change } = watched([state('debian'), state('mac')]);
    const listeners = [listen(), listen()];
    for (const { heard } of listeners) {
      expect((await heard.next()).value).toMatchObject({
        event: 'sources',
        data: { objList: [{ source: 'debian' }, { source: 'mac' }] },
      });
    }
    change([state('debian'), state('mac', { label: 'new' })]);
    for (const { heard } of listeners)
      expect((await heard.next()).value).toEqual({
        event: 'source',
        data: state('mac', { label: 'new' }),
      });
    expect((await listen().heard.next()).value).toMatchObject({
      event: 'sources',
      data: { objList: [{}, { label: 'new' }] },
    });
  });

  test('sends only the latest state to a slow listener', async () => {
    const { given, listen, change } = watched([state('debian')]);
    const { heard } = listen();
    await heard.next();
    for (let n = 1; n <= 5; n++) {
      const { reads } = given;
      change([state('debian', { label: `${n}` })]);
      await expect.poll(() => given.reads).toBe(reads + 1);
    }
    expect((await heard.next()).value).toEqual({
      event: 'source',
      data: state('debian', { label: '5' }),
    });
  });

  test('keeps its listeners while the database is unavailable', async () => {
    const { given, errors, listen, change } = watched([state('debian')]);
    const { heard } = listen();
    await heard.next();
    given.failing = true;
    change([]);
    await expect.poll(() => errors).toHaveLength(1);
    given.failing = false;
    change([state('debian', { label: 'back' })]);
    expect((await heard.next()).value).toMatchObject({ data: { label: 'back' } });
  });

  test('reads nothing without listeners, and starts with the current state', async () => {
    const { given, notifications, listen, change } = watched([state('debian')]);
    expect([given.reads, notifications.subscribers]).toEqual([0, 0]);
    const { heard, leave } = listen();
    await heard.next();
    expect(notifications.subscribers).toBe(1);
    leave.abort();
    expect((await heard.next()).done).toBe(true);
    expect(notifications.subscribers).toBe(0);
    const { reads } = given;
    change([state('debian', { label: 'later' })]);
    expect(given.reads).toBe(reads);
    expect((await listen().heard.next()).value).toMatchObject({
      data: { objList: [{ label: 'later' }] },
    });
  });
});

describeWithDatabase('sync events endpoint', (open) => {
  let databaseUrl = '';
  const service = withSignInApp(async () => {
    const database = await open();
    databaseUrl = database.url;
    return database;
  });

  async function streamed(token: string, app: FastifyInstance) {
    if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/api/patchsync/events`, {
      headers: { authorization: `Apikey ${token}` },
    });
    const heard: {
      readonly event: string | undefined;
      readonly data: { objList?: SourceState[]; source?: string; run?: unknown };
    }[] = [];
    const parser = createParser({
      onEvent: ({ event, data }) => heard.push({ event, data: JSON.parse(data) as object }),
    });
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const piece of reply.body ?? [])
        parser.feed(decoder.decode(piece as Uint8Array, { stream: true }));
    })();
    return {
      reply,
      heard,
      ended: reading.then(
        () => 'ended',
        () => 'broken off',
      ),
    };
  }

  test('requires a session, sends a run that starts, and does not delay the shutdown', async () => {
    const notifications = new NotificationListener({ url: databaseUrl });
    const app = await service.start({ notifications });
    expect((await service.ask('GET', '/patchsync/events', { of: app })).status).toBe(401);
    const { reply, heard, ended } = await streamed(await service.createToken('stan'), app);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    await expect.poll(() => heard[0]?.data.objList?.length).toBe(sourceKeys.length);
    const run = await addRun(service.database, 'debian', 'Stan', service.now);
    await takeRun(service.database, run?.id ?? 0, service.now);
    await expect
      .poll(() => heard.at(-1)?.data, { timeout: 10_000 })
      .toMatchObject({ source: 'debian', run: { state: 'running' } });
    expect(
      heard.slice(1).every(({ event, data }) => event === 'source' && data.source === 'debian'),
    ).toBe(true);
    await closeApp(app, { warn: () => undefined });
    expect(['ended', 'broken off']).toContain(await ended);
    await notifications.close();
  });

  test('ends with the session without extending its idle time', async () => {
    const app = await service.start({
      eventTimes: { heartbeatMs: 1000, sessionCheckMs: 20, drainMs: 1000 },
    });
    const token = await service.createToken('stan');
    const { heard, ended } = await streamed(token, app);
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    let over = false;
    void ended.then(() => (over = true));
    service.now += 29 * minute;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(over).toBe(false);
    service.now += minute;
    expect(await ended).toBe('ended');
    expect(await service.me(token)).toBe(401);
    await closeApp(app, { warn: () => undefined });
  });

  test('ends when the user signs out', async () => {
    const app = await service.start({
      eventTimes: { heartbeatMs: 1000, sessionCheckMs: 20, drainMs: 1000 },
    });
    const token = await service.createToken('stan');
    const { heard, ended } = await streamed(token, app);
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    await service.ask('POST', '/signout', { token });
    expect(await ended).toBe('ended');
    await closeApp(app, { warn: () => undefined });
  });
});

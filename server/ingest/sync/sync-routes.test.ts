import { sourceKeys } from '@patch/catalogue/sources.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import {
  fetchAuditEndpoint,
  runChangesEndpoint,
  runRejectionsEndpoint,
} from '@patch/contract/sources/run-endpoints.ts';
import {
  cancelSyncEndpoint,
  isRunningEndpoint,
  linuxLastUpdatedEndpoint,
  sourcesEndpoint,
  startSyncEndpoint,
  syncDetailsEndpoint,
} from '@patch/contract/sources/sync-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type {
  EndpointHandler,
  EndpointRequest,
  RouteRegistrar,
} from '../../platform/http/route.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addRun, takeRun } from '../runs/run-store.ts';
import { ReleaseHistories } from '../sources/release-histories.ts';
import { readSourceStates } from '../sources/source-states.ts';
import { smallFeed } from '../testing/small-feed.ts';
import { SyncBench } from '../testing/sync-bench.ts';
import { syncRoutes } from './sync-routes.ts';

describeWithDatabase('sync endpoints', (openFresh) => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  let database: Database;
  let handlers: Map<string, EndpointHandler<Endpoint>>;

  beforeEach(async () => {
    database = await openFresh();
    handlers = new Map();
    const route = ((call: Endpoint, handler: EndpointHandler<Endpoint>) =>
      void handlers.set(call.name, handler)) as RouteRegistrar;
    const sync = {
      start: async (source: 'almaLinux', by: string) =>
        (await addRun(database, source, by, now)) ??
        Promise.reject(new AppError('sync_running', 'runs')),
      cancel: async () => Promise.reject(new AppError('no_sync_running', 'none')),
    };
    const feeds = { almaLinux: smallFeed };
    const histories = new ReleaseHistories(database);
    syncRoutes(route, {
      database,
      sync,
      feeds,
      states: () => readSourceStates({ database, feeds, clock: () => now, histories }),
    });
  });

  /** Calls a handler as the app does, and validates the reply against the contract. */
  async function ask<C extends Endpoint>(
    call: C,
    input: { params?: object; query?: object } = {},
  ): Promise<z.output<C['reply']>> {
    const handler = handlers.get(call.name);
    if (handler === undefined) throw new Error(`${call.name} has no handler`);
    const request = {
      params: call.params.parse(input.params ?? {}),
      query: call.query.parse(input.query ?? {}),
      user: { name: 'admin' },
      changed: () => undefined,
    } as unknown as EndpointRequest<Endpoint>;
    return call.reply.parse(await handler(request)) as z.output<C['reply']>;
  }

  const door = { prefix: 'linux' };

  test('queues a run in the name of the user, and refuses a source without a feed', async () => {
    expect(
      await ask(startSyncEndpoint, { params: door, query: { service: 'almaLinux' } }),
    ).toMatchObject({
      state: 'queued',
      startedBy: 'admin',
    });
    await expect(
      ask(startSyncEndpoint, { params: door, query: { service: 'pardus' } }),
    ).rejects.toMatchObject({
      code: 'no_feed',
    });
    await expect(
      ask(cancelSyncEndpoint, { params: door, query: { service: 'pardus' } }),
    ).rejects.toMatchObject({ code: 'no_sync_running' });
    expect(() => startSyncEndpoint.query.parse({ service: 'amiga' })).toThrow('Invalid option');
  });

  test('returns whether a source is running, with its run', async () => {
    const input = { params: door, query: { service: 'almaLinux' } };
    expect(await ask(isRunningEndpoint, input)).toEqual({ running: false, run: null });
    const run = await addRun(database, 'almaLinux', 'admin', now);
    await takeRun(database, run?.id ?? 0, now + 5);
    expect(await ask(isRunningEndpoint, input)).toMatchObject({
      running: true,
      run: { id: run?.id, state: 'running', startedAt: now + 5 },
    });
  });

  test('returns states, dates, audit items, changes and rejections of past runs', async () => {
    const bench = await SyncBench.open(database);
    await bench.publish('small.example/one.json', [
      { id: 'A', title: 'A' },
      { id: 'B', reject: 'No date.' },
    ]);
    await bench.sync(smallFeed);
    await bench.publish('small.example/one.json', null);
    const second = await bench.sync(smallFeed);
    await bench.sync({ ...smallFeed, parts: [] }, { source: 'rockyLinux' });
    await bench.close();

    const dates = await ask(syncDetailsEndpoint, { params: door });
    expect(dates).toMatchObject({
      id: 1,
      almaLinux: expect.any(Number),
      rockyLinux: null,
      wsus: null,
    });
    expect(await ask(linuxLastUpdatedEndpoint)).toEqual({ lastUpdatedTime: null });

    const { objList: sources, totalCount } = await ask(sourcesEndpoint);
    expect(totalCount).toBe(sourceKeys.length);
    expect(sources.find(({ source }) => source === 'almaLinux')).toMatchObject({
      available: true,
      label: 'AlmaLinux',
      lists: [{ key: 'almalinux_patch', label: 'AlmaLinux patches', rows: 1 }],
      enabled: true,
      schedule: '15 */6 * * *',
      scheduleWords: 'At 15 minutes past the hour, every 6 hours (UTC)',
      quarantine: [],
      nextRunAt: Date.parse('2026-11-20T12:15:00Z'),
      lastSuccessAt: dates.almaLinux,
      run: { id: second.id, state: 'failed' },
    });
    expect(sources.find(({ source }) => source === 'pardus')).toMatchObject({
      available: false,
      homepage: null,
      scheduleWords: null,
      nextRunAt: null,
      run: null,
    });

    const all = await ask(fetchAuditEndpoint, { params: { type: 'all' } });
    expect(all.objList.map(({ type, status, patchCount }) => [type, status, patchCount])).toEqual([
      ['rockyLinux', 'failed', 0],
      ['almaLinux', 'failed', 0],
      ['almaLinux', 'success', 1],
    ]);
    const page = await ask(fetchAuditEndpoint, {
      params: { type: 'almaLinux' },
      query: { offset: '1', size: '5' },
    });
    expect(page).toMatchObject({ totalCount: 2, objList: [{ status: 'success' }] });
    // The error lists every allowed value.
    await expect(ask(fetchAuditEndpoint, { params: { type: 'amiga' as 'all' } })).rejects.toThrow(
      new RegExp(String.raw`${sourceKeys.join(String.raw`\W+`)}\W+all`),
    );

    const runId = String(page.objList[0]?.id);
    expect(await ask(runChangesEndpoint, { params: { runId } })).toMatchObject({
      totalCount: 1,
      objList: [{ identity: 'A', kind: 'added', fields: {} }],
    });
    expect(
      await ask(runChangesEndpoint, { params: { runId }, query: { kind: 'added,returned' } }),
    ).toMatchObject({ totalCount: 1 });
    expect(
      await ask(runChangesEndpoint, { params: { runId }, query: { kind: 'withdrawn' } }),
    ).toEqual({ objList: [], totalCount: 0 });
    await expect(
      ask(runChangesEndpoint, { params: { runId }, query: { kind: 'added,lost' } }),
    ).rejects.toThrow('Invalid option');
    expect(await ask(runRejectionsEndpoint, { params: { runId } })).toMatchObject({
      totalCount: 1,
      objList: [{ record: 'B', reason: 'No date.', url: 'https://small.example/one.json' }],
    });
    await expect(ask(runChangesEndpoint, { params: { runId: '999' } })).rejects.toMatchObject({
      code: 'no_such_run',
    });
  });
});

import { sourceKeys } from '@patch/catalogue/definition/sources.ts';
import type { Call } from '@patch/contract/call.ts';
import {
  cancelSyncCall,
  fetchAuditCall,
  isRunningCall,
  linuxLastUpdatedCall,
  runChangesCall,
  runRejectionsCall,
  sourcesCall,
  startSyncCall,
  syncDetailsCall,
} from '@patch/contract/sync-calls.ts';
import { beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Database } from '../database/database.ts';
import type { Answer, Handler, Request } from '../http/answer.ts';
import { Refusal } from '../http/refusal.ts';
import { describeOnDatabases } from '../testing/databases.ts';
import { ReleaseHistories } from './release-histories.ts';
import { addRun, takeRun } from './run-store.ts';
import { sourceStates } from './source-states.ts';
import { syncRoutes } from './sync-routes.ts';
import { smallFeed } from './testing/small-feed.ts';
import { SyncBench } from './testing/sync-bench.ts';

describeOnDatabases('the calls about syncs', (openFresh) => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  let database: Database;
  let handlers: Map<string, Handler<Call>>;

  beforeEach(async () => {
    database = await openFresh();
    handlers = new Map();
    const answer = ((call: Call, handler: Handler<Call>) => void handlers.set(call.name, handler)) as Answer;
    const sync = {
      start: async (source: 'almaLinux', by: string) =>
        (await addRun(database, source, by, now)) ?? Promise.reject(new Refusal(409, 'sync_running', 'runs')),
      cancel: async () => Promise.reject(new Refusal(409, 'no_sync_running', 'none')),
    };
    const feeds = { almaLinux: smallFeed };
    const histories = new ReleaseHistories(database);
    syncRoutes(answer, { database, sync, feeds, states: () => sourceStates({ database, feeds, clock: () => now, histories }) });
  });

  /** Asks as the app does, and holds the reply against the contract. */
  async function ask<C extends Call>(call: C, input: { params?: object; query?: object } = {}): Promise<z.output<C['reply']>> {
    const handler = handlers.get(call.name);
    if (handler === undefined) throw new Error(`${call.name} is not answered`);
    const request = {
      params: call.params.parse(input.params ?? {}),
      query: call.query.parse(input.query ?? {}),
      user: { name: 'admin' },
      changed: () => undefined,
    } as unknown as Request<Call>;
    return call.reply.parse(await handler(request)) as z.output<C['reply']>;
  }

  const door = { prefix: 'linux' };

  test('starting queues a run in the name of who asked; a source without a feed is refused', async () => {
    expect(await ask(startSyncCall, { params: door, query: { service: 'almaLinux' } })).toMatchObject({
      state: 'queued',
      startedBy: 'admin',
    });
    await expect(ask(startSyncCall, { params: door, query: { service: 'pardus' } })).rejects.toMatchObject({
      status: 422,
      code: 'no_feed',
    });
    await expect(ask(cancelSyncCall, { params: door, query: { service: 'pardus' } })).rejects.toMatchObject({ status: 409 });
    expect(() => startSyncCall.query.parse({ service: 'amiga' })).toThrow('Invalid option');
  });

  test('is running, with the run', async () => {
    const asked = { params: door, query: { service: 'almaLinux' } };
    expect(await ask(isRunningCall, asked)).toEqual({ running: false, run: null });
    const run = await addRun(database, 'almaLinux', 'admin', now);
    await takeRun(database, run?.id ?? 0, now + 5);
    expect(await ask(isRunningCall, asked)).toMatchObject({ running: true, run: { id: run?.id, state: 'running', startedAt: now + 5 } });
  });

  test('states, dates, audit, changes and rejections of past runs', async () => {
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

    const dates = await ask(syncDetailsCall, { params: door });
    expect(dates).toMatchObject({ id: 1, almaLinux: expect.any(Number), rockyLinux: null, wsus: null });
    expect(await ask(linuxLastUpdatedCall)).toEqual({ lastUpdatedTime: null });

    const { objList: sources, totalCount } = await ask(sourcesCall);
    expect(totalCount).toBe(sourceKeys.length);
    expect(sources.find(({ source }) => source === 'almaLinux')).toMatchObject({
      available: true,
      label: 'AlmaLinux',
      lists: [{ key: 'almalinux_patch', label: 'AlmaLinux patches', rows: 1 }],
      enabled: true,
      schedule: '15 */6 * * *',
      scheduleWords: 'At 15 minutes past the hour, every 6 hours (UTC)',
      held: [],
      heldContent: [],
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

    const all = await ask(fetchAuditCall, { params: { type: 'all' } });
    expect(all.objList.map(({ type, status, patchCount }) => [type, status, patchCount])).toEqual([
      ['rockyLinux', 'failed', 0],
      ['almaLinux', 'failed', 0],
      ['almaLinux', 'success', 1],
    ]);
    const page = await ask(fetchAuditCall, { params: { type: 'almaLinux' }, query: { offset: '1', size: '5' } });
    expect(page).toMatchObject({ totalCount: 2, objList: [{ status: 'success' }] });
    // The refusal names every word that is allowed.
    await expect(ask(fetchAuditCall, { params: { type: 'amiga' as 'all' } })).rejects.toThrow(
      new RegExp(String.raw`${sourceKeys.join(String.raw`\W+`)}\W+all`),
    );

    const runId = String(page.objList[0]?.id);
    expect(await ask(runChangesCall, { params: { runId } })).toMatchObject({
      totalCount: 1,
      objList: [{ identity: 'A', kind: 'added', fields: {} }],
    });
    expect(await ask(runChangesCall, { params: { runId }, query: { kind: 'added,returned' } })).toMatchObject({ totalCount: 1 });
    expect(await ask(runChangesCall, { params: { runId }, query: { kind: 'withdrawn' } })).toEqual({ objList: [], totalCount: 0 });
    await expect(ask(runChangesCall, { params: { runId }, query: { kind: 'added,lost' } })).rejects.toThrow('Invalid option');
    expect(await ask(runRejectionsCall, { params: { runId } })).toMatchObject({
      totalCount: 1,
      objList: [{ record: 'B', reason: 'No date.', url: 'https://small.example/one.json' }],
    });
    await expect(ask(runChangesCall, { params: { runId: '999' } })).rejects.toMatchObject({ status: 404, code: 'no_such_run' });
  });
});

import { type SourceKey, sourceKeys } from '@patch/catalogue/sources.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addRun, endRun, takeRun } from '../runs/run-store.ts';
import { syncRoutes } from '../sync/sync-routes.ts';
import { nothingNew } from '../testing/nothing-new.ts';
import { ReleaseHistories } from './release-histories.ts';
import { readSourceStates } from './source-states.ts';

describeWithDatabase('last sync dates', (open) => {
  let database: Database;
  let app: FastifyInstance;
  beforeAll(async () => {
    database = await open();
    const sync = {
      start: () => Promise.reject(new Error('none')),
      cancel: () => Promise.reject(new Error('none')),
    };
    const histories = new ReleaseHistories(database);
    const states = () => readSourceStates({ database, feeds: {}, clock: Date.now, histories });
    app = await appWithRoutes((answer) =>
      syncRoutes(answer, { database, sync, feeds: {}, states }),
    );
  });

  async function addEndedRun(
    source: SourceKey,
    state: 'succeeded' | 'failed',
    now: number,
  ): Promise<void> {
    const run = await addRun(database, source, 'tester', now);
    await takeRun(database, run?.id ?? 0, now);
    const counts = { added: 3, changed: 2, withdrawn: 1, unchanged: 0, rejected: 0 };
    await endRun(
      database,
      run?.id ?? 0,
      { state, message: nothingNew, warnings: [], ...counts },
      now,
    );
  }
  const dates = async () => (await ask(app, 'GET', '/linux/patchsysncdetails')).body;
  const linuxUpdated = () => ask(app, 'GET', specified.linuxLastUpdatedPath);

  test('returns an id and a date for each source, null before its first sync', async () => {
    const body = await dates();
    expect(Object.keys(body)).toEqual(expect.arrayContaining(['id', ...specified.lastSyncDates]));
    expect(Object.keys(body).toSorted()).toEqual(['id', ...sourceKeys].toSorted());
    for (const source of specified.lastSyncDates) expect(body[source]).toBeNull();
    expect(await linuxUpdated()).toEqual({ status: 200, body: { lastUpdatedTime: null } });
  });

  test('returns the time of the last successful sync of each source', async () => {
    const at = (source: string) =>
      1_700_000_000_000 + specified.lastSyncDates.indexOf(source) * 1000;
    for (const source of specified.lastSyncDates as readonly SourceKey[]) {
      await addEndedRun(source, 'succeeded', at(source) - 500);
      await addEndedRun(source, 'succeeded', at(source));
      // A failed run does not change the date.
      await addEndedRun(source, 'failed', at(source) + 200);
    }
    const body = await dates();
    expect(
      Object.fromEntries(specified.lastSyncDates.map((source) => [source, body[source]])),
    ).toEqual(Object.fromEntries(specified.lastSyncDates.map((source) => [source, at(source)])));
    expect(typeof body['id']).toBe('number');
    // The list of Linux packages is filled by the source ubuntu.
    expect(await linuxUpdated()).toEqual({ status: 200, body: { lastUpdatedTime: at('ubuntu') } });
  });

  test('returns audit items with time, patch count, source and status', async () => {
    const { status, body } = await ask(app, 'GET', '/windows/fetchAudit/ubuntu');
    const [failed, second] = body['objList'] as readonly Record<string, unknown>[];
    expect([status, body['totalCount']]).toEqual([200, 3]);
    expect(Object.keys(failed ?? {})).toEqual(expect.arrayContaining([...specified.auditItem]));
    const [success, failure] = specified.auditStatus;
    expect(failed).toMatchObject({ type: 'ubuntu', status: failure });
    expect(second).toMatchObject({ type: 'ubuntu', status: success, patchCount: 6 });
  });
});

/** Answers the calls about syncs: starting and cancelling, how each source stands, past runs with what they changed and kept out. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceKeys } from '@patch/catalogue/definition/sources.ts';
import {
  type AuditEntry,
  cancelSyncCall,
  fetchAuditCall,
  isRunningCall,
  linuxLastUpdatedCall,
  type Run,
  type SourceState,
  runChangesCall,
  runRejectionsCall,
  type SyncDetails,
  sourcesCall,
  startSyncCall,
  syncDetailsCall,
} from '@patch/contract/sync-calls.ts';
import { whoAsks } from '../auth/who-asks.ts';
import type { Database } from '../database/database.ts';
import type { Answer } from '../http/answer.ts';
import { Refusal } from '../http/refusal.ts';
import { changesPage, rejectionsPage } from './run-record-store.ts';
import { activeRun, lastSuccesses, runOfId, runsPage } from './run-store.ts';
import { noFeed } from './start-refusals.ts';
import type { Sync } from './start-sync.ts';

export interface SyncRoutes {
  readonly database: Database;
  readonly sync: Pick<Sync, 'start' | 'cancel'>;
  readonly feeds: Partial<Record<SourceKey, Feed>>;
  readonly states: () => Promise<SourceState[]>;
}

export function syncRoutes(answer: Answer, { database, sync, feeds, states }: SyncRoutes): void {
  answer(startSyncCall, async (request) => {
    const { service } = request.query;
    if (feeds[service] === undefined) throw noFeed(service);
    const run = await sync.start(service, whoAsks(request).name);
    request.changed({ subject: `source ${service}`, after: { run: run.id, state: run.state } });
    return run;
  });

  answer(cancelSyncCall, async (request) => {
    const { service } = request.query;
    const run = await sync.cancel(service, whoAsks(request).name);
    request.changed({ subject: `source ${service}`, after: { run: run.id, cancelled: true } });
    return run;
  });

  answer(isRunningCall, async ({ query: { service } }) => {
    const run = await activeRun(database, service);
    return { running: run !== null, run };
  });

  answer(syncDetailsCall, async () => {
    const times = await lastSuccesses(database);
    return { id: 1, ...Object.fromEntries(sourceKeys.map((source) => [source, times.get(source) ?? null])) } as SyncDetails;
  });

  answer(linuxLastUpdatedCall, async () => ({ lastUpdatedTime: (await lastSuccesses(database)).get('ubuntu') ?? null }));

  answer(sourcesCall, async () => {
    const objList = await states();
    return { objList, totalCount: objList.length };
  });

  answer(fetchAuditCall, async ({ params: { type }, query: { offset, size } }) => {
    const { runs, total } = await runsPage(database, type === 'all' ? null : type, offset, size);
    return { objList: runs.map(auditEntry), totalCount: total };
  });

  answer(runRejectionsCall, async ({ params: { runId }, query: { offset, size } }) => {
    await existingRun(database, runId);
    const { rows, total } = await rejectionsPage(database, runId, offset, size);
    return { objList: [...rows], totalCount: total };
  });

  answer(runChangesCall, async ({ params: { runId }, query: { kind, offset, size } }) => {
    await existingRun(database, runId);
    const { rows, total } = await changesPage(database, runId, offset, size, kind);
    return { objList: [...rows], totalCount: total };
  });
}

function auditEntry(run: Run): AuditEntry {
  const { id, source, state, added, changed, withdrawn } = run;
  const active = state === 'queued' || state === 'running';
  const good = state === 'succeeded' || state === 'succeeded_with_warnings';
  return {
    id,
    time: run.endedAt ?? run.startedAt ?? run.queuedAt,
    patchCount: added + changed + withdrawn,
    type: source,
    status: active ? 'running' : good ? 'success' : 'failed',
    run,
  };
}

async function existingRun(database: Database, id: number): Promise<void> {
  if ((await runOfId(database, id)) === null) {
    throw new Refusal(404, 'no_such_run', `There is no run ${id}. The oldest runs of a source are deleted automatically.`);
  }
}

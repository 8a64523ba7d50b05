/** Endpoints of syncs: start and cancel, states of the sources, past runs with their changes and rejected records. */
import type { AnyFeed } from '@patch/catalogue/definition/feed.ts';
import { type SourceKey, sourceKeys } from '@patch/catalogue/sources.ts';
import {
  acceptQuarantineEndpoint,
  rejectQuarantineEndpoint,
} from '@patch/contract/sources/quarantine-endpoints.ts';
import {
  type AuditEntry,
  fetchAuditEndpoint,
  runChangesEndpoint,
  runRejectionsEndpoint,
} from '@patch/contract/sources/run-endpoints.ts';
import {
  cancelSyncEndpoint,
  isRunningEndpoint,
  linuxLastUpdatedEndpoint,
  type Run,
  type SourceState,
  type SyncDetails,
  sourcesEndpoint,
  startSyncEndpoint,
  syncDetailsEndpoint,
} from '@patch/contract/sources/sync-endpoints.ts';
import { syncEventsEndpoint } from '@patch/contract/sources/sync-events-endpoint.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { EventStream } from '../../platform/http/event-stream.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { saveDecision } from '../parts/quarantine-store.ts';
import { readLastSuccesses, readRunsPage } from '../runs/run-history-store.ts';
import { readChangesPage, readRejectionsPage } from '../runs/run-record-store.ts';
import { activeRun, readRun } from '../runs/run-store.ts';
import type { SyncEvents } from '../runs/sync-events.ts';
import { assertEnabled, createAlreadyRunningError, requireFeed } from '../sources/start-errors.ts';
import type { Sync } from './start-sync.ts';

export interface SyncRoutes {
  readonly database: Database;
  readonly sync: Pick<Sync, 'start' | 'cancel'>;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly states: () => Promise<SourceState[]>;
}

export function syncRoutes(
  route: RouteRegistrar,
  { database, sync, feeds, states }: SyncRoutes,
): void {
  route(startSyncEndpoint, async (request) => {
    const { service } = request.query;
    requireFeed(feeds, service);
    const run = await sync.start(service, requireUser(request).name);
    request.changed({ subject: `source ${service}`, after: { run: run.id, state: run.state } });
    return run;
  });

  route(cancelSyncEndpoint, async (request) => {
    const { service } = request.query;
    const run = await sync.cancel(service, requireUser(request).name);
    request.changed({ subject: `source ${service}`, after: { run: run.id, cancelled: true } });
    return run;
  });

  route(isRunningEndpoint, async ({ query: { service } }) => {
    const run = await activeRun(database, service);
    return { running: run !== null, run };
  });

  route(syncDetailsEndpoint, async () => {
    const times = await readLastSuccesses(database);
    return {
      id: 1,
      ...Object.fromEntries(sourceKeys.map((source) => [source, times.get(source) ?? null])),
    } as SyncDetails;
  });

  route(linuxLastUpdatedEndpoint, async () => ({
    lastUpdatedTime: (await readLastSuccesses(database)).get('ubuntu') ?? null,
  }));

  route(sourcesEndpoint, async () => {
    const objList = await states();
    return { objList, totalCount: objList.length };
  });

  route(fetchAuditEndpoint, async ({ params: { type }, query: { offset, size } }) => {
    const { runs, total } = await readRunsPage(
      database,
      type === 'all' ? null : type,
      offset,
      size,
    );
    return { objList: runs.map(toAuditEntry), totalCount: total };
  });

  route(runRejectionsEndpoint, async ({ params: { runId }, query: { offset, size } }) => {
    await assertRunExists(database, runId);
    const { rows, total } = await readRejectionsPage(database, runId, offset, size);
    return { objList: [...rows], totalCount: total };
  });

  route(runChangesEndpoint, async ({ params: { runId }, query: { kind, offset, size } }) => {
    await assertRunExists(database, runId);
    const { rows, total } = await readChangesPage(database, runId, offset, size, kind);
    return { objList: [...rows], totalCount: total };
  });
}

function toAuditEntry(run: Run): AuditEntry {
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

async function assertRunExists(database: Database, id: number): Promise<void> {
  if ((await readRun(database, id)) === null) {
    throw new AppError(
      'no_such_run',
      `Run ${id} does not exist. The oldest runs of a source are removed automatically.`,
    );
  }
}

export function syncEventRoutes(
  route: RouteRegistrar,
  { events }: { readonly events: Pick<SyncEvents, 'listen'> },
): void {
  route(syncEventsEndpoint, async () => new EventStream((signal) => events.listen(signal)));
}

interface QuarantineRoutes {
  readonly database: Database;
  readonly sync: Pick<Sync, 'start'>;
  readonly feeds: Partial<Record<SourceKey, AnyFeed>>;
  readonly log: Pick<Log, 'info'>;
}

const answers = [
  [acceptQuarantineEndpoint, 'accepted'],
  [rejectQuarantineEndpoint, 'rejected'],
] as const;

/** Endpoints to accept or reject quarantined changes. Each decision starts a sync that applies it. */
export function quarantineRoutes(
  route: RouteRegistrar,
  { database, sync, feeds, log }: QuarantineRoutes,
): void {
  for (const [endpoint, decision] of answers)
    route(endpoint, async (request) => {
      const { source } = request.params;
      const by = requireUser(request).name;
      requireFeed(feeds, source);
      await assertEnabled(database, source);
      // A concurrent run may replace the entry that the administrator has seen.
      const run = await activeRun(database, source);
      if (run !== null) throw createAlreadyRunningError(source, run);
      if (!(await saveDecision(database, { source, ...request.body }, decision, by))) {
        throw new AppError(
          'nothing_quarantined',
          'These changes are not quarantined any more: somebody has decided, or the vendor publishes the records as before. Reload the page.',
        );
      }
      const after = { ...request.body, decision };
      log.info({ source, ...after, by }, 'quarantined changes were decided');
      request.changed({ subject: `quarantine of source ${source}`, after });
      return sync.start(source, by);
    });
}

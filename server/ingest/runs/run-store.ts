/** Stores the runs of the sources, from queueing to the end, for all processes that share the database. */
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { RunMessage, RunStage } from '@patch/contract/sources/run-message.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonText } from '../../platform/database/json-text.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { eventInsert, type NewEvent } from '../../platform/events/event-store.ts';
import {
  cancelIfQueued,
  isActive,
  isSilent,
  takeFirst,
} from '../../platform/queues/leased-row-store.ts';
import { parseRunMessage, parseRunStage } from './stored-run-message.ts';

export interface RunProgress {
  readonly stage: RunStage | null;
  readonly done: number;
  readonly total: number;
}

export type RunCounts = Pick<Run, 'added' | 'changed' | 'withdrawn' | 'unchanged' | 'rejected'>;

export interface RunEnd extends RunCounts {
  readonly state: 'succeeded' | 'succeeded_with_warnings' | 'failed' | 'cancelled' | 'interrupted';
  readonly message: RunMessage;
  readonly warnings: readonly RunMessage[];
}

export const runColumns = `id, source, state, started_by as "startedBy", queued_time as "queuedAt", started_time as "startedAt", ended_time as "endedAt",
  stage_data as stage, done, total, added, changed, withdrawn, unchanged, rejected,
  message_data as message, warnings`;

/** A run with its stored messages, which are not parsed yet. */
export const StoredRun = Run.omit({ stage: true, message: true, warnings: true }).extend({
  stage: z.unknown(),
  message: z.unknown(),
  warnings: z.array(z.unknown()),
  source: openWord<SourceKey>(),
});

export type StoredRun = z.infer<typeof StoredRun>;

export function toRun({ stage, message, warnings, ...run }: StoredRun): Run {
  return {
    ...run,
    stage: stage === null ? null : parseRunStage(stage),
    message: message === null ? null : parseRunMessage(message),
    warnings: warnings.map(parseRunMessage),
  };
}

async function queryRun(
  database: Queryable,
  text: string,
  values: readonly unknown[],
): Promise<Run | null> {
  const [stored] = await queryRows(database, StoredRun, text, values);
  return stored === undefined ? null : toRun(stored);
}

export const isSuccess = `state in ('succeeded', 'succeeded_with_warnings')`;

const endedSql = `stage_data = null, done = 0, total = 0`;

/** A worker without a heartbeat for this time is considered dead. */
export const maxSilenceMs = 60_000;

const processDiedMessage: RunMessage = { code: 'process_died', params: {} };

/**
 * Queues a run. Returns null while another run of the source is queued or running.
 * @param state - 'running' begins it at once, so that no worker takes it for a queued sync.
 */
export function addRun(
  database: Queryable,
  source: SourceKey,
  startedBy: string,
  now: number,
  state: 'queued' | 'running' = 'queued',
): Promise<Run | null> {
  return queryRun(
    database,
    `insert into sync_run (source, state, started_by, queued_time, heartbeat_time, started_time) values ($1, $4, $2, $3, $3, $5)
     on conflict (source) where ${isActive} do nothing returning ${runColumns}`,
    [source, startedBy, now, state, state === 'running' ? now : null],
  );
}

export function activeRun(database: Queryable, source: SourceKey): Promise<Run | null> {
  return queryRun(
    database,
    `select ${runColumns} from sync_run where source = $1 and ${isActive}`,
    [source],
  );
}

export function readRun(database: Queryable, id: number): Promise<Run | null> {
  return queryRun(database, `select ${runColumns} from sync_run where id = $1`, [id]);
}

/** Starts the queued run `id`, or the oldest queued run when `id` is null. Returns null when no such run is queued any more. */
export async function takeRun(
  database: Queryable,
  id: number | null,
  now: number,
): Promise<Run | null> {
  const stored = await takeFirst(
    database,
    StoredRun,
    {
      table: 'sync_run',
      due: `state = 'queued' and id = coalesce($1::bigint, id)`,
      set: `state = 'running', started_time = $2, heartbeat_time = $2`,
      columns: runColumns,
    },
    [id, now],
  );
  return stored === null ? null : toRun(stored);
}

const CancelledByRow = z.object({ cancelledBy: z.string().nullable() });

/** Saves the progress and the heartbeat of a run. Returns who cancelled it, or null. `lost` is true when it is not running any more. */
export async function saveProgress(
  database: Queryable,
  id: number,
  progress: RunProgress & RunCounts,
  now: number,
): Promise<{ readonly lost: boolean; readonly cancelledBy: string | null }> {
  const rows = await queryRows(
    database,
    CancelledByRow,
    `update sync_run set heartbeat_time = $2, stage_data = $3::jsonb, done = $4, total = $5, added = $6, changed = $7, withdrawn = $8, unchanged = $9,
       rejected = $10
     where id = $1 and state = 'running' returning cancelled_by as "cancelledBy"`,
    [
      id,
      now,
      progress.stage === null ? null : jsonText(progress.stage),
      progress.done,
      progress.total,
      progress.added,
      progress.changed,
      progress.withdrawn,
      progress.unchanged,
      progress.rejected,
    ],
  );
  return { lost: rows.length === 0, cancelledBy: rows[0]?.cancelledBy ?? null };
}

/** Ends a running run. The first failure of a source after a run that did not fail causes an event. */
export async function endRun(
  database: Queryable,
  id: number,
  end: RunEnd,
  now: number,
): Promise<void> {
  const failed = end.state === 'failed' ? await readFirstFailure(database, id) : null;
  const update = `update sync_run set state = $2, ended_time = $3, heartbeat_time = $3, message_data = $4::jsonb, warnings = $5::jsonb, ${endedSql},
       added = $6, changed = $7, withdrawn = $8, unchanged = $9, rejected = $10
     where id = $1 and state = 'running'`;
  const values = [
    id,
    end.state,
    now,
    jsonText(end.message),
    jsonText(end.warnings),
    end.added,
    end.changed,
    end.withdrawn,
    end.unchanged,
    end.rejected,
  ];
  if (failed === null) {
    await database.query(update, values);
    return;
  }
  const event = eventInsert(failureEvent(failed, end), now, {
    from: 'ended',
    first: values.length + 1,
  });
  await database.query(`with ended as (${update} returning id) ${event.text}`, [
    ...values,
    ...event.values,
  ]);
}

const FailedSourceRow = z.object({ source: openWord<SourceKey>() });

/** Returns the source of the run; null when the source's last run failed too. */
async function readFirstFailure(database: Queryable, id: number): Promise<SourceKey | null> {
  const rows = await queryRows(
    database,
    FailedSourceRow,
    `select source from sync_run as own where id = $1 and coalesce((select state from sync_run as earlier
       where earlier.source = own.source and earlier.id < own.id and state in ('succeeded', 'succeeded_with_warnings', 'failed')
       order by earlier.id desc limit 1), '') <> 'failed'`,
    [id],
  );
  return rows[0]?.source ?? null;
}

function failureEvent(source: SourceKey, { message }: RunEnd): NewEvent {
  const label = sourceLabels[source] ?? source;
  return {
    type: 'source.failed',
    title: `${label} could not be synced`,
    path: `/patch-repository/sync?source=${source}`,
    subject: { source },
    items: [{ name: label, about: runMessageText(message), path: null }],
    totalCount: 1,
  };
}

/** Cancels a queued run, or requests the end of a running one. Returns null when the source has neither. */
export function requestRunCancel(
  database: Queryable,
  source: SourceKey,
  by: string,
  now: number,
): Promise<Run | null> {
  const message: RunMessage = { code: 'cancelled_before_start', params: { by } };
  return queryRun(
    database,
    `update sync_run set cancelled_by = coalesce(cancelled_by, $2),
       ${cancelIfQueued({ ended_time: '$3::bigint', message_data: '$4::jsonb' })}
     where source = $1 and ${isActive} returning ${runColumns}`,
    [source, by, now, jsonText(message)],
  );
}

/** Ends the runs of a dead process as interrupted: all active ones, or those with these ids. */
export const interruptRuns = (
  database: Queryable,
  now: number,
  which: 'all' | readonly number[],
) =>
  which === 'all'
    ? interrupt(database, isActive, [now])
    : interrupt(database, `${isActive} and id = any($3::bigint[])`, [now, arrayText(which)]);

/**
 * Ends running runs without a recent heartbeat as interrupted. A heartbeat in the future is from before the clock was set back; a living
 * process replaces it at once.
 *
 * @param own runs of this process, which are never interrupted
 */
export const interruptSilentRuns = (database: Queryable, now: number, own: readonly number[]) =>
  interrupt(
    database,
    `state = 'running' and ${isSilent('heartbeat_time', '$1', maxSilenceMs)} and id <> all($3::bigint[])`,
    [now, arrayText(own)],
  );

async function interrupt(
  database: Queryable,
  where: string,
  [now, ...values]: readonly [now: number, ...values: readonly unknown[]],
): Promise<void> {
  await database.query(
    `update sync_run set state = 'interrupted', ended_time = $1, message_data = $2::jsonb, ${endedSql} where ${where}`,
    [now, jsonText(processDiedMessage), ...values],
  );
}

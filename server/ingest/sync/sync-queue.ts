/** The queue of syncs and their schedules, kept by pg-boss in the same database: a free worker takes the next job, once. */
import { type SourceKey, sourceKeys } from '@patch/catalogue/sources.ts';
import { type Db, PgBoss } from 'pg-boss';
import type { Database } from '../../platform/database/database.ts';
import { DatabaseError } from '../../platform/database/database-error.ts';

export interface SyncJob {
  readonly source: SourceKey;
  /** The queued run of a manual request; absent for a scheduled one. */
  readonly runId?: number;
}

export interface SyncQueue {
  /** Queues the job of a run. Calling it twice does no harm. */
  ask(source: SourceKey, runId: number): Promise<void>;
  /** Applies the sources' current schedules. */
  keepSchedules(): Promise<void>;
  stop(): Promise<void>;
}

export interface SyncQueueOptions {
  readonly database: Database;
  /** Five-field cron in UTC of each source that is synced automatically. */
  readonly schedules: () => Promise<ReadonlyMap<SourceKey, string>>;
  /** Runs a job to its end; never rejects. */
  readonly work: (job: SyncJob) => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** No other process works on the database. */
  readonly isOnlyProcess: boolean;
}

const queue = 'sync';

/** Of one process. */
const runsAtOnce = 2;

export async function startSyncQueue({
  database,
  schedules,
  work,
  onError,
  isOnlyProcess,
}: SyncQueueOptions): Promise<SyncQueue> {
  const boss = new PgBoss({
    db: queueDatabase(database),
    cronMonitorIntervalSeconds: 45,
    cronWorkerIntervalSeconds: 30,
    flowIntervalSeconds: 3600,
    bamIntervalSeconds: 3600,
    queueCacheIntervalSeconds: 600,
    reindex: false,
    monitorVacuum: false,
  });
  boss.on('error', onError);
  await boss.start();
  // Short: a run that is requested twice waits once. No retries: a failed run says why, and the schedule comes again.
  const options = {
    retryLimit: 0,
    expireInSeconds: 23 * 3600,
    heartbeatSeconds: 60,
    deleteAfterSeconds: 24 * 3600,
  };
  await boss.createQueue(queue, { policy: 'short', ...options });
  await boss.updateQueue(queue, options);
  // Jobs of an embedded database were left by a dead process.
  if (isOnlyProcess) await boss.deleteAllJobs(queue);
  await keepSchedules(boss, await schedules());
  const workers: string[] = [];
  // A job that is requested is picked up at once, not at the next poll.
  const wake = () => {
    for (const worker of workers) boss.notifyWorker(worker);
  };
  for (let count = 0; count < runsAtOnce; count++)
    workers.push(
      await boss.work<SyncJob>(
        queue,
        { pollingIntervalSeconds: 30, batchSize: 1 },
        async ([job]) => {
          if (job !== undefined) await work(job.data);
          wake();
        },
      ),
    );
  return {
    async ask(source, runId) {
      await boss.send(queue, { source, runId } satisfies SyncJob, { singletonKey: `run ${runId}` });
      wake();
    },
    async keepSchedules() {
      await keepSchedules(boss, await schedules());
    },
    stop: () => boss.stop({ graceful: false, close: false }),
  };
}

/** A schedule that was missed while no worker ran is made up for once. */
async function keepSchedules(boss: PgBoss, wanted: ReadonlyMap<SourceKey, string>): Promise<void> {
  const kept = new Map(
    (await boss.getSchedules(queue)).map((schedule) => [schedule.key, schedule.cron]),
  );
  for (const source of sourceKeys) {
    const cron = wanted.get(source);
    if (cron === kept.get(source)) continue;
    if (cron === undefined) await boss.unschedule(queue, source);
    else
      await boss.schedule(queue, cron, { source } satisfies SyncJob, {
        key: source,
        singletonKey: source,
        tz: 'UTC',
        missed: 'once',
      });
  }
}

/** pg-boss sends single statements with values, and multi-statement blocks without, framed by BEGIN and COMMIT; it needs no rows of a block. */
function queueDatabase(database: Database): Db {
  return {
    async executeSql(text: string, values?: unknown[]) {
      if (values !== undefined && values.length > 0)
        return { rows: [...(await database.query(text, values)).rows] };
      const block = /^\s*BEGIN;(.*)COMMIT;?\s*$/s.exec(text)?.[1];
      if (block !== undefined) {
        await database.transaction((tx) => tx.script(block));
        return { rows: [] };
      }
      try {
        return { rows: [...((await database.query(text)).rows ?? [])] };
      } catch (error) {
        if (!(error instanceof DatabaseError && error.code === severalStatements)) throw error;
        await database.script(text);
        return { rows: [] };
      }
    },
  };
}

/** PostgreSQL's error for several commands in one prepared statement: a syntax error. None of them was executed. */
const severalStatements = '42601';

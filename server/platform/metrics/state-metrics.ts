/** The current state of the service: syncs, emails, the database. */
import { setTimeout as after } from 'node:timers/promises';
import { dayLength } from '@patch/contract/release-rhythm.ts';
import { freshnessOf, freshnessStates } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { mailsByState, runsByState } from './metrics-store.ts';

const runStates = [
  'queued',
  'running',
  'succeeded',
  'succeeded_with_warnings',
  'failed',
  'cancelled',
  'interrupted',
];
const mailStates = ['queued', 'sent', 'failed'];
const patience = 2_000;

export interface StateMetrics {
  readonly database: Database;
  readonly states: () => Promise<readonly SourceState[]>;
  readonly registry: Registry;
  readonly clock: () => number;
}

/** Returns a function that updates the gauges. Values that the database does not return in time are left out, so that no one takes old values for current. */
export function stateMetrics({
  database,
  states,
  registry,
  clock,
}: StateMetrics): () => Promise<void> {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    ...labelNames: readonly Label[]
  ) => new Gauge({ name, help, labelNames, registers: [registry] });
  const up = gauge('patch_database_up', '1: the database answers, 0: it does not');
  const connections = gauge(
    'patch_database_connections',
    'Connections to the database, by state',
    'state',
  );
  const waiting = gauge(
    'patch_database_waiting',
    'Statements and transactions of this process that wait for the database or for a connection',
  );
  const age = gauge(
    'patch_sync_age_seconds',
    'Since the last sync of the source that succeeded',
    'source',
  );
  const succeeded = gauge(
    'patch_sync_last_success_timestamp_seconds',
    'When the last sync of the source succeeded',
    'source',
  );
  const freshness = gauge(
    'patch_source_freshness',
    'The state of the source that is 1; the others are 0',
    'source',
    'state',
  );
  const newest = gauge(
    'patch_source_newest_record_timestamp_seconds',
    "Release date of the source's newest record, as its vendor dates it",
    'source',
  );
  const gap = gauge(
    'patch_source_usual_gap_seconds',
    'Median time between days with new records of the source; absent while no rhythm is known',
    'source',
  );
  const runs = gauge('patch_sync_runs', 'Runs of syncs that are kept, by state', 'state');
  const queue = gauge('patch_sync_queue_length', 'Syncs that wait for their turn');
  const mails = gauge('patch_mail_outbox', 'Mails in the outbox, by state', 'state');
  const told = [age, succeeded, freshness, newest, gap, runs, queue, mails];

  function measureSource(state: SourceState, now: number): void {
    const { source, lastSuccessAt, releases } = state;
    if (lastSuccessAt !== null) {
      age.set({ source }, Math.max(0, now - lastSuccessAt) / 1000);
      succeeded.set({ source }, lastSuccessAt / 1000);
    }
    const current = freshnessOf(state, now);
    for (const each of freshnessStates)
      freshness.set({ source, state: each }, each === current ? 1 : 0);
    if (releases.newest !== null) newest.set({ source }, releases.newest.releaseDate / 1000);
    if (releases.usualGapDays !== null)
      gap.set({ source }, (releases.usualGapDays * dayLength) / 1000);
  }

  return async () => {
    const load = database.load?.();
    if (load !== undefined) {
      connections.set({ state: 'open' }, load.open);
      connections.set({ state: 'idle' }, load.idle);
      waiting.set(load.waiting);
    }
    const found = await inTime(
      Promise.all([states(), runsByState(database), mailsByState(database)]),
    );
    up.set(found === null ? 0 : 1);
    for (const each of told) each.reset();
    // A gauge without labels reads 0 after a reset, which would not mean unknown.
    if (found === null) {
      queue.remove();
      return;
    }
    const [sources, runCounts, mailCounts] = found;
    const now = clock();
    for (const state of sources) measureSource(state, now);
    const countOf = (counts: typeof runCounts, state: string) =>
      counts.find((each) => each.state === state)?.total ?? 0;
    for (const state of runStates) runs.set({ state }, countOf(runCounts, state));
    queue.set(countOf(runCounts, 'queued'));
    for (const state of mailStates) mails.set({ state }, countOf(mailCounts, state));
  };
}

async function inTime<T>(asked: Promise<T>): Promise<T | null> {
  const given = new AbortController();
  try {
    return await Promise.race([asked, after(patience, null, { signal: given.signal })]);
  } catch {
    return null;
  } finally {
    given.abort();
  }
}

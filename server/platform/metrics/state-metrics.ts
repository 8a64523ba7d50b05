/** Metrics of the service's state: syncs, emails, deliveries to channels, the database. */
import { channelKinds } from '@patch/contract/operations/channel-endpoints.ts';
import { dayLength } from '@patch/contract/sources/release-rhythm.ts';
import { freshnessStates, getFreshness } from '@patch/contract/sources/source-freshness.ts';
import { runStates, type SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Gauge, type Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { answerInTime } from '../http/health-routes.ts';
import {
  type CountByState,
  countDeliveries,
  countMailsByState,
  countRunsByState,
  type DeliveryCount,
  readPublication,
} from './metrics-store.ts';

/** States of emails and of deliveries to channels. */
const outboxStates = ['queued', 'sent', 'failed'];

export interface StateMetrics {
  readonly database: Database;
  readonly states: () => Promise<readonly SourceState[]>;
  readonly registry: Registry;
  readonly clock: () => number;
}

/** Returns a function that updates the gauges. It omits values that the database does not return in time, so that nobody reads stale ones. */
export function stateMetrics({
  database,
  states,
  registry,
  clock,
}: StateMetrics): () => Promise<void> {
  const gauges = createGauges(registry);
  const { up, connections, waiting, queue, published, unpublished, ...counted } = gauges;

  return async () => {
    // Measured before the queries below, which add to the load.
    const load = database.load?.();
    if (load !== undefined) {
      connections.set({ state: 'open' }, load.open);
      connections.set({ state: 'idle' }, load.idle);
      waiting.set(load.waiting);
    }
    const found = await answerInTime(
      Promise.all([
        states(),
        countRunsByState(database),
        countMailsByState(database),
        countDeliveries(database),
        readPublication(database),
      ]),
    );
    up.set(found === null ? 0 : 1);
    for (const gauge of Object.values(counted)) gauge.reset();
    // A gauge without labels reads 0 after a reset, which would not mean unknown.
    queue.remove();
    published.remove();
    unpublished.remove();
    if (found === null) return;
    const [sourceStates, runs, mails, deliveries, publication] = found;
    const now = clock();
    for (const state of sourceStates) measureSource(gauges, state, now);
    measureWork(gauges, runs, mails, deliveries);
    if (publication === null) return;
    unpublished.set(publication.failed ? 1 : 0);
    if (publication.publishedTime !== null) published.set(publication.publishedTime / 1000);
  };
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(registry: Registry) {
  const create = <Label extends string>(
    name: string,
    help: string,
    ...labelNames: readonly Label[]
  ) => new Gauge({ name, help, labelNames, registers: [registry] });
  return {
    up: create('patch_database_up', '1: the database answers, 0: it does not'),
    connections: create(
      'patch_database_connections',
      'Connections to the database, by state',
      'state',
    ),
    waiting: create(
      'patch_database_waiting',
      'Statements and transactions of this process that wait for the database or for a connection',
    ),
    age: create(
      'patch_sync_age_seconds',
      'Since the last sync of the source that succeeded',
      'source',
    ),
    succeeded: create(
      'patch_sync_last_success_timestamp_seconds',
      'When the last sync of the source succeeded',
      'source',
    ),
    freshness: create(
      'patch_source_freshness',
      'The state of the source that is 1; the others are 0',
      'source',
      'state',
    ),
    newest: create(
      'patch_source_newest_record_timestamp_seconds',
      "Release date of the source's newest record, as its vendor dates it",
      'source',
    ),
    gap: create(
      'patch_source_usual_gap_seconds',
      'Median time between days with new records of the source; absent while no rhythm is known',
      'source',
    ),
    runs: create('patch_sync_runs', 'Stored sync runs, by state', 'state'),
    published: create(
      'patch_catalogue_published_timestamp_seconds',
      'When the catalogue was last published as signed files; absent when it never was',
    ),
    unpublished: create(
      'patch_catalogue_publishing_failed',
      '1: the last attempt to publish the catalogue failed, 0: it did not',
    ),
    queue: create('patch_sync_queue_length', 'Syncs that wait for their turn'),
    mails: create('patch_mail_outbox', 'Mails in the outbox, by state', 'state'),
    deliveries: create(
      'patch_channel_deliveries',
      'Stored deliveries of events to channels, by the kind of channel and by state',
      'kind',
      'state',
    ),
  };
}

function measureSource(
  { age, succeeded, freshness, newest, gap }: Gauges,
  state: SourceState,
  now: number,
): void {
  const { source, lastSuccessAt, releases } = state;
  if (lastSuccessAt !== null) {
    age.set({ source }, Math.max(0, now - lastSuccessAt) / 1000);
    succeeded.set({ source }, lastSuccessAt / 1000);
  }
  const current = getFreshness(state, now);
  for (const each of freshnessStates)
    freshness.set({ source, state: each }, each === current ? 1 : 0);
  if (releases.newest !== null) newest.set({ source }, releases.newest.releaseDate / 1000);
  if (releases.usualGapDays !== null)
    gap.set({ source }, (releases.usualGapDays * dayLength) / 1000);
}

/** Measures syncs, emails and deliveries. */
function measureWork(
  { runs, queue, mails, deliveries }: Gauges,
  runCounts: readonly CountByState[],
  mailCounts: readonly CountByState[],
  deliveryCounts: readonly DeliveryCount[],
): void {
  for (const state of runStates) runs.set({ state }, getTotal(runCounts, state));
  queue.set(getTotal(runCounts, 'queued'));
  for (const state of outboxStates) {
    mails.set({ state }, getTotal(mailCounts, state));
    for (const kind of channelKinds) {
      const ofKind = deliveryCounts.filter((count) => count.kind === kind);
      deliveries.set({ kind, state }, getTotal(ofKind, state));
    }
  }
}

const getTotal = (counts: readonly CountByState[], state: string): number =>
  counts.find((each) => each.state === state)?.total ?? 0;

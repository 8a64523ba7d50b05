/** Checkpoints: the disk that they take, the time of their differences, and promotions of a ring while a sync runs. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Checkpoint,
  checkpointDifferenceEndpoint,
  createCheckpointEndpoint,
} from '@patch/contract/licensing/checkpoint-endpoints.ts';
import {
  changeRingEndpoint,
  createRingEndpoint,
  Ring,
} from '@patch/contract/licensing/ring-endpoints.ts';
import { queryRows } from '@patch/server/platform/database/query-rows.ts';
import { z } from 'zod';
import { type BenchDatabase, withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { count, short, table, timesTable } from './bench-table.ts';
import { addPollers, changesPath } from './clients-section.ts';
import { publishErrata } from './document-files.ts';
import { createClient } from './licensed-client.ts';
import { bytesOnDisk, errataLoad } from './load-records.ts';
import { measure } from './measure-calls.ts';
import { personCalls, syncWhileCalling } from './sync-calls.ts';

const checkpoints = 100;
/** Errata that the vendor lists at a moment, beside the loaded records. */
const listed = 12_000;
/** Errata that each publication lists for the first time, and as many that it lists no more. */
const moved = 100;
/** Errata of each publication with packages of another version. */
const changed = 200;
/** Errata that the sync adds beside the promotions. */
const synced = 20_000;
/** Records of a client's first page beside the promotions. */
const pageRows = 1000;
const keptTables = '^(checkpoint|kept_record)$';

interface Bench {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly mirror: string;
}

export async function checkpointsSection(options: BenchOptions): Promise<string> {
  return withDatabase(options, errataLoad(options), async (database) => {
    const bench = { options, database, mirror: join(options.cache, 'checkpoints-mirror') };
    try {
      return await measureCheckpoints(bench);
    } finally {
      await rm(bench.mirror, { recursive: true, force: true });
    }
  });
}

async function measureCheckpoints(bench: Bench): Promise<string> {
  const { options, database, mirror } = bench;
  const pollers = await addPollers(database, options.clients);
  await publish(bench, 0);
  const environment = { TRUST_PROXY: '1', FEED_MIRROR: mirror };
  const run = async <Result>(work: (service: RunningService) => Promise<Result>) => {
    const service = await database.start(environment);
    try {
      return await work(service);
    } finally {
      await service.stop();
    }
  };
  await run((service) => syncWhileCalling(database, service, 'almaLinux'));
  const before = await measureDisk(database);
  const made = await run((service) => makeCheckpoints(bench, service));
  const after = await measureDisk(database);
  return run(async (service) => {
    const body = { name: 'Ring', checkpoint: made[0], clients: pollers.map(({ id }) => id) };
    const path = `/api${createRingEndpoint.path}`;
    const ring = Ring.parse(JSON.parse(await service.client.expect(201, 'POST', path, body)));
    // The service reads its lists into memory after its start.
    await pause(Math.min(30, options.seconds) * 1000);
    const promoted = { made, ring, token: pollers[0]?.token ?? '' };
    return [
      `### ${count(options.rows + listed) ?? ''} records, ${checkpoints} checkpoints`,
      `After each checkpoint a sync changes ${changed} records, adds ${moved} and withdraws ${moved}. Counted are the tables checkpoint and kept_record with their indexes and TOAST, as PostgreSQL reports them, before the first checkpoint and after the sync that follows the last. The other tables grow by what the syncs write with or without checkpoints.`,
      diskTable(before, after),
      'Differences as the console asks for them before a promotion, over HTTP, signed in. CPU is that of service and database for each call.',
      await measureDifferences(database, service, promoted),
      await measurePromotions(bench, service, promoted),
    ].join('\n\n');
  });
}

/** Publishes the errata that the vendor lists after so many publications, and more that it had not listed before. */
function publish({ options, mirror }: Bench, publication: number, more = 0): Promise<void> {
  const { rows } = options;
  const version = (n: number) => `99.${Math.floor((n - rows + publication * changed) / listed)}`;
  return publishErrata(mirror, rows + publication * moved, listed + more, version);
}

/** Makes the checkpoints, each with a sync after it. Returns their ids. */
async function makeCheckpoints(bench: Bench, service: RunningService): Promise<readonly number[]> {
  const ids: number[] = [];
  const path = `/api${createCheckpointEndpoint.path}`;
  for (let n = 1; n <= checkpoints; n += 1) {
    const text = await service.client.expect(201, 'POST', path, { name: `Checkpoint ${n}` });
    ids.push(Checkpoint.parse(JSON.parse(text)).id);
    await publish(bench, n);
    const { run, seconds } = await syncWhileCalling(bench.database, service, 'almaLinux');
    if (run.changed !== changed || run.added !== moved || run.withdrawn !== moved)
      throw new Error(`Changed ${run.changed}, added ${run.added}, withdrew ${run.withdrawn}`);
    if (n % 10 === 0)
      bench.options.say(`${n} checkpoints; the last sync took ${short(seconds) ?? '?'} s`);
  }
  return ids;
}

interface Disk {
  readonly kept: number;
  readonly all: number;
  readonly versions: number;
}

/** Measures while no service runs: the embedded database has one owner. */
async function measureDisk(database: BenchDatabase): Promise<Disk> {
  const opened = await database.open();
  const statement = 'select count(*) as versions from kept_record';
  const [row] = await queryRows(opened, z.object({ versions: z.number() }), statement);
  const [kept, all] = [await bytesOnDisk(opened, keptTables), await bytesOnDisk(opened)];
  await opened.close();
  return { kept, all, versions: row?.versions ?? 0 };
}

function diskTable(before: Disk, after: Disk): string {
  const mb = (bytes: number) => short(bytes / 1_048_576);
  const line = (name: string, from: number, to: number) => [name, mb(from), mb(to), mb(to - from)];
  const others = ({ all, kept }: Disk) => all - kept;
  const size = count((after.kept - before.kept) / after.versions) ?? '';
  return table(
    ['MB', 'without checkpoints', `with ${checkpoints}`, 'more'],
    [
      line(
        `Checkpoints and ${count(after.versions) ?? ''} kept versions (${size} bytes a version)`,
        before.kept,
        after.kept,
      ),
      line('All other tables', others(before), others(after)),
    ],
  );
}

interface Promoted {
  readonly made: readonly number[];
  readonly ring: Ring;
  /** The token of one of the ring's clients. */
  readonly token: string;
}

async function measureDifferences(
  database: BenchDatabase,
  service: RunningService,
  { made, ring }: Promoted,
): Promise<string> {
  const { path, reply } = checkpointDifferenceEndpoint;
  const cpu = async () => (await database.usage(service)).cpu;
  const newest = made.length - 1;
  const line = async (name: string, pair: (n: number) => readonly [from: number, to: number]) => {
    let counts: readonly number[] = [];
    const call = async (n: number) => {
      const [from, to] = pair(n).map((index) => made[index] ?? 0);
      const query = `from=${from ?? 0}&to=${to ?? 0}&ring=${ring.id}`;
      const text = await service.client.expect(200, 'GET', `/api${path}?${query}`);
      const [list] = reply.parse(JSON.parse(text)).objList;
      if (list === undefined) throw new Error(`Nothing differs: ${query}`);
      counts = [list.added.count, list.changed.count, list.withdrawn.count];
    };
    const { p50, p95, longest, ...measured } = await measure(1, newest, call, cpu);
    const times = [p50, p95, longest, measured.cpu].map(short);
    return [name, ...counts.map(count), ...times, measured.calls];
  };
  return table(
    ['', 'added', 'changed', 'withdrawn', 'p50, ms', 'p95', 'longest', 'CPU', 'calls'],
    [
      await line('Neighbours, each two', (n) => [n, n + 1]),
      await line('The oldest two', () => [0, 1]),
      await line('The newest two', () => [newest - 1, newest]),
      await line('First to last', () => [0, newest]),
      await line('Last to first', () => [newest, 0]),
    ],
  );
}

/** Promotes the ring again and again, first alone, then while a sync runs. */
async function measurePromotions(
  bench: Bench,
  service: RunningService,
  { made, ring, token }: Promoted,
): Promise<string> {
  const path = `/api${changeRingEndpoint.path.replace('{id}', String(ring.id))}`;
  const client = createClient(service.url, token);
  const calls = {
    'Promotion of the ring': (n: number) =>
      service.client.expect(200, 'PUT', path, { checkpoint: made[(n + 1) % made.length] }),
    'First page of a client of the ring': () =>
      client.expect(200, 'GET', changesPath(null, pageRows)),
    ...personCalls(service),
  };
  const cpu = async () => (await bench.database.usage(service)).cpu;
  const promote = async (n: number) => void (await calls['Promotion of the ring'](n));
  const alone = await measure(1, made.length, promote, cpu);
  await publish(bench, checkpoints, synced);
  const { run, seconds, times } = await syncWhileCalling(
    bench.database,
    service,
    'almaLinux',
    calls,
  );
  client.close();
  return `A ring with ${count(ring.clients.length) ?? ''} clients is promoted to one checkpoint after the other, alone (${short(alone.cpu) ?? '?'} ms of processor time each) and while a sync adds ${count(run.added) ?? ''} records in ${short(seconds) ?? '?'} s (${run.state}, ${run.rejected} rejected). A first page of a client has ${count(pageRows) ?? ''} records.\n\n${timesTable([['Promotion of the ring, alone', alone], ...times])}`;
}

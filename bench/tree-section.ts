/** The published tree: its first publication and one after a sync of many records, the size of the mirror's lists, and what readers fetch. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { noFamily } from '@patch/contract/tree/family-keys.ts';
import { readSegment } from '@patch/contract/tree/segment-file.ts';
import { segmentPath } from '@patch/contract/tree/tree-index.ts';
import { type ListState, readListState } from '@patch/server/licensing/tree/list-state.ts';
import { FamilyKeys } from '@patch/server/licensing/tree/tree-keys.ts';
import { publishedLists } from '@patch/server/licensing/tree/tree-lines-store.ts';
import { treeFolder } from '@patch/server/licensing/tree/tree-place.ts';
import { type BenchDatabase, withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { count, exact, megabytes, short, table } from './bench-table.ts';
import { publishErrata } from './document-files.ts';
import { errataLoad } from './load-records.ts';
import { milliseconds, percentiles } from './measure-calls.ts';
import { benchSecret, dataDirOf, makeRoot, readEpoch } from './published-root.ts';
import { personCalls, syncWhileCalling } from './sync-calls.ts';
import { feedMirror, listSources } from './sync-section.ts';
import { measureLoad } from './tree-load.ts';
import { measureReaders } from './tree-readers.ts';

const synced = 500;
const publishTo = { kind: 'service' } as const;

export async function treeSection(options: BenchOptions): Promise<string> {
  const parts = [
    `### ${count(options.rows) ?? ''} records`,
    'Until the publication has ended, one client asks for the first page without a pause. Memory is the most that service and database use meanwhile, above what they use when nobody asks, and above the most of a minute of the same calls without a publication.',
    await withDatabase(options, errataLoad(options), (database) => measureMany(options, database)),
  ];
  if (!existsSync(feedMirror))
    return [...parts, 'Without the mirror, its lists are not measured.'].join('\n\n');
  const { sizes, lines } = await withDatabase(options, null, (database) =>
    measureMirror(options, database),
  );
  return [
    ...parts,
    '### Snapshots of the lists of the mirror',
    sizes,
    '### Readers',
    await measureReaders(options, lines),
    `### ${count(options.clients) ?? ''} clients at once`,
    (await measureLoad(options)) ?? 'Not measured: nginx is not installed.',
  ].join('\n\n');
}

/** After so long the threads of finished work have ended, and what they used is given back. */
const settledMs = 100_000;

/** Reads the lines that the service logs. */
class LoggedLines {
  #published = 0;
  #isLoaded = false;
  #milliseconds = 0;

  readonly onLine = (line: string): void => {
    const ms = /"ms":([\d.]+),"msg":"published the catalogue"/.exec(line)?.[1];
    if (line.includes('"msg":"lists were read into memory"')) this.#isLoaded = true;
    if (ms === undefined) return;
    this.#milliseconds = Number(ms);
    this.#published += 1;
  };

  /** Waits until the lists are in memory. */
  async loaded(): Promise<void> {
    while (!this.#isLoaded) await pause(500);
  }

  /** Does the work until something was published. Returns the milliseconds of the publication. */
  async nextPublication(work: () => Promise<unknown>): Promise<number> {
    const before = this.#published;
    while (this.#published === before) await work();
    return this.#milliseconds;
  }
}

async function measureMany(options: BenchOptions, database: BenchDatabase): Promise<string> {
  const mirror = join(options.cache, 'tree-mirror');
  const log = new LoggedLines();
  await mkdir(mirror, { recursive: true });
  const epoch = await readEpoch(database);
  const service = await database.start(
    { FEED_MIRROR: mirror, LOG_LEVEL: 'info', PUBLISH_TO: 'service' },
    log.onLine,
  );
  try {
    await log.loaded();
    await pause(settledMs);
    const idle = (await database.usage(service)).pss ?? 0;
    const asked = await mostWhileAsked(database, service);
    await makeRoot(options, publishTo, epoch);
    const first = await whilePublishing(database, service, log, { idle, asked });
    await pause(settledMs);
    await publishErrata(mirror, options.rows, synced);
    await syncWhileCalling(database, service, 'almaLinux');
    const second = await whilePublishing(database, service, log, { idle, asked });
    return table(
      ['', 's', 'MB above idle', 'above the calls alone', 'first page p50, ms', 'p99', 'longest'],
      [
        ['first publication', ...first],
        [`after a sync of ${synced} records`, ...second],
      ],
    );
  } finally {
    await service.stop();
    await rm(mirror, { recursive: true, force: true });
  }
}

async function whilePublishing(
  database: BenchDatabase,
  service: RunningService,
  log: LoggedLines,
  { idle, asked }: { readonly idle: number; readonly asked: number },
) {
  const calls = new MeasuredCalls(database, service);
  const taken = await log.nextPublication(() => calls.next());
  const { p50, p99, longest } = percentiles(calls.times);
  const memory = [megabytes(calls.most - idle), megabytes(calls.most - asked)];
  return [exact(taken / 1000), ...memory, short(p50), short(p99), short(longest)];
}

/** Calls of one client, and the most memory meanwhile. */
class MeasuredCalls {
  readonly times: number[] = [];
  /** Bytes of service and database. */
  most = 0;
  readonly #database: BenchDatabase;
  readonly #service: RunningService;
  readonly #firstPage;

  constructor(database: BenchDatabase, service: RunningService) {
    this.#database = database;
    this.#service = service;
    this.#firstPage = personCalls(service)['First page with total'];
  }

  async next(): Promise<void> {
    this.times.push(await milliseconds(async () => this.#firstPage?.(this.times.length)));
    if (this.times.length % 20 === 0)
      this.most = Math.max(this.most, (await this.#database.usage(this.#service)).pss ?? 0);
  }
}

/** Long enough for the collector of garbage to have come round. */
const askedMs = 60_000;

async function mostWhileAsked(database: BenchDatabase, service: RunningService): Promise<number> {
  const calls = new MeasuredCalls(database, service);
  for (const end = performance.now() + askedMs; performance.now() < end; ) await calls.next();
  return calls.most;
}

interface MeasuredMirror {
  readonly sizes: string;
  /** Lines of the list with the largest snapshot of at most 100 MB. */
  readonly lines: readonly string[];
}

async function measureMirror(
  options: BenchOptions,
  database: BenchDatabase,
): Promise<MeasuredMirror> {
  const service = await database.start({ FEED_MIRROR: feedMirror });
  try {
    for (const source of await listSources(options))
      await syncWhileCalling(database, service, source);
  } finally {
    await service.stop();
  }
  await makeRoot(options, publishTo, await readEpoch(database));
  const log = new LoggedLines();
  const publishing = await database.start(
    { FEED_MIRROR: feedMirror, LOG_LEVEL: 'info', PUBLISH_TO: 'service' },
    log.onLine,
  );
  try {
    await log.nextPublication(() => pause(200));
  } finally {
    await publishing.stop();
  }
  return readSizes(options);
}

async function readSizes(options: BenchOptions): Promise<MeasuredMirror> {
  const folder = treeFolder({ dataDir: dataDirOf(options), publishTo });
  const secret = benchSecret(options);
  const rows: (string | null)[][] = [];
  let largest: readonly string[] = [];
  const sums = { plain: 0, gzip: 0, segment: 0 };
  for (const { key } of publishedLists()) {
    const state = folder === null ? null : await readListState(folder, key);
    const snapshot = state?.segments.find(({ level }) => level === null);
    if (folder === null || state === null || snapshot === undefined) continue;
    const lines = await readAll(
      folder.streamPublished(segmentPath(state, snapshot)),
      state,
      secret,
    );
    const gzip = gzipSync(lines.join('\n')).length;
    rows.push([
      key,
      count(lines.length),
      megabytes(snapshot.plainBytes),
      exact(gzip / 1e6),
      exact(snapshot.bytes / 1e6),
    ]);
    sums.plain += snapshot.plainBytes;
    sums.gzip += gzip;
    sums.segment += snapshot.bytes;
    if (snapshot.plainBytes < 100e6 && lines.length > largest.length) largest = lines;
  }
  rows.push([
    'all',
    null,
    megabytes(sums.plain),
    exact(sums.gzip / 1e6),
    exact(sums.segment / 1e6),
  ]);
  return {
    sizes: table(['list', 'records', 'JSON, MB', 'gzip, MB', 'snapshot, MB'], rows),
    lines: largest,
  };
}

async function readAll(
  file: AsyncIterable<Uint8Array>,
  { family, segments }: ListState,
  secret: Uint8Array,
): Promise<readonly string[]> {
  const snapshot = segments.find(({ level }) => level === null);
  if (snapshot === undefined) return [];
  const key = new FamilyKeys(secret).keyAt(family ?? noFamily, snapshot.period);
  const lines: string[] = [];
  for await (const batch of readSegment(file, key, snapshot)) lines.push(...batch);
  return lines;
}

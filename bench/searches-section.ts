/** Searches: the classes by one client and by eight beside Directus, first pages during a sync, loading, disk and memory. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createChance } from '@patch/catalogue/testing/chance.ts';
import { type BenchDatabase, withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import type { RunningService } from './bench-service.ts';
import { count, megabytes, short, table, timesFaster, timesTable } from './bench-table.ts';
import { publishErrata } from './document-files.ts';
import { drawWords } from './drawn-words.ts';
import { bytesOnDisk, errataLoad, list } from './load-records.ts';
import { measureInTurn, milliseconds, percentiles } from './measure-calls.ts';
import {
  contains,
  firstPage,
  firstTotals,
  keyword,
  type PlainSearch,
  searchClasses,
} from './search-classes.ts';
import { type DirectusPeer, directusPeer, searchProduct } from './search-peers.ts';
import { personCalls, syncWhileCalling } from './sync-calls.ts';

/** Records that a sync adds meanwhile, at most. */
const maxSynced = 20_000;
const clientsAtOnce = 8;

interface DrawnClass {
  readonly name: string;
  readonly one: readonly PlainSearch[];
  readonly eight: readonly PlainSearch[];
}

export async function searchesSection(options: BenchOptions): Promise<string> {
  const directus = directusPeer(process.env);
  if (directus === null)
    options.say('Directus is not measured: DIRECTUS_URL names none (docs/commands.md).');
  try {
    return await withDatabase(options, errataLoad(options), (database) =>
      measureSearches(options, database, directus),
    );
  } finally {
    directus?.close();
  }
}

async function measureSearches(
  options: BenchOptions,
  database: BenchDatabase,
  directus: DirectusPeer | null,
): Promise<string> {
  const { rows, seed, seconds, cache } = options;
  const classes = drawClasses(options);
  const bytes = await measureDisk(database);
  const mirror = join(cache, 'searches-mirror');
  await publishErrata(mirror, rows, Math.min(rows, maxSynced));
  const service = await database.start({ FEED_MIRROR: mirror });
  try {
    await pause(seconds * 1000);
    const idle = (await database.usage(service)).pss;
    const classTable = await measureClasses(options, database, service, classes, directus);
    const after = (await database.usage(service)).pss;
    return [
      `### ${count(rows) ?? ''} records, seed ${seed}`,
      `Loaded in ${short(database.loadSeconds) ?? '?'} s, ${megabytes(bytes) ?? '?'} MB on disk; started in ${short(service.startSeconds) ?? '?'} s; memory (PSS of service and database) ${megabytes(idle) ?? '?'} MB when idle, ${megabytes(after) ?? '?'} MB after these searches. CPU is that of service and database for each call.`,
      classTable,
      await measureTyping(options, service),
      await measureDuringSync(options, database, service),
    ].join('\n\n');
  } finally {
    await service.stop();
    await rm(mirror, { recursive: true, force: true });
  }
}

/** Measures before the service starts: the embedded database has one owner. */
async function measureDisk(database: BenchDatabase): Promise<number> {
  const opened = await database.open();
  const bytes = await bytesOnDisk(opened);
  await opened.close();
  return bytes;
}

async function measureClasses(
  { say }: BenchOptions,
  database: BenchDatabase,
  service: RunningService,
  classes: readonly DrawnClass[],
  directus: DirectusPeer | null,
): Promise<string> {
  const cpu = async () => (await database.usage(service)).cpu;
  const inTurn = (clients: number, searches: readonly PlainSearch[]) => {
    const at = (n: number) => searches[n] ?? firstPage();
    const product = { call: (n: number) => searchProduct(service, at(n)), cpu };
    const peers = directus === null ? [] : [{ call: (n: number) => directus.search(at(n)) }];
    return measureInTurn(clients, searches.length, [product, ...peers]);
  };
  await settle(service);
  const lines: (string | null)[][] = [];
  for (const { name, one, eight } of classes) {
    const [own, peer] = await inTurn(1, one);
    const [ownOfEight, peerOfEight] = await inTurn(clientsAtOnce, eight);
    if (own === undefined || ownOfEight === undefined) throw new Error('Nothing was measured');
    say(`${name}: ${own.p50.toFixed(1)} ms`);
    lines.push([
      name,
      ...[own.p50, own.p95, own.cpu].map(short),
      ...[ownOfEight.p50, ownOfEight.p95].map(short),
      count(ownOfEight.perSecond),
      ...(peer === undefined || peerOfEight === undefined
        ? []
        : [
            short(peer.p50),
            timesFaster(peer.p50, own.p50),
            count(peerOfEight.perSecond),
            timesFaster(ownOfEight.perSecond, peerOfEight.perSecond),
          ]),
    ]);
  }
  const ofEight = ['8 clients p50', 'p95', 'a second'];
  const ofPeer = ['Directus p50', 'ratio', '8 clients a second', 'ratio'];
  return table(['ms', 'p50', 'p95', 'CPU', ...ofEight, ...(directus ? ofPeer : [])], lines);
}

/** Milliseconds between two letters: the search bar waits as long before it asks what the words mean. */
const typingPauseMs = 150;

/** People type queries of a word, a severity and a release: a call for each letter, as the search bar asks at most. */
async function measureTyping(
  { rows, seed, calls }: BenchOptions,
  service: RunningService,
): Promise<string> {
  const { common, rare } = drawWords(createChance(seed + 2), rows, 8);
  const queries = [...common, ...rare].map((word) => `${word} critical almalinux 9`);
  const type = async (person: number): Promise<readonly number[]> => {
    const taken: number[] = [];
    for (const query of queries.slice(person).slice(0, Math.ceil(calls / 10)))
      for (let end = 3; end <= query.length; end += 1) {
        const body = { q: query.slice(0, end), typing: true };
        const path = `/api${list.searchPath}/reading`;
        taken.push(await milliseconds(() => service.client.expect(200, 'POST', path, body)));
        await pause(typingPauseMs);
      }
    return taken;
  };
  const one = percentiles(await type(0));
  const people = await Promise.all(Array.from({ length: clientsAtOnce }, (_, at) => type(at)));
  return `What a query means, with its count, while it is typed:\n\n${timesTable([
    ['One person', one],
    ['Eight people', percentiles(people.flat())],
  ])}`;
}

async function measureDuringSync(
  { rows, seed }: BenchOptions,
  database: BenchDatabase,
  service: RunningService,
): Promise<string> {
  const totals = searchClasses(rows, createChance(seed + 1)).find(
    ({ name }) => name === firstTotals,
  );
  const synced = await syncWhileCalling(database, service, 'almaLinux', {
    ...personCalls(service),
    'First page with a new total': (n) => searchProduct(service, totals?.draw(n) ?? firstPage()),
  });
  return `While a sync adds ${count(synced.run.added) ?? ''} records in ${short(synced.seconds) ?? ''} s:\n\n${timesTable(synced.times)}`;
}

/** Draws once, so that all services answer the same searches. Those of eight clients continue after those of one. */
function drawClasses({ rows, seed, calls }: BenchOptions): readonly DrawnClass[] {
  return searchClasses(rows, createChance(seed)).map(({ name, draw }) => {
    const drawn = Array.from({ length: calls * 5 }, (_, n) => draw(n));
    return { name, one: drawn.slice(0, calls), eight: drawn.slice(calls) };
  });
}

/** Searches by a word and by a keyword until both are answered quickly, from memory, or for two minutes. */
async function settle(service: RunningService): Promise<void> {
  const end = performance.now() + 120_000;
  for (let n = 0; performance.now() < end; n += 1) {
    const taken = await milliseconds(async () => {
      await searchProduct(service, firstPage(contains(`settling ${n}`)));
      await searchProduct(service, firstPage(keyword(`settling${n}`)));
    });
    if (n > 20 && taken < 20) return;
    await pause(200);
  }
}

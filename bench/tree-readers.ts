/** Measures what readers of the published tree fetch: after days, a week, a month, and a million of them through a CDN. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { createChance } from '@patch/catalogue/testing/chance.ts';
import { readRecordLine } from '@patch/contract/tree/segment-file.ts';
import { chooseSegments } from '@patch/contract/tree/tree-index.ts';
import { type ListState, revisionOf } from '@patch/server/licensing/tree/list-state.ts';
import { publishList, type TreeContext } from '@patch/server/licensing/tree/publish-list.ts';
import { TreeFolder } from '@patch/server/licensing/tree/tree-folder.ts';
import { FamilyKeys } from '@patch/server/licensing/tree/tree-keys.ts';
import type { BenchOptions } from './bench-options.ts';
import { count, exact, short, table } from './bench-table.ts';

const hourMs = 3_600_000;
/** Publications of 31 days. */
const publications = 31 * 24;
/** Each publication changes one of so many records. */
const changedOne = 1_000;
const mostRecords = 20_000;
/** The last publications, at each of which readers come. */
const ends = 48;
const behind = [
  ['an hour', 1],
  ['a day', 24],
  ['a week', 7 * 24],
  ['a month', 30 * 24],
] as const;

/** @param lines - Records of a list, as clients get them. */
export async function measureReaders(
  options: BenchOptions,
  lines: readonly string[],
): Promise<string> {
  const folder = await mkdtemp(join(options.cache, 'tree-'));
  try {
    const { fetched, records, newest } = await publishMonth(options, folder, lines);
    return [
      `${count(records) ?? ''} records of the mirror, published once an hour for 31 days; each publication changes one of ${count(changedOne) ?? ''} records. Means of readers at each of the last ${ends} publications; the ratio is that of what they fetch to the lines that changed since, compressed alone.`,
      table(['behind', 'files', 'kB', 'ratio', 'largest ratio'], fetched),
      '### A million clients through a CDN',
      simulateDay(newest),
    ].join('\n\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface PublishedMonth {
  readonly fetched: readonly (readonly (string | number | null)[])[];
  readonly records: number;
  /** Mean bytes of a publication's own segment. */
  readonly newest: number;
}

async function publishMonth(
  { seed, say }: BenchOptions,
  path: string,
  all: readonly string[],
): Promise<PublishedMonth> {
  const chance = createChance(seed);
  const records = all.slice(0, mostRecords).map(readRecordLine);
  const changedAt = new Uint32Array(records.length);
  let now = Date.UTC(2026, 10, 1);
  const context: TreeContext = {
    folder: new TreeFolder(join(path, 'published'), join(path, 'own')),
    epoch: 'bench',
    keys: new FamilyKeys(Buffer.alloc(32, 1)),
    clock: () => now,
  };
  const publish = (revision: number): Promise<ListState | null> =>
    publishList(context, 'list', (work) =>
      work({
        list: 'list',
        family: 'debian',
        revision,
        form: '1',
        async *read(since) {
          yield records.filter((_, index) => (changedAt[index] ?? 0) > since || since === 0);
        },
      }),
    );
  const readers = behind.map(([name, back]) => ({
    name,
    back,
    files: 0,
    bytes: 0,
    alone: 0,
    worst: 0,
  }));
  let newest = 0;
  for (let revision = 1; revision <= publications; revision += 1) {
    now += hourMs;
    for (const [index, { id, line }] of records.entries()) {
      if (revision === 1 || chance() * changedOne > 1) continue;
      changedAt[index] = revision;
      const changed = line.replace(/"changedTime":\d+/, `"changedTime":${now}`);
      records[index] = { id, line: changed, isListed: true };
    }
    const state = await publish(revision);
    if (state === null) throw new Error('Nothing was published');
    if (revision % 100 === 0) say(`${revision} of ${publications} publications`);
    if (revision <= publications - ends) continue;
    newest += state.segments.find(({ level, to }) => level === 0 && to === revision)?.bytes ?? 0;
    for (const reader of readers) {
      const position = Math.max(1, revision - reader.back);
      const chosen = chooseSegments(state.segments, position, revisionOf(state)) ?? [];
      const since = records.filter((_, index) => (changedAt[index] ?? 0) > position);
      const alone = zstdCompressSync(since.map(({ line }) => `${line}\n`).join('')).length;
      const bytes = chosen.reduce((sum, segment) => sum + segment.bytes, 0);
      reader.files += chosen.length;
      reader.bytes += bytes;
      reader.alone += alone;
      reader.worst = Math.max(reader.worst, bytes / alone);
    }
  }
  return {
    records: records.length,
    newest: newest / ends,
    fetched: readers.map(({ name, files, bytes, alone, worst }) => [
      name,
      short(files / ends),
      short(bytes / ends / 1000),
      exact(bytes / alone),
      exact(worst),
    ]),
  };
}

const cdn = {
  clients: 1_000_000,
  lists: 14,
  /** Edges that cache by themselves. */
  edges: 100,
  headSeconds: 60,
  /** 1,200 bytes, and 400 for each list, as written; hashes do not compress. */
  headBytes: 1_200 + 14 * 400,
  /** Dollars for a gigabyte delivered and for 10,000 requests: list prices of large CDNs are around these. */
  dollars: { gigabyte: 0.02, requests: 0.0075 },
};

/** Simulates a day in which each list is published once an hour, and each client looks once an hour at a moment of its own. */
function simulateDay(segmentBytes: number): string {
  const chance = createChance(1);
  const headUntil = new Float64Array(cdn.edges).fill(-1);
  /** The last publication of each list that an edge has. */
  const cached = new Int32Array(cdn.edges * cdn.lists).fill(-1);
  const moment = Uint16Array.from({ length: cdn.clients }, () => chance() * 3600);
  const edge = Uint8Array.from({ length: cdn.clients }, () => chance() * cdn.edges);
  const order = Uint32Array.from(moment.keys()).sort((a, b) => (moment[a] ?? 0) - (moment[b] ?? 0));
  const day = { requests: 0, bytes: 0, origin: 0, originBytes: 0 };
  for (let hour = 0; hour < 24; hour += 1)
    for (const client of order) {
      const at = edge[client] ?? 0;
      const second = hour * 3600 + (moment[client] ?? 0);
      day.requests += 1 + cdn.lists;
      day.bytes += cdn.headBytes + cdn.lists * segmentBytes;
      if ((headUntil[at] ?? 0) < second) {
        headUntil[at] = second + cdn.headSeconds;
        day.origin += 1;
        day.originBytes += cdn.headBytes;
      }
      for (let list = 0; list < cdn.lists; list += 1) {
        if (cached[at * cdn.lists + list] === hour) continue;
        cached[at * cdn.lists + list] = hour;
        day.origin += 1;
        day.originBytes += segmentBytes;
      }
    }
  const heartbeats = cdn.clients / 86_400;
  const gigabytes = day.bytes / 1e9;
  const cost = gigabytes * cdn.dollars.gigabyte + (day.requests / 10_000) * cdn.dollars.requests;
  return [
    `Simulated: ${count(cdn.clients) ?? ''} clients, ${cdn.lists} lists, each published once an hour with segments of ${exact(segmentBytes / 1000) ?? ''} kB, a head of ${exact(cdn.headBytes / 1000) ?? ''} kB cached for ${cdn.headSeconds} s by each of ${cdn.edges} edges. Prices are assumed: ${cdn.dollars.gigabyte} dollars a gigabyte, ${cdn.dollars.requests} for 10,000 requests.`,
    table(
      ['', 'a day', 'a second'],
      [
        ['requests of clients, millions', short(day.requests / 1e6), count(day.requests / 86_400)],
        ['bytes to clients, GB', short(gigabytes), exact(gigabytes / 86_400)],
        ['requests to the origin', count(day.origin), exact(day.origin / 86_400)],
        ['bytes from the origin, MB', short(day.originBytes / 1e6), null],
        ['heartbeats at the service, thousands', count(cdn.clients / 1000), exact(heartbeats)],
        ['cost, dollars', short(cost), null],
      ],
    ),
  ].join('\n\n');
}

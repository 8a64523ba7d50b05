/** Syncs: each source of the feed mirror into an empty catalogue, a large generated updateinfo.xml, and EPSS scores over a large catalogue. */
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { mirrorHas } from '@patch/catalogue/testing/mirror-has.ts';
import { rpmRepositoryFrom } from '@patch/catalogue/testing/rpm-repository-from.ts';
import { withDatabase } from './bench-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { count, exact, megabytes, short, table } from './bench-table.ts';
import { epssDays, publishEpss, updateinfoText, writeDocument } from './document-files.ts';
import { errataLoad } from './load-records.ts';
import { personCalls, type SyncMeasured, syncWhileCalling } from './sync-calls.ts';

export const feedMirror = fileURLToPath(new URL('../../shared/feed-mirror', import.meta.url));
const repository = 'https://download.opensuse.org/update/leap/15.6/oss/';
/** CVEs with a score, on any day of 2026. */
const maxScores = 330_000;

export async function syncSection(options: BenchOptions): Promise<string> {
  const parts = [
    '### Sources of the feed mirror',
    'Each synced into an empty catalogue, then once more. Memory is the most of service and database above idle during the first.',
    await syncMirror(options),
    '### Large documents',
    'Meanwhile one client asks for health and the first page without a pause.',
    table(
      ['', 'rows', 's', 'rows/s', 'MB above idle', 'first page p50, ms', 'p99', 'longest'],
      [await syncUpdateinfo(options), ...(await syncEpss(options))],
    ),
  ];
  return parts.join('\n\n');
}

async function syncMirror(options: BenchOptions): Promise<string> {
  if (!existsSync(feedMirror)) return 'Not measured: ../shared/feed-mirror is absent.';
  const lines: (string | number | null)[][] = [];
  for (const source of await listSources(options)) {
    // Each in a service of its own, so that its memory is that of one source.
    await withDatabase(options, null, async (database) => {
      const service = await database.start({ FEED_MIRROR: feedMirror });
      try {
        const first = await syncWhileCalling(database, service, source);
        const second = await syncWhileCalling(database, service, source);
        const { added, rejected } = first.run;
        options.say(`${source}: ${first.seconds.toFixed(1)} s`);
        lines.push([
          source,
          count(added),
          rejected,
          exact(first.seconds),
          count(added / first.seconds),
          megabytes(first.memory),
          exact(second.seconds),
        ]);
      } finally {
        await service.stop();
      }
    });
  }
  return table(
    ['', 'records', 'rejected', 'first sync, s', 'records/s', 'MB above idle', 'second sync, s'],
    lines,
  );
}

/** Returns the chosen sources of which the mirror has a document. */
export async function listSources({ sources }: BenchOptions): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [source, feed] of Object.entries(vendorFeeds))
    if (sources?.includes(source) !== false && (await mirrorHas(feedMirror, feed)))
      found.push(source);
  return found;
}

async function syncUpdateinfo(options: BenchOptions) {
  const mirror = join(options.cache, 'updateinfo-mirror');
  const { text, records } = updateinfoText(options.megabytes * 1_048_576);
  try {
    for (const [path, content] of Object.entries(rpmRepositoryFrom(repository, text)))
      await writeDocument(join(mirror, path), content);
    return await withDatabase(options, null, async (database) => {
      const service = await database.start({ FEED_MIRROR: mirror });
      try {
        const calls = personCalls(service);
        const synced = await syncWhileCalling(database, service, 'opensuse', calls);
        if (synced.run.added !== records) throw new Error('Advisories are missing');
        return documentLine(`updateinfo, ${options.megabytes} MB`, synced);
      } finally {
        await service.stop();
      }
    });
  } finally {
    await rm(mirror, { recursive: true, force: true });
  }
}

async function syncEpss(options: BenchOptions) {
  const mirror = join(options.cache, 'epss-mirror');
  const scores = Math.min(maxScores, options.rows);
  try {
    return await withDatabase(options, errataLoad(options), async (database) => {
      await mkdir(mirror, { recursive: true });
      const service = await database.start({ FEED_MIRROR: mirror });
      try {
        const days: (string | null)[][] = [];
        for (const day of epssDays) {
          await publishEpss(mirror, day, scores);
          const synced = await syncWhileCalling(database, service, 'epss', personCalls(service));
          const over = `${count(scores) ?? ''} scores over ${count(options.rows) ?? ''} records`;
          days.push(documentLine(`EPSS, ${day}, ${over}`, synced));
        }
        return days;
      } finally {
        await service.stop();
      }
    });
  } finally {
    await rm(mirror, { recursive: true, force: true });
  }
}

function documentLine(name: string, { run, seconds, memory, times }: SyncMeasured) {
  const page = times.at(-1)?.[1];
  const rows = run.added + run.changed;
  return [
    name,
    count(rows),
    short(seconds),
    count(rows / seconds),
    megabytes(memory),
    ...[page?.p50 ?? null, page?.p99 ?? null, page?.longest ?? null].map(short),
  ];
}

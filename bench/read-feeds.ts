/** How fast vendors' documents become records, and in how much memory; beside C programs on the same files in the same run. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { feeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { mirrorHas } from '@patch/catalogue/testing/mirror-has.ts';
import { type CReader, cReaders } from './c-readers.ts';
import type { ReadSource } from './read-mirror.ts';
import type { ReadOne } from './read-one.ts';
import { gzipped, packagesFile, updateinfoFile, type VendorFile } from './vendor-files.ts';

const run = promisify(execFile);
const tries = 3;
const megabyte = 1_048_576;
const mirror = fileURLToPath(new URL('../../shared/feed-mirror', import.meta.url));

export interface Target {
  readonly words: string;
  readonly met: boolean;
}

/** The seconds are those of the quickest try, the bytes of memory those of the worst. */
export interface Reading extends ReadOne {
  readonly what: string;
  readonly bytes: number;
  readonly targets: readonly Target[];
}

export interface Beside {
  readonly program: CReader;
  readonly file: string;
  /** Null: not installed here. */
  readonly seconds: number | null;
  /** Of ours, on the same file. */
  readonly reader: number;
  readonly records: number;
}

export interface SourceReading extends ReadSource {
  readonly source: SourceKey;
}

export interface FeedReadings {
  readonly readings: readonly Reading[];
  readonly beside: readonly Beside[];
  /** Null where there is no mirror. */
  readonly sources: readonly SourceReading[] | null;
}

type Say = (line: string) => void;

export async function benchReading(cache: string, say: Say): Promise<FeedReadings> {
  const folder = join(cache, 'reading');
  try {
    return { ...(await benchFiles(folder, say)), sources: await benchMirror(say) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchFiles(
  folder: string,
  say: Say,
): Promise<Pick<FeedReadings, 'readings' | 'beside'>> {
  say('Writing the files to be read …');
  const updateinfo = (megabytes: number) =>
    updateinfoFile(join(folder, `updateinfo-${megabytes}.xml`), megabytes * megabyte);
  const small = await updateinfo(10);
  const large = await updateinfo(100);
  const huge = await updateinfo(500);
  const packed = await gzipped(large);
  const index = await packagesFile(join(folder, 'Packages'), 200_000);

  const readings: Reading[] = [];
  const measured = async (
    what: string,
    format: string,
    how: string,
    file: VendorFile,
    targetsOf: (one: Reading) => readonly Target[],
  ) => {
    const done = await several(() => readOne(format, how, file.path));
    const one = {
      what,
      bytes: file.bytes,
      records: file.records,
      seconds: least(done, 'seconds'),
      memory: most(done, 'memory'),
      held: most(done, 'held'),
    };
    if (done.some(({ records }) => records !== file.records))
      throw new Error(`${what}: ${file.records} records were written, others read`);
    const reading = { ...one, targets: targetsOf({ ...one, targets: [] }) };
    readings.push(reading);
    say(
      `${what}: ${one.seconds.toFixed(2)} s, ${(one.memory / megabyte).toFixed(0)} MB above idle`,
    );
    return reading;
  };
  const none = () => [];
  const speed = ({ bytes, seconds }: Reading) => ({
    words: '≥ 20 MB/s',
    met: bytes / megabyte / seconds >= 20,
  });
  const room = ({ memory }: Reading) => ({
    words: '≤ 300 MB above idle',
    met: memory <= 300 * megabyte,
  });
  const stanzas = ({ records, seconds }: Reading) => ({
    words: '≥ 25,000 stanzas/s',
    met: records / seconds >= 25_000,
  });

  const smallRecords = await measured(
    'updateinfo, 10 MB, into records',
    'updateinfo',
    'records',
    small,
    none,
  );
  const smallReader = await measured(
    'updateinfo, 10 MB, the reader alone',
    'updateinfo',
    'reader',
    small,
    none,
  );
  const largeRecords = await measured(
    'updateinfo, 100 MB, into records',
    'updateinfo',
    'records',
    large,
    (one) => [speed(one)],
  );
  const largeReader = await measured(
    'updateinfo, 100 MB, the reader alone',
    'updateinfo',
    'reader',
    large,
    none,
  );
  await measured(
    'updateinfo, 100 MB, packed by gzip, into records',
    'updateinfo',
    'records',
    packed,
    (one) => [speed(one)],
  );
  await measured('updateinfo, 500 MB, into records', 'updateinfo', 'records', huge, (one) => [
    speed(one),
    room(one),
  ]);
  const indexRecords = await measured(
    'Packages, 200,000 stanzas, into records',
    'packages',
    'records',
    index,
    (one) => [stanzas(one)],
  );
  const indexReader = await measured(
    'Packages, 200,000 stanzas, the reader alone',
    'packages',
    'reader',
    index,
    none,
  );

  const beside: Beside[] = [];
  const compared = [
    {
      kind: 'updateinfo',
      name: 'updateinfo, 10 MB',
      file: small,
      reader: smallReader,
      records: smallRecords,
    },
    {
      kind: 'updateinfo',
      name: 'updateinfo, 100 MB',
      file: large,
      reader: largeReader,
      records: largeRecords,
    },
    {
      kind: 'packages',
      name: 'Packages, 200,000 stanzas',
      file: index,
      reader: indexReader,
      records: indexRecords,
    },
  ] as const;
  for (const program of cReaders(folder)) {
    for (const { kind, name, file, reader, records } of compared) {
      if (program.reads !== kind) continue;
      const done =
        program.command === null
          ? null
          : await several(() => timed(program.command?.(file.path) ?? []));
      const seconds = done === null ? null : least(done, 'seconds');
      beside.push({
        program,
        file: name,
        seconds,
        reader: reader.seconds,
        records: records.seconds,
      });
      say(
        `${program.name}, ${name}: ${seconds === null ? 'not installed here' : `${seconds.toFixed(2)} s`}`,
      );
    }
  }
  return { readings, beside };
}

async function benchMirror(say: Say): Promise<readonly SourceReading[] | null> {
  if (!existsSync(mirror)) return null;
  const sources: SourceReading[] = [];
  for (const [source, feed] of Object.entries(feeds) as [SourceKey, Feed][]) {
    if (!(await mirrorHas(mirror, feed))) continue;
    const done = await several(() => ownProcess<ReadSource>('read-mirror.ts', source, mirror));
    const [quickest] = done.toSorted((a, b) => a.opening + a.reading - (b.opening + b.reading));
    if (quickest === undefined) continue;
    sources.push({ source, ...quickest });
    say(
      `${source}: ${quickest.records} records in ${(quickest.opening + quickest.reading).toFixed(2)} s`,
    );
  }
  return sources;
}

async function several<Result>(attempt: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let n = 0; n < tries; n++) results.push(await attempt());
  return results;
}

/** What else the machine does lengthens the others. */
function least<Name extends string>(
  results: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number {
  return Math.min(...results.map((result) => result[name]));
}

/** A bound has to hold each time. */
function most<Name extends string>(
  results: readonly Readonly<Record<Name, number>>[],
  name: Name,
): number {
  return Math.max(...results.map((result) => result[name]));
}

function readOne(format: string, how: string, path: string): Promise<ReadOne> {
  return ownProcess('read-one.ts', format, how, path);
}

async function ownProcess<Result>(
  program: 'read-one.ts' | 'read-mirror.ts',
  ...args: readonly string[]
): Promise<Result> {
  const path = fileURLToPath(new URL(`./${program}`, import.meta.url));
  const { stdout } = await run(process.execPath, ['--expose-gc', path, ...args]);
  return JSON.parse(stdout) as Result;
}

async function timed([program = '', ...args]: readonly string[]): Promise<{
  readonly seconds: number;
}> {
  const began = performance.now();
  await run(program, args);
  return { seconds: (performance.now() - began) / 1000 };
}

/** How fast vendors' documents become records, and in how much memory; beside C programs on the same files in the same run. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { vendorFeeds } from '@patch/catalogue/feeds.ts';
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

interface ReadingPlan {
  readonly what: string;
  readonly format: string;
  readonly how: 'records' | 'reader';
  readonly file: VendorFile;
  readonly targetsOf?: (one: Reading) => readonly Target[];
}

const speed = ({ bytes, seconds }: Reading): Target => ({
  words: '≥ 20 MB/s',
  met: bytes / megabyte / seconds >= 20,
});
const room = ({ memory }: Reading): Target => ({
  words: '≤ 300 MB above idle',
  met: memory <= 300 * megabyte,
});
const stanzas = ({ records, seconds }: Reading): Target => ({
  words: '≥ 25,000 stanzas/s',
  met: records / seconds >= 25_000,
});

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
  const measured = async (plan: ReadingPlan) => {
    const reading = await measureReading(plan, say);
    readings.push(reading);
    return reading;
  };
  const ofSmall = await bothWays(measured, 'updateinfo', 'updateinfo, 10 MB', small);
  const ofLarge = await bothWays(measured, 'updateinfo', 'updateinfo, 100 MB', large, speed);
  const records = { format: 'updateinfo', how: 'records' } as const;
  await measured({
    ...records,
    what: 'updateinfo, 100 MB, packed by gzip, into records',
    file: packed,
    targetsOf: (one) => [speed(one)],
  });
  await measured({
    ...records,
    what: 'updateinfo, 500 MB, into records',
    file: huge,
    targetsOf: (one) => [speed(one), room(one)],
  });
  const ofIndex = await bothWays(measured, 'packages', 'Packages, 200,000 stanzas', index, stanzas);
  return { readings, beside: await benchBeside(folder, [ofSmall, ofLarge, ofIndex], say) };
}

/** Throws when a run reads another number of records than were written. */
async function measureReading(
  { what, format, how, file, targetsOf = () => [] }: ReadingPlan,
  say: Say,
): Promise<Reading> {
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
  say(`${what}: ${one.seconds.toFixed(2)} s, ${(one.memory / megabyte).toFixed(0)} MB above idle`);
  return { ...one, targets: targetsOf({ ...one, targets: [] }) };
}

interface ReadBothWays {
  readonly kind: 'updateinfo' | 'packages';
  readonly name: string;
  readonly file: VendorFile;
  readonly records: Reading;
  readonly reader: Reading;
}

/** Into records, and with the reader alone. */
async function bothWays(
  measured: (plan: ReadingPlan) => Promise<Reading>,
  kind: ReadBothWays['kind'],
  name: string,
  file: VendorFile,
  target?: (one: Reading) => Target,
): Promise<ReadBothWays> {
  const records = await measured({
    what: `${name}, into records`,
    format: kind,
    how: 'records',
    file,
    ...(target !== undefined && { targetsOf: (one) => [target(one)] }),
  });
  const what = `${name}, the reader alone`;
  const reader = await measured({ what, format: kind, how: 'reader', file });
  return { kind, name, file, records, reader };
}

/** The same files, read by the programs in C that are installed here. */
async function benchBeside(
  folder: string,
  compared: readonly ReadBothWays[],
  say: Say,
): Promise<Beside[]> {
  const beside: Beside[] = [];
  for (const program of cReaders(folder)) {
    for (const { name, file, reader, records } of compared.filter(
      ({ kind }) => kind === program.reads,
    )) {
      const { command } = program;
      const done = command === null ? null : await several(() => timed(command(file.path)));
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
  return beside;
}

async function benchMirror(say: Say): Promise<readonly SourceReading[] | null> {
  if (!existsSync(mirror)) return null;
  const sources: SourceReading[] = [];
  for (const [source, feed] of Object.entries(vendorFeeds) as [SourceKey, Feed][]) {
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

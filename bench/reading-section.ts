/** Reading: how fast an updateinfo.xml becomes records and in how much memory, beside libsolv on the same file. */
import { execFile, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { BenchOptions } from './bench-options.ts';
import { count, exact, megabytes, table } from './bench-table.ts';
import { updateinfoText, writeDocument } from './document-files.ts';
import { milliseconds, percentiles } from './measure-calls.ts';
import type { ReadResult } from './read-document.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./read-document.ts', import.meta.url));
const tries = 3;

export async function readingSection(options: BenchOptions): Promise<string> {
  const folder = join(options.cache, 'reading');
  try {
    const { text, records } = updateinfoText(options.megabytes * 1_048_576);
    const [plain, packed] = [join(folder, 'updateinfo.xml'), join(folder, 'updateinfo.xml.gz')];
    await writeDocument(plain, text);
    await writeDocument(packed, gzipSync(text));
    const libsolv = await timeLibsolv(plain, options.say);
    const lines = [await measureFile(plain, records), await measureFile(packed, records)].map(
      ({ seconds, memory, live }, index) => [
        `updateinfo, ${options.megabytes} MB${index === 0 ? '' : ', packed by gzip'}`,
        count(records),
        exact(seconds.p50),
        exact(seconds.p95),
        megabytes(Buffer.byteLength(text) / seconds.p50),
        count(records / seconds.p50),
        megabytes(memory),
        megabytes(live),
        exact(libsolv),
        libsolv === null ? null : exact(seconds.p50 / libsolv),
      ],
    );
    const head = ['records', 'p50, s', 'p95, s', 'MB/s', 'records/s', 'memory, MB', 'live, MB'];
    return [
      `Read ${tries} times in a process of its own, into records: all that a sync does up to the database. Memory is the most of the process above idle, "live" the objects that remain at the end. libsolv parses and makes no records; the ratio is of our seconds to its.`,
      table(['', ...head, 'libsolv, s', 'ratio'], lines),
    ].join('\n\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureFile(path: string, records: number) {
  const results: ReadResult[] = [];
  for (let n = 0; n < tries; n += 1) {
    const { stdout } = await run(process.execPath, ['--expose-gc', program, path]);
    results.push(JSON.parse(stdout) as ReadResult);
  }
  if (results.some((one) => one.records !== records)) throw new Error(`${path}: records differ`);
  return {
    seconds: percentiles(results.map((one) => one.seconds)),
    memory: Math.max(...results.map(({ memory }) => memory)),
    live: Math.max(...results.map(({ live }) => live)),
  };
}

/** Returns the median of the seconds; null where libsolv is not installed. */
async function timeLibsolv(path: string, say: (line: string) => void): Promise<number | null> {
  if (spawnSync('sh', ['-c', 'command -v updateinfoxml2solv']).status !== 0) {
    say("libsolv is not measured: Debian's package libsolv-tools is not installed.");
    return null;
  }
  const times: number[] = [];
  const command = 'updateinfoxml2solv < "$1" > /dev/null';
  for (let n = 0; n < tries; n += 1)
    times.push(await milliseconds(() => run('sh', ['-c', command, 'sh', path])));
  return percentiles(times).p50 / 1000;
}

/** How fast vendors' documents become records, and in how much memory; beside C programs on the same files in the same run. */
import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ReadOne } from './read-one.ts';
import { packagesFile, updateinfoFile } from './vendor-files.ts';

const run = promisify(execFile);
const tries = 3;
const megabyte = 1_048_576;

export interface Reading {
  readonly what: string;
  readonly bytes: number;
  readonly records: number;
  /** Best of three. */
  readonly seconds: number;
  /** Bytes above idle; null where it was not measured. */
  readonly memory: number | null;
  /** What it is held against; null: nothing. */
  readonly target: { readonly words: string; readonly met: boolean } | null;
}

export interface Beside {
  readonly program: string;
  /** Null: not installed here. */
  readonly seconds: number | null;
  readonly install: string;
  /** Our seconds into records by its seconds. */
  readonly ratio: number | null;
  readonly file: string;
}

export interface FeedReadings {
  readonly readings: readonly Reading[];
  readonly beside: readonly Beside[];
}

export async function benchReading(cache: string, say: (line: string) => void): Promise<FeedReadings> {
  const files = { small: `${cache}/updateinfo-100.xml`, large: `${cache}/updateinfo-500.xml`, packages: `${cache}/Packages-200000` };
  say('Writing the files to be read …');
  await updateinfoFile(files.small, 100 * megabyte);
  await updateinfoFile(files.large, 500 * megabyte);
  await packagesFile(files.packages, 200_000);

  const readings: Reading[] = [];
  const measured = async (what: string, format: string, how: string, file: string, target: (one: ReadOne) => Reading['target']) => {
    const one = await best(() => readOne(format, how, file));
    readings.push({ what, bytes: one.bytes, records: one.records, seconds: one.seconds, memory: one.most - one.idle, target: target(one) });
    say(`${what}: ${one.seconds.toFixed(1)} s, ${((one.most - one.idle) / megabyte).toFixed(0)} MB above idle`);
    return one;
  };
  const speed = ({ bytes, seconds }: ReadOne) => ({ words: '≥ 20 MB/s', met: bytes / megabyte / seconds >= 20 });
  const room = ({ idle, most }: ReadOne) => ({ words: '≤ 300 MB above idle', met: most - idle <= 300 * megabyte });
  const stanzas = ({ records, seconds }: ReadOne) => ({ words: '≥ 25,000 stanzas/s', met: records / seconds >= 25_000 });

  const updates = await measured('updateinfo, 100 MB, into records', 'updateinfo', 'records', files.small, speed);
  await measured('updateinfo, 100 MB, the reader alone', 'updateinfo', 'reader', files.small, () => null);
  await measured('updateinfo, 500 MB, into records', 'updateinfo', 'records', files.large, room);
  const index = await measured('Packages, 200,000 stanzas, into records', 'packages', 'records', files.packages, stanzas);
  await measured('Packages, 200,000 stanzas, the reader alone', 'packages', 'reader', files.packages, () => null);

  const beside: Beside[] = [];
  const besides = async (program: string, install: string, file: string, ours: ReadOne, command: readonly string[] | null) => {
    const seconds = command === null ? null : await best(() => timed(command));
    beside.push({
      program,
      install,
      file,
      seconds: seconds?.seconds ?? null,
      ratio: seconds === null ? null : ours.seconds / seconds.seconds,
    });
  };
  await besides(
    'createrepo_c (cr_xml_parse_updateinfo)',
    'gcc, libcreaterepo-c-dev',
    'updateinfo, 100 MB',
    updates,
    createrepoReader(cache, files.small),
  );
  await besides(
    'libsolv (updateinfoxml2solv)',
    'libsolv-tools',
    'updateinfo, 100 MB',
    updates,
    shell('updateinfoxml2solv', `updateinfoxml2solv < '${files.small}' > /dev/null`),
  );
  await besides(
    'dctrl-tools (grep-dctrl)',
    'dctrl-tools',
    'Packages, 200,000 stanzas',
    index,
    shell('grep-dctrl', `grep-dctrl -n -s Package,Version,Architecture,Source -F Architecture amd64 '${files.packages}' > /dev/null`),
  );
  return { readings, beside };
}

async function readOne(format: string, how: string, file: string): Promise<ReadOne> {
  const { stdout } = await run(process.execPath, [fileURLToPath(new URL('./read-one.ts', import.meta.url)), format, how, file]);
  return JSON.parse(stdout) as ReadOne;
}

/** The quickest of some tries: what else the machine did lengthens the others. */
async function best<One extends { readonly seconds: number }>(attempt: () => Promise<One>): Promise<One> {
  let quickest = await attempt();
  for (let n = 1; n < tries; n++) {
    const next = await attempt();
    if (next.seconds < quickest.seconds) quickest = next;
  }
  return quickest;
}

async function timed([program = '', ...args]: readonly string[]): Promise<{ readonly seconds: number }> {
  const began = performance.now();
  await run(program, args, { maxBuffer: 2 ** 30 });
  return { seconds: (performance.now() - began) / 1000 };
}

/** Null where the program is not installed. */
function shell(program: string, line: string): readonly string[] | null {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? ['sh', '-c', line] : null;
}

/** createrepo_c has no command that only reads; its library is asked by a few lines of C. Null where they cannot be built. */
function createrepoReader(cache: string, file: string): readonly string[] | null {
  const flags = spawnSync('pkg-config', ['--cflags', '--libs', 'createrepo_c', 'glib-2.0', 'libxml-2.0'], { encoding: 'utf8' });
  if (flags.status !== 0) return null;
  const program = `${cache}/updateinfo-reader`;
  const source = fileURLToPath(new URL('./updateinfo-reader.c', import.meta.url));
  // Debian's file names no folder after -L, which would then take the library's name for one.
  const options = flags.stdout
    .trim()
    .split(/\s+/)
    .filter((flag) => flag !== '-L');
  const built = spawnSync('gcc', ['-O2', '-o', program, source, ...options]);
  return built.status === 0 ? [program, file] : null;
}

export function readingReport({ readings, beside }: FeedReadings): string[] {
  const rate = ({ bytes, records, seconds }: Reading) =>
    `${(bytes / megabyte / seconds).toFixed(0)} MB/s | ${Math.round(records / seconds).toLocaleString('en')}`;
  return [
    '## Reading vendors’ documents',
    '',
    'Made-up files in the vendors’ formats, read in a process of its own, the best of three. “Into records” is all that a sync does up to the',
    'database: parsing, entries, checks, content hashes, the spool on disk. The C programs read the same files in the same run; they make no',
    'records of them, so that the ratio says what the whole way costs against the parsing alone.',
    '',
    '| | records | s | MB/s | records/s | memory above idle | target |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...readings.map((reading) => {
      const { what, records, seconds, memory, target } = reading;
      const room = memory === null ? '' : `${(memory / megabyte).toFixed(0)} MB`;
      return `| ${what} | ${records.toLocaleString('en')} | ${seconds.toFixed(2)} | ${rate(reading)} | ${room} | ${target === null ? '' : `${target.words} ${target.met ? '✓' : '✗'}`} |`;
    }),
    '',
    '| C program | file | s | ours into records by it |',
    '|---|---|--:|--:|',
    ...beside.map(({ program, file, seconds, ratio, install }) =>
      seconds === null || ratio === null
        ? `| ${program} | ${file} | not installed here (${install}) | |`
        : `| ${program} | ${file} | ${seconds.toFixed(2)} | ${ratio.toFixed(1)} |`,
    ),
    '',
  ];
}

/** The measurements as a page for docs: figures and the machine's facts, no host's name. */
import { cpus, loadavg, totalmem } from 'node:os';
import type { SourceSync } from './first-sync.ts';
import type { HostileResult } from './hostile-searches.ts';
import type { Times } from './measure.ts';
import { syncingTable } from './syncing-table.ts';
import type { SyncingResult } from './while-syncing.ts';

export interface CaseResult {
  readonly name: string;
  readonly target: number | null;
  readonly one: Times;
  /** Null where a call can only be made for the first time once. */
  readonly eight: Times | null;
  readonly bare: Times;
}

export interface DatabaseResult {
  readonly name: string;
  readonly version: string;
  readonly rows: number;
  readonly sizes: readonly (readonly [string, number])[];
  readonly memory: number | null;
  readonly cases: readonly CaseResult[];
  readonly hostile: HostileResult;
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const mb = (bytes: number) => `${Math.round(bytes / 1_048_576)} MB`;

export function report(
  results: readonly DatabaseResult[],
  syncing: SyncingResult | null,
  sources: readonly SourceSync[] | null,
): string {
  return [
    '# Performance',
    '',
    'Written by `npm run bench`: a made-up catalogue in the shape of AlmaLinux errata, searched over HTTP with connections kept alive,',
    'warm, signed in, the whole service as it is started by `npm start`. Milliseconds. "Bare" is the same rows and, where the total is',
    'not kept, the same count, asked of the database without the service in the same run, the median of their sum; the ratio compares medians.',
    '',
    machineFacts(),
    '',
    ...results.flatMap(section),
    ...(syncing === null ? [] : whileSyncing(syncing)),
    ...(sources === null ? [] : firstSyncs(sources)),
  ].join('\n');
}

/** With the day, for what is measured on its own. */
export function machineFacts(): string {
  const [processor] = cpus();
  return `Machine: ${cpus().length} cores (${processor?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`;
}

/** At the moment of the call, which is to be the end of what was measured. */
export function loadAverage(): string {
  const loads = loadavg().map((load) => load.toFixed(1));
  return `Load average of the machine at the end: ${loads.join(', ')}.`;
}

function section({ name, version, rows, sizes, memory, cases }: DatabaseResult): string[] {
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  const lines = cases.map(({ name: asked, target, one, eight, bare }) => {
    const goal = target === null ? '' : `${target} ${one.p95 <= target ? '✓' : '✗'}`;
    return `| ${[asked, ms(one.p50), ms(one.p95), goal, eight === null ? '' : ms(eight.p50), eight === null ? '' : ms(eight.p95), ms(bare.p50), (one.p50 / bare.p50).toFixed(2)].join(' | ')} |`;
  });
  return [
    `## ${name}, ${rows.toLocaleString('en')} rows`,
    '',
    `${version}. On disk ${mb(total)}, of which ${sizes
      .slice(0, 6)
      .map(([relation, bytes]) => `${relation} ${mb(bytes)}`)
      .join(', ')}.${memory === null ? '' : ` The service's memory after the run: ${mb(memory)}.`}`,
    '',
    '| | p50 | p95 | target p95 | 8 clients p50 | p95 | bare p50 | ratio |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
    '',
  ];
}

function whileSyncing(syncing: SyncingResult): string[] {
  const { rowsBefore, records, seconds, megabytes, memoryIdle, memoryMost } = syncing;
  const more =
    memoryIdle === null || memoryMost === null
      ? ''
      : ` At most ${mb(memoryMost - memoryIdle)} of memory more than idle.`;
  return [
    `## While a large feed syncs (embedded, ${rowsBefore.toLocaleString('en')} rows before)`,
    '',
    `A document of ${Math.round(megabytes)} MB with ${records.toLocaleString('en')} new errata is read and written in ${seconds.toFixed(0)} s, from the call to the end of the run,`,
    `while one client asks for the three without pause.${more}`,
    '',
    ...syncingTable(syncing),
    '',
  ];
}

function firstSyncs(sources: readonly SourceSync[]): string[] {
  return [
    '## Syncing the feed mirror (embedded)',
    '',
    "Each source of `../shared/feed-mirror` synced into an empty repository, then once more. Memory is the process's most above idle during the first.",
    '',
    '| source | records | kept out | first sync, s | memory above idle | second sync, s | it says |',
    '|---|--:|--:|--:|--:|--:|---|',
    ...sources.map(
      ({
        source,
        records,
        rejected,
        firstSeconds,
        secondSeconds,
        secondMessage,
        memoryAboveIdle,
      }) => {
        const memory = memoryAboveIdle === null ? '' : mb(memoryAboveIdle);
        return `| ${[source, records.toLocaleString('en'), rejected, firstSeconds.toFixed(1), memory, secondSeconds.toFixed(2), secondMessage].join(' | ')} |`;
      },
    ),
    '',
  ];
}

/** Memory under mixed load as a section of docs/performance.md. */
import { machineFacts } from './bench-report.ts';
import type { BenchRun } from './bench-run.ts';
import { benchMixedLoad, type MixedLoadResult } from './mixed-load.ts';

/** Of a service that keeps nothing it does not need, in bytes a minute. Ends the run as failed when memory grows faster. */
const mostGrowth = 1_048_576;

export async function loadSection(run: BenchRun): Promise<string> {
  const results = await benchMixedLoad(run);
  if (results.some(({ growth }) => (growth ?? 0) >= mostGrowth)) process.exitCode = 1;
  const section = loadReport(results);
  run.say(section);
  return section;
}

const mb = (bytes: number) => (bytes / 1_048_576).toFixed(0);

function loadReport(results: readonly MixedLoadResult[]): string {
  return [
    '## Memory under mixed load',
    '',
    'Four readers who search without a pause, exports, a licensed client that fetches and polls, and a sync of 5,000 records every 20 seconds, of which 250 are new and 250 are gone. Resident memory of the service; growth over the last two thirds of the time, by least squares.',
    '',
    machineFacts(),
    '',
    '| | Minutes | Searches | Exports | Calls of a client | Syncs | MB after a third | MB at the end | Growth, MB a minute |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...results.map(({ database, minutes, calls, syncs, memory, growth }) => {
      const third = memory.find(([at]) => at >= minutes / 3)?.[1] ?? 0;
      const last = memory.at(-1)?.[1] ?? 0;
      return `| ${[
        database,
        minutes,
        ...['searches', 'exports', 'calls of a client'].map((kind) =>
          (calls[kind] ?? 0).toLocaleString('en'),
        ),
        syncs,
        mb(third),
        mb(last),
        growth === null ? 'not told' : (growth / 1_048_576).toFixed(2),
      ].join(' | ')} |`;
    }),
    '',
  ].join('\n');
}

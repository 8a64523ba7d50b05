/** The classes of searches as a section of docs/performance.md. */
import { loadAverage, machineFacts } from './bench-report.ts';
import type { ClassesResult } from './search-classes.ts';

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const mb = (bytes: number | null) =>
  bytes === null ? 'not told' : `${Math.round(bytes / 1_048_576)} MB`;

export function classesReport(results: readonly ClassesResult[]): string {
  return [
    '## Classes of searches',
    '',
    'Texts that are drawn from the data by a seed, 20 to 80 thousand hits of a million where they are common. Milliseconds over HTTP.',
    'Measured after the texts have been read into memory, which the first searches cause.',
    '',
    machineFacts(),
    '',
    ...results.flatMap(({ database, rows, seed, started, idle, after, classes }) => [
      `### ${database}, ${rows.toLocaleString('en')} records, seed ${seed}`,
      '',
      `Started in ${started.toFixed(1)} s; resident memory ${mb(idle)} when idle, ${mb(after)} after these searches.`,
      '',
      '| | p50 | p95 | 8 clients p50 | p95 |',
      '|---|--:|--:|--:|--:|',
      ...classes.map(
        ({ name, one, eight }) =>
          `| ${[name, ms(one.p50), ms(one.p95), ms(eight.p50), ms(eight.p95)].join(' | ')} |`,
      ),
      '',
    ]),
    loadAverage(),
    '',
  ].join('\n');
}

/** The assessments as a section of docs/performance.md. */
import { loadAverage, machineFacts } from './bench-report.ts';
import type { Times } from './measure.ts';

export interface MachinesResult {
  readonly database: string;
  readonly records: number;
  /** Of packages, in all records. */
  readonly entries: number;
  /** On disk, of what is kept to find them, with its indexes. */
  readonly bytesAnEntry: number;
  /** Of the machine. */
  readonly packages: number;
  /** Records that the answer shows. */
  readonly missing: number;
  /** Milliseconds. */
  readonly first: number;
  readonly warm: Times;
}

const count = (value: number) => value.toLocaleString('en');

export function machinesReport(results: readonly MachinesResult[]): string {
  return [
    '## What one machine misses',
    '',
    'One inventory, asked over HTTP of a service that was just started, and again when it had settled. A made-up catalogue of errata for',
    '20 releases, without the indexes of words, which no assessment reads. Targets for 1,000,000 records with 10,000,000 package entries: 250 ms for the first call, 50 ms for the others.',
    '',
    machineFacts(),
    '',
    '| | records | package entries | bytes an entry | packages of the machine | missing records | first call ms | p50 ms | p95 ms |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...results.map(
      ({ database, records, entries, bytesAnEntry, packages, missing, first, warm }) =>
        `| ${[database, count(records), count(entries), bytesAnEntry.toFixed(0), count(packages), missing, first.toFixed(0), warm.p50.toFixed(0), warm.p95.toFixed(0)].join(' | ')} |`,
    ),
    '',
    loadAverage(),
    '',
  ].join('\n');
}

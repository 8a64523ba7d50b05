/** The comparison of random searches as a section of docs/performance.md. */
import { machineFacts } from './bench-report.ts';
import type { BenchRun } from './bench-run.ts';
import { benchExactness, type ExactnessResult } from './exactness.ts';

/** Ends the run as failed when answers differ. */
export async function exactnessSection(run: BenchRun): Promise<string> {
  const results = await benchExactness(run);
  if (results.some(({ differing }) => differing.length > 0)) process.exitCode = 1;
  const section = exactnessReport(results);
  run.say(section);
  return section;
}

function exactnessReport(results: readonly ExactnessResult[]): string {
  return [
    '## Exactness',
    '',
    'Random searches of all operators, keywords, orders and places, answered as the service answers them and by the database alone at the same revision, while another connection adds, changes, withdraws and lists again 40 records at a time.',
    '',
    machineFacts(),
    '',
    '| | Records | Seed | Compared | Answered from memory | Found something | Writes meanwhile | Overtaken | Differing |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...results.map(
      ({ database, rows, seed, compared, held, found, writes, overtaken, differing }) =>
        `| ${[
          database,
          ...[rows, seed, compared, held, found, writes, overtaken, differing.length].map((count) =>
            count.toLocaleString('en'),
          ),
        ].join(' | ')} |`,
    ),
    '',
    '*Overtaken*: a write came between the two answers each of eight times; such a search is not compared.',
    ...results.flatMap(({ differing }) => differing),
    '',
  ].join('\n');
}

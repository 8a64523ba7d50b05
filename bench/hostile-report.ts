/** The measurements beside hostile searches as a section for docs/performance.md. */
import { loadAverage, machineFacts } from './bench-report.ts';
import { type HostileResult, promised } from './hostile-searches.ts';
import type { Times } from './measure.ts';

export function hostileReport(results: readonly HostileResult[]): string {
  return [
    '## Beside hostile searches',
    '',
    'One user keeps 64 of the worst searches under way, each different and on a connection of its own, half of them abandoned after 40 ms. Meanwhile',
    'another user asks for the first page of the same list, and the health call is made, without pause. Milliseconds.',
    '',
    machineFacts(),
    '',
    '| | p50 | promised p50 | p95 | longest | calls | p50 before |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...results.flatMap(({ database, rows, firstPage, health, calmFirstPage, calmHealth }) => [
      line(
        `${database}, ${rows.toLocaleString('en')} rows: first page`,
        firstPage,
        promised.firstPage,
        calmFirstPage,
      ),
      line(`${database}: GET /api/health`, health, promised.health, calmHealth),
    ]),
    '',
    ...results.map(
      ({ database, endings }) => `${database}: the hostile searches ended ${said(endings)}.`,
    ),
    '',
    loadAverage(),
    '',
  ].join('\n');
}

function line(name: string, { p50, p95, most, calls }: Times, most50: number, calm: Times): string {
  const cells = [
    name,
    p50.toFixed(1),
    `${most50} ${p50 <= most50 ? '✓' : '✗'}`,
    p95.toFixed(0),
    most.toFixed(0),
    calls,
    calm.p50.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

const said = (endings: ReadonlyMap<string, number>) =>
  [...endings]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([ending, count]) => `${ending}: ${count.toLocaleString('en')}`)
    .join(', ');

/** The measurements of searches by risk as a section for docs/performance.md. */
import { loadAverage, machineFacts } from './bench-report.ts';
import type { Times } from './measure.ts';
import type { RiskMeasures } from './risk-search.ts';

/** What a risk run wrote: rows by table, and the bytes of the database's log. */
export interface RiskWrites {
  readonly rows: Readonly<Record<string, number>>;
  readonly megabytes: number;
  /** Revisions of vendors' lists that were raised: what licensed clients are told. */
  readonly listsChanged: number;
}

export interface RiskResult extends RiskMeasures {
  readonly database: string;
  readonly records: number;
  readonly writes: RiskWrites;
}

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const goal = (value: number, most: number | null) =>
  most === null ? '' : `${most} ${value <= most ? '✓' : '✗'}`;

export function riskReport(results: readonly RiskResult[]): string {
  return [
    '## All vendors by risk',
    '',
    'Made-up errata of six vendors, 330,000 CVEs with a CVSS and an EPSS score, 1,600 of them known exploited. Milliseconds over HTTP, one client.',
    'Of the lists’ own tables only the index of the default order is there; the index of records has all of its indexes.',
    '',
    machineFacts(),
    '',
    ...results.flatMap(sectionOf),
    loadAverage(),
    '',
  ].join('\n');
}

function sectionOf({
  database,
  records,
  cases,
  runs,
  kevSearchable,
  writes,
}: RiskResult): string[] {
  const { rows, megabytes, listsChanged } = writes;
  return [
    `### ${database}, ${records.toLocaleString('en')} records`,
    '',
    '| | p50 | p95 | target p95 | calls |',
    '|---|--:|--:|--:|--:|',
    ...cases.map(
      ({ name, target, times }) =>
        `| ${[name, ms(times.p50), ms(times.p95), goal(times.p95, target), times.calls].join(' | ')} |`,
    ),
    '',
    '| run | seconds | target | changed | first page meanwhile p50 | p99 | target p99 | longest | calls |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...runs.map(({ name, seconds, changed, firstPage }) => {
      const most = name.startsWith('EPSS') ? 60 : null;
      return `| ${[name, seconds.toFixed(1), goal(seconds, most), changed.toLocaleString('en'), ...pageCells(firstPage)].join(' | ')} |`;
    }),
    '',
    `After the last run its entry is found by a search in ${ms(kevSearchable)} ms. All runs together wrote ${Object.entries(
      rows,
    )
      .map(([table, count]) => `${count.toLocaleString('en')} rows of ${table}`)
      .join(
        ', ',
      )} (last versions) and ${megabytes.toFixed(0)} MB of the database's log; ${listsChanged} revisions of vendors' lists were raised.`,
    '',
  ];
}

const pageCells = ({ p50, p99, most, calls }: Times) => [
  ms(p50),
  ms(p99),
  goal(p99, 100),
  ms(most),
  calls,
];

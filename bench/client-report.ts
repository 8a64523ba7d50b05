/** The measurements of the clients' protocol as a section for docs/performance.md. */
import { machineFacts } from './bench-report.ts';
import type { ClientProtocolResult, FetchedList } from './client-protocol.ts';
import type { Times } from './measure.ts';

const mb = (bytes: number) => (bytes / 1_048_576).toFixed(bytes < 100 * 1_048_576 ? 1 : 0);
const whole = (value: number) => Math.round(value).toLocaleString('en');

export function clientReport(results: readonly ClientProtocolResult[]): string {
  return [
    '## What licensed clients fetch',
    '',
    'A list of made-up errata with their details, fetched from its beginning by a client that asks for pages of 10,000, over HTTP with a connection kept',
    'alive, each page unpacked and parsed. “Plain select” is the same rows in the same order and in pages as large, asked of the database without the',
    'service in the same run; the ratio is of the seconds. The quickest of three. “Memory” is the most of the service above idle meanwhile.',
    '',
    machineFacts(),
    '',
    '| | rows | pages | s | rows/s | JSON, MB | sent, MB | ratio |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...results.flatMap(({ database, select, fetched }) =>
      [select, ...fetched].map((one) => fetchedRow(database, one, select)),
    ),
    '',
    '| | nothing new (304), p50 ms | p95 | heartbeat, p50 ms | p95 | memory |',
    '|---|--:|--:|--:|--:|--:|',
    ...results.map(({ database, nothingNew, heartbeat, memory }) =>
      row(
        database,
        ...timesOf(nothingNew),
        ...timesOf(heartbeat),
        memory === null ? '' : `${mb(memory)} MB`,
      ),
    ),
    '',
    ...unchangedTable(results),
    '',
  ].join('\n');
}

/** With nginx where it is installed. */
function unchangedTable(results: readonly ClientProtocolResult[]): readonly string[] {
  const compared = results.some(({ nginxUnchanged }) => nginxUnchanged !== null);
  const peer = compared ? ['nginx, 1 kB, one worker', 'ratio'] : [];
  return [
    row('nothing new (304), 16 connections', 'a second', ...peer),
    `|---|--:|${'--:|'.repeat(peer.length)}`,
    ...results.map(({ database, unchanged, nginxUnchanged }) =>
      row(
        database,
        whole(unchanged),
        ...(nginxUnchanged === null
          ? []
          : [whole(nginxUnchanged), (unchanged / nginxUnchanged).toFixed(2)]),
      ),
    ),
  ];
}

function fetchedRow(
  database: string,
  { what, rows, pages, seconds, bytes, bytesOnWire }: FetchedList,
  select: FetchedList,
): string {
  const sizes = [bytes, bytesOnWire].map((size) => (size === null ? '' : mb(size)));
  const ratio = (seconds / select.seconds).toFixed(2);
  return row(
    `${database}, ${what}`,
    whole(rows),
    whole(pages),
    seconds.toFixed(2),
    whole(rows / seconds),
    ...sizes,
    ratio,
  );
}

const timesOf = ({ p50, p95 }: Times) => [p50.toFixed(1), p95.toFixed(1)];
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/** The classes of searches as a section of docs/performance.md. */
import type { ClassesResult, ClassResult } from './bench-classes.ts';
import { loadAverage, machineFacts } from './bench-report.ts';
import { syncingTable } from './syncing-table.ts';

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const mb = (bytes: number | null) =>
  bytes === null ? 'not told' : `${Math.round(bytes / 1_048_576)} MB`;
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

export function classesReport(results: readonly ClassesResult[]): string {
  return [
    '## Classes of searches',
    '',
    'Texts that are drawn from the data by a seed, 20 to 80 thousand hits of a million where they are common. Milliseconds over HTTP.',
    'Measured after the texts have been read into memory, which the first searches cause.',
    ...(results.some(({ classes }) => classes.some(({ directus }) => directus !== null))
      ? [
          'Directus holds the same rows and is asked for the same searches in turn; the ratio is its median time over that of the product.',
        ]
      : []),
    '',
    machineFacts(),
    '',
    ...results.flatMap(ofDatabase),
    loadAverage(),
    '',
  ].join('\n');
}

function ofDatabase(result: ClassesResult): readonly string[] {
  const { database, rows, seed, started, idle, after, classes, firstPages, syncing } = result;
  const compared = classes.some(({ directus }) => directus !== null);
  const peer = ['Directus', 'ratio', '8 clients Directus', 'ratio'];
  const head = ['', 'p50', 'p95', '8 clients p50', 'p95', ...(compared ? peer : [])];
  const { clients, pages, perSecond, cpu } = firstPages;
  return [
    `### ${database}, ${rows.toLocaleString('en')} records, seed ${seed}`,
    '',
    `Started in ${started.toFixed(1)} s; memory (PSS) ${mb(idle)} when idle, ${mb(after)} after these searches in the same process.`,
    `${pages} different first pages, drawn by Zipf's law, by ${clients} clients: ${Math.round(perSecond).toLocaleString('en')} requests a second.` +
      (cpu === null
        ? ''
        : ` One first page takes ${cpu.toFixed(2)} ms of the process's processor time.`),
    '',
    row(head),
    `|---|${'--:|'.repeat(head.length - 1)}`,
    ...classes.map(ofClass),
    '',
    `While a sync adds ${syncing.records.toLocaleString('en')} records to that list, in ${syncing.seconds.toFixed(0)} s:`,
    '',
    ...syncingTable(syncing),
    '',
  ];
}

function ofClass({ name, one, eight, directus }: ClassResult): string {
  const beside =
    directus === null
      ? []
      : [
          ms(directus.one.p50),
          `${ms(directus.one.p50 / one.p50)}×`,
          ms(directus.eight.p50),
          `${ms(directus.eight.p50 / eight.p50)}×`,
        ];
  return row([name, ms(one.p50), ms(one.p95), ms(eight.p50), ms(eight.p95), ...beside]);
}

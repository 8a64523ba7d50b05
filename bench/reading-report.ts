/** The measurements of the reading as a section for docs/performance.md. */
import { machineFacts } from './bench-report.ts';
import type { Beside, FeedReadings, Reading, SourceReading } from './read-feeds.ts';

const mb = (bytes: number) => (bytes / 1_048_576).toFixed(0);
const whole = (value: number) => Math.round(value).toLocaleString('en');

export function readingReport({ readings, beside, sources }: FeedReadings): string {
  return [
    '## Reading vendors’ documents',
    '',
    'Made-up files in the vendors’ formats, each read three times in a process of its own: the seconds are those of the quickest try, the memory that of',
    'the worst. “Into records” is all that a sync does up to the database: decompression, parsing, entries, checks, content hashes, the spool on disk.',
    'MB are of the text as its reader sees it. Memory is the most that the system counted above idle; “held” are the live objects once all is read.',
    '',
    machineFacts(),
    '',
    '| | records | s | MB/s | records/s | memory above idle | held | target |',
    '|---|--:|--:|--:|--:|--:|--:|---|',
    ...readings.map(readingRow),
    '',
    'Programs in C on the same files in the same run. They parse and make no records: the reader alone is what does the same as they. Their time has',
    'the start of their process in it, ours has not that of Node. createrepo_c walks its whole list of updates each time it adds one, so that large',
    'files take it longer than their size says.',
    '',
    '| C program | file | s | our reader, s | ratio | into records, s | ratio |',
    '|---|---|--:|--:|--:|--:|--:|',
    ...beside.map(besideRow),
    '',
    ...(sources === null ? [] : mirrorTable(sources)),
  ].join('\n');
}

function readingRow({ what, bytes, records, seconds, memory, held, targets }: Reading): string {
  const goals = targets.map(({ words, met }) => `${words} ${met ? '✓' : '✗'}`).join(', ');
  return row(
    what,
    whole(records),
    seconds.toFixed(2),
    mb(bytes / seconds),
    whole(records / seconds),
    `${mb(memory)} MB`,
    `${mb(held)} MB`,
    goals,
  );
}

function besideRow({ program: { name, install }, file, seconds, reader, records }: Beside): string {
  const ratio = (ours: number) => (seconds === null ? '' : (ours / seconds).toFixed(1));
  const theirs = seconds === null ? `not installed here (${install})` : seconds.toFixed(2);
  return row(
    name,
    file,
    theirs,
    reader.toFixed(2),
    ratio(reader),
    records.toFixed(2),
    ratio(records),
  );
}

function mirrorTable(sources: readonly SourceReading[]): string[] {
  return [
    'Each source of `../shared/feed-mirror`, its documents fetched from the folder and read into records, without the database; in a process of its own,',
    'the quickest of three tries. Opening is finding, copying and verifying the documents. The less there is to read, the more of the time is that of',
    'code that runs for the first time.',
    '',
    '| source | documents | MB | records | opening, s | reading, s | MB/s | records/s |',
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...sources.map(({ source, documents, bytes, records, opening, reading }) => {
      const seconds = opening + reading;
      const size = (bytes / 1_048_576).toFixed(1);
      return row(
        source,
        whole(documents),
        size,
        whole(records),
        opening.toFixed(2),
        reading.toFixed(2),
        mb(bytes / seconds),
        whole(records / seconds),
      );
    }),
    '',
  ];
}

function row(...cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

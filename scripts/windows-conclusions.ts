/** The document of what is concluded about Windows KBs: dates, replacements that run backwards, and the KB to install of each product. */
import type { Entry } from '@patch/catalogue/definition/feed.ts';

interface StatedDate {
  readonly releaseDate: number;
  readonly source: string;
  readonly count: number;
  readonly use: string;
}

interface Contradiction {
  readonly statement: string;
  readonly source: string;
  readonly against: string;
  readonly againstSource: string;
}

/** `entries`: all of the KB list. `remarks`: what their reading remarked on. */
export function windowsConclusions(entries: readonly Entry[], remarks: readonly string[]): string {
  const sections = [
    '# Conclusions about Windows KBs',
    'From the 36 documents of the security update guide and the offline scan file of the feed mirror. Written by `npx vitest run scripts/windows-conclusions.test.ts -u`.',
    '## The KB to install',
    'For each product of Windows: of its cumulative updates or monthly rollups the one with the highest fixed build; where no document states a build, the last of the rollups. Without either it is not known. No preview and no hotpatch is among them. An answer is as good as the documents that were read: nothing is known of later ones.',
    productTable(entries),
    '## Release dates',
    ...dateSections(entries),
    '## Replacements that run backwards in time',
    'As the records list them.',
    contradictionTable(entries),
    '## Remarks of the run',
    list(remarks),
  ];
  return `${sections.join('\n\n')}\n`;
}

function productTable(entries: readonly Entry[]): string {
  const ofWindows = entries.filter(({ row }) =>
    /^Windows (?:\d|RT|Server|Vista)/.test(textOf(row['productName'])),
  );
  const rows = [...Map.groupBy(ofWindows, ({ row }) => textOf(row['productName']))].toSorted(
    ([a], [b]) => a.localeCompare(b, 'en', { numeric: true }),
  );
  return table(
    ['product', 'KB to install', 'of', 'line', 'fixed build', 'evidence', 'KBs'],
    rows.map(([product, ofProduct]) => {
      const answer = answerOf(ofProduct);
      if (answer === undefined)
        return [
          product,
          'not known',
          '',
          '',
          '',
          'No document states a fixed build of the product, nor a rollup.',
          String(ofProduct.length),
        ];
      const { row, detail } = answer;
      const builds = (detail['fixedBuild'] as string[]).filter(
        (build) => detail['branch'] !== null && build.startsWith(textOf(detail['branch'])),
      );
      return [
        product,
        textOf(row['kbId']),
        day(row['releaseDate']),
        textOf(detail['line']),
        builds.join(', '),
        textOf(detail['installEvidence']),
        String(ofProduct.length),
      ];
    }),
  );
}

/** The newest of those that the product's own line ends with. */
function answerOf(ofProduct: readonly Entry[]): Entry | undefined {
  const newest = textOf(ofProduct[0]?.detail['newestCumulativeKb']);
  const ends = ofProduct.filter(({ row, detail }) => detail['kbIdToBeInstalled'] === row['kbId']);
  const inLine = ends.filter(({ detail }) =>
    ['Cumulative update', 'Monthly rollup'].includes(textOf(detail['line'])),
  );
  const byDate = inLine.toSorted(
    (a, b) => Number(b.row['releaseDate']) - Number(a.row['releaseDate']),
  );
  return byDate.find(({ row }) => row['kbId'] === newest) ?? byDate[0];
}

function dateSections(entries: readonly Entry[]): string[] {
  const kbs = [...new Map(entries.map((entry) => [textOf(entry.row['kbId']), entry])).values()];
  const reasons = new Map<string, number>();
  const changed: string[][] = [];
  for (const { row, detail } of kbs) {
    const stated = detail['releaseDates'] as readonly StatedDate[];
    const inGuide = stated.filter(({ source }) => source.startsWith('security update guide'));
    const earliest = Math.min(...inGuide.map(({ releaseDate }) => releaseDate));
    const reason = reasonOf(stated);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    if (day(earliest) !== day(row['releaseDate']))
      changed.push([
        textOf(row['kbId']),
        day(earliest),
        day(row['releaseDate']),
        textOf(detail['releaseDateSource']),
      ]);
  }
  return [
    `${kbs.length.toLocaleString('en')} KBs:`,
    table(
      ['dated by', 'KBs'],
      [...reasons]
        .toSorted(([, a], [, b]) => b - a)
        .map(([reason, count]) => [reason, count.toLocaleString('en')]),
    ),
    `${changed.length} of them have another date than the earliest document that names them (decision 006):`,
    table(
      ['KB', 'earliest document', 'date', 'stated by'],
      changed.toSorted(([a = ''], [b = '']) => a.localeCompare(b, 'en', { numeric: true })),
    ),
  ];
}

function reasonOf(stated: readonly StatedDate[]): string {
  const taken = stated.find(({ use }) => use === 'Taken');
  if (taken === undefined) return 'nothing: no document states a date';
  if (!taken.source.startsWith('security update guide')) return 'the offline scan file';
  const inScan = stated.some(({ source }) => source === 'offline scan file');
  if (inScan) return 'the guide, as the scan file dates the KB before one that it replaces';
  const documents = stated.length;
  if (documents === 1) return 'the one document of the guide that names it';
  const passedOver = stated.some(
    ({ use, count }) => use === 'Passed over' && count === taken.count,
  );
  if (passedOver)
    return 'the guide: of documents with as many fixes the one that is not before a KB that it replaces';
  return 'the document of the guide with most of its fixes, of several';
}

function contradictionTable(entries: readonly Entry[]): string {
  const rows = new Map<string, { readonly of: Contradiction; products: Set<string> }>();
  for (const { row, detail } of entries) {
    for (const of of detail['contradictions'] as readonly Contradiction[]) {
      const known = rows.get(of.statement + of.against) ?? { of, products: new Set<string>() };
      known.products.add(textOf(row['productName']));
      rows.set(of.statement + of.against, known);
    }
  }
  const sorted = [...rows.values()].toSorted((a, b) =>
    a.of.statement.localeCompare(b.of.statement, 'en'),
  );
  return table(
    ['stated', 'by', 'contradicted by', 'which is stated by', 'products'],
    sorted.map(({ of, products }) => [
      of.statement,
      of.source,
      of.against,
      of.againstSource,
      String(products.size),
    ]),
  );
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

const list = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const day = (date: unknown) =>
  typeof date === 'number' ? new Date(date).toISOString().slice(0, 10) : '';

/** Writes a month as a change request in Markdown, and its updates as CSV. Vendors' words are escaped in both. */
import type { CatalogueList, ListKey } from '@patch/catalogue/lists.ts';
import { getList } from '@patch/catalogue/lists.ts';
import type { CalendarMonth } from '@patch/contract/dates/calendar-month.ts';
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import {
  feedWords,
  type Month,
  type MonthOfSource,
  type MonthUpdate,
} from '@patch/contract/reports/month-endpoints.ts';
import {
  describeSeverity,
  listMarks,
  nameProducts,
  readUpdateWords,
} from '@patch/contract/reports/update-words.ts';
import { csvLines } from '../../platform/file-export/csv-lines.ts';
import { listPath } from '../alerts/alert-mail.ts';

export interface MonthFile {
  readonly calendar: CalendarMonth;
  readonly month: Month;
  readonly sources: AsyncIterable<MonthOfSource>;
  /** Address of the console. */
  readonly base: string;
}

/** Characters with which a vendor's text could become a link, an image, HTML, a table or a heading. Control characters are spaces. */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\\`*_{}[\]()<>#+!|~&]/g, (character) =>
      character === '<'
        ? '&lt;'
        : character === '>'
          ? '&gt;'
          : character === '&'
            ? '&amp;'
            : `\\${character}`,
    )
    // Readers make links of bare addresses.
    .replaceAll('://', ':\u200B//')
    .replaceAll(/www\./gi, (start) => `${start.slice(0, 3)}\u200B.`)
    .trim();

const isoDay = (time: unknown): string =>
  typeof time === 'number' ? new Date(time).toISOString().slice(0, 10) : '';

function figureAddress(base: string, { list: key, criteria }: Figure): string {
  const list = getList(key as ListKey) as CatalogueList;
  const text = encodeURIComponent(writeCriteria(list, criteria)).replaceAll(
    /[()']/g,
    (one) => `%${one.charCodeAt(0).toString(16)}`,
  );
  return `${base}${listPath(list)}?criteria=${text}&view=all`;
}

const recordAddress = (base: string, { list, recordId }: MonthUpdate['row']): string =>
  `${base}${listPath(getList(list as ListKey))}/record/${String(recordId)}`;

const figureLink = (base: string, figure: Figure): string =>
  `[${figure.updateCount}](${figureAddress(base, figure)})`;

export async function* markdownOfMonth({
  calendar,
  month,
  sources,
  base,
}: MonthFile): AsyncGenerator<string> {
  const link = (figure: Figure) => figureLink(base, figure);
  const { own } = month;
  yield `# Updates of ${calendar.label}\n\nAs of ${utcMinute(month.countedAt)}. `;
  yield own === null || own.names.length === 0
    ? `All products${own === null ? '' : ': none of your own is known'}.\n\n`
    : `Products (${own.from === 'machines' ? 'of the reported machines' : 'chosen'}): ${own.names.map(escapeMarkdown).join('; ')}. The month has ${link(month.everything)} updates of all products; ${link(month.withoutProduct)} name no product and are left out.\n\n`;
  if (own !== null && own.unmatched.length > 0)
    yield `Without a record in the catalogue: ${own.unmatched.map(escapeMarkdown).join('; ')}.\n\n`;
  yield `- Updates: ${link(month.figure)}\n- Known exploited: ${link(month.exploited)}\n- Publicly known before the fix, says Microsoft (KBs): ${link(month.publiclyKnown)}\n- Critical: ${link(month.critical)}\n- Superseded by now: ${link(month.superseded)}\n- Withdrawn by the vendor: ${month.withdrawn.totalCount}\n`;
  for (const { label, figure } of month.days) yield `- Microsoft ${label}: ${link(figure)}\n`;
  yield* missingFeeds(month);
  yield* changes(month);
  for await (const source of sources) yield* sourceSection(source, base);
}

function* missingFeeds({ feeds }: Month): Generator<string> {
  const missing = feeds.filter(({ state }) => state !== 'read');
  yield '\n## What the sources may not have read yet\n\n';
  if (missing.length === 0) yield 'Every source was synced since the release.\n';
  for (const { label, state, lastSuccessAt } of missing)
    yield `- ${escapeMarkdown(label)}: ${feedWords[state]}; last success ${lastSuccessAt === null ? 'never' : utcMinute(lastSuccessAt)}\n`;
}

function* changes({ withdrawn, difference }: Month): Generator<string> {
  const parts = [
    { title: 'Withdrawn by the vendor', found: withdrawn },
    ...(difference === null
      ? []
      : [
          {
            title: `Changed since ${utcMinute(difference.since)}`,
            found: difference.changed,
          },
        ]),
  ];
  for (const { title, found } of parts) {
    if (found.totalCount === 0) continue;
    yield `\n## ${title} (${found.totalCount})\n\n`;
    for (const { name, title: words, time, fields } of found.records)
      yield `- ${escapeMarkdown(name)} ${escapeMarkdown(words ?? '')}, ${isoDay(time)}${fields.length === 0 ? '' : `: ${fields.map(escapeMarkdown).join(', ')}`}\n`;
    const further = found.totalCount - found.records.length;
    if (further > 0) yield `- and ${further} more\n`;
  }
}

function* sourceSection(source: MonthOfSource, base: string): Generator<string> {
  const byId = new Map(source.updates.map((update) => [update.row.id, update]));
  yield `\n## ${escapeMarkdown(source.label)}: ${figureLink(base, source.figure)}\n`;
  for (const { names, figure, updates } of source.products) {
    yield `\n### ${nameProducts(names.map(escapeMarkdown))}: ${figureLink(base, figure)}\n\n`;
    yield '| Update | Severity | Fix | Size | Restart | Supersedes | Known issues |\n|---|---|---|---|---|---|---|\n';
    for (const id of updates) {
      const update = byId.get(id);
      if (update !== undefined) yield `| ${markdownCells(update, base).join(' | ')} |\n`;
    }
  }
  const further = source.figure.totalCount - source.updates.length;
  if (further > 0)
    yield `\n${further} more updates are in [the list](${figureAddress(base, source.figure)}).\n`;
}

function markdownCells(update: MonthUpdate, base: string): readonly string[] {
  const { row, fix, builds, size, restart, supersedes, knownIssues } = update;
  const words = readUpdateWords(row);
  const title = words.title === null ? '' : ` ${escapeMarkdown(words.title)}`;
  const marks = listMarks(update).map(({ text, tone }) =>
    tone === 'danger' ? `**${text}**` : escapeMarkdown(text),
  );
  return [
    `[${escapeMarkdown(words.name)}](${recordAddress(base, row)})${title}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`,
    describeSeverity(words),
    escapeMarkdown(builds.join(', ') || (fix ?? 'not stated')),
    size === null ? 'not stated' : `${(size / 1_048_576).toFixed(1)} MiB`,
    escapeMarkdown(restart ?? 'not stated'),
    escapeMarkdown(supersedes.join(', ') || 'not stated'),
    knownIssues === null ? 'none stated' : String(knownIssues),
  ];
}

const csvHeader = [
  'Source',
  'Update',
  'Title',
  'Products',
  'Stated severity',
  'Severity or CVSS',
  'Known exploited',
  'Publicly known',
  'Superseded',
  'Install instead',
  'Build or package',
  'Size in bytes',
  'Restart',
  'Supersedes',
  'Known issues',
  'CVEs',
  'Release date',
  'Changed',
  'Record',
];

const yesNo = (value: unknown) => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : '');
const joined = (value: unknown) => (Array.isArray(value) ? value.join('; ') : '');

/** One line for each update. What a source has beyond its limit is named in a last line with the address of its list. */
export async function* csvOfMonth({
  sources,
  base,
}: Pick<MonthFile, 'sources' | 'base'>): AsyncGenerator<string> {
  yield `\uFEFF${csvLines([csvHeader])}`;
  for await (const { label, figure, updates } of sources) {
    yield csvLines(updates.map((update) => csvCells(label, update, base)));
    const further = figure.totalCount - updates.length;
    if (further > 0)
      yield csvLines([[label, `${further} more updates`, '', figureAddress(base, figure)]]);
  }
}

function csvCells(label: string, update: MonthUpdate, base: string): readonly unknown[] {
  const { row } = update;
  return [
    label,
    readUpdateWords(row).name,
    row['title'] ?? '',
    joined(row['release']),
    row['severity'] ?? '',
    row['ratedSeverity'] ?? '',
    yesNo(row['exploited']),
    yesNo(update.publiclyKnown),
    yesNo(row['superseded']),
    update.install ?? '',
    joined(update.builds) || (update.fix ?? ''),
    update.size ?? '',
    update.restart ?? '',
    joined(update.supersedes),
    update.knownIssues ?? '',
    joined(row['cve']),
    isoDay(row['releaseDate']),
    new Date(update.changedTime).toISOString(),
    recordAddress(base, row),
  ];
}

/** Records of the feed mirror from an independent reading, with patterns and JSON.parse only, to compare the feeds with. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Entry, Part, Publication } from '../../definition/feed.ts';
import { feedMirror } from '../describe-with-mirror.ts';
import { publicationFrom } from '../publication-from.ts';

type Values = Readonly<Record<string, unknown>>;

/** Lists are compared as sets, because a document may repeat a word, and each vendor has its own order. */
export interface MirrorRecord {
  readonly key: string;
  readonly row: Values;
  readonly detail?: Values;
  /** A word for each row of the detail's tables: 'packages', 'packages of Scoop'. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
}

type FormatRow = (row: Readonly<Record<string, string>>) => string;

export interface MirrorSubject {
  readonly part: Part;
  readonly records: () => readonly MirrorRecord[] | Promise<readonly MirrorRecord[]>;
  /** Number of records in the documents, counted once by hand. */
  readonly count: number;
  /** Formats rows of tables like the records do. */
  readonly words?: Readonly<Record<string, FormatRow>>;
  /** Expected remarks and rejections, or their number. */
  readonly says?: readonly string[] | number;
  /** Package and CVE of vulnerabilities without a fix. */
  readonly unfixed?: () => readonly string[];
  /** Restricts the documents that are read to those addresses. */
  readonly documents?: RegExp;
  /** True when the tables of the entries may have more rows. */
  readonly tablesHaveMore?: true;
  readonly publication?: () => Promise<Publication>;
  /** True for subjects that `npm test` reads. */
  readonly isShort?: true;
}

export const mirrorPath = fileURLToPath(feedMirror);
export const mirrorFile = (path: string) => readFileSync(mirrorPath + path);
export const mirrorText = (path: string) => mirrorFile(path).toString();
export const mirrorJson = (path: string): unknown => JSON.parse(mirrorText(path));

/** Unpacks with a tool of the machine, or else with the product, which decompress.test.ts verifies. */
export async function mirrorUnpacked(path: string): Promise<string> {
  try {
    return execFileSync('bzip2', ['-dc', mirrorPath + path], { maxBuffer: 1e9 }).toString();
  } catch {
    return (await publicationFrom(feedMirror).open(`https://${path}`)).text();
  }
}

/** Returns the first group of every match. */
export const everyMatch = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

export const withoutEntities = (text: string | undefined) =>
  text
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll(/&#x([\dA-F]+);/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&');

const fileName: FormatRow = ({ name, version, architecture }) =>
  `${name}-${version?.replace(/^\d+:/, '')}.${architecture}.rpm`;

const sortedWords = (words: readonly unknown[]) => [...new Set(words.map(String))].toSorted();

const sorted = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? sortedWords(value) : value,
    ]),
  );

export const inOrder = ({ key, row, detail = {}, tables = {} }: MirrorRecord): MirrorRecord => ({
  key,
  row: sorted(row),
  detail: sorted(detail),
  tables: sorted(tables) as Readonly<Record<string, readonly string[]>>,
});

/** Converts the entry to the form of the record for comparison; values that the record omits are ignored. */
export function toRecordForm(
  { row, detail = {}, tables = {} }: MirrorRecord,
  entry: Entry,
  { words = {}, tablesHaveMore }: Pick<MirrorSubject, 'words' | 'tablesHaveMore'>,
): MirrorRecord {
  const formats: Readonly<Record<string, FormatRow>> = {
    packages: fileName,
    references: ({ address = '' }) => address,
    ...words,
  };
  const formatRows = (table: string, stated: readonly string[]) => {
    const rows = entry.detail[table.split(' ')[0] ?? ''] as Readonly<Record<string, string>>[];
    const shown = rows.map((of) => formats[table]?.(of) ?? Object.values(of).join(' '));
    return tablesHaveMore === true ? shown.filter((word) => stated.includes(word)) : shown;
  };
  return inOrder({
    key: entry.key,
    row: pick(entry.row, row),
    detail: pick(entry.detail, detail),
    tables: Object.fromEntries(
      Object.entries(tables).map(([table, stated]) => [table, formatRows(table, stated)]),
    ),
  });
}

const pick = (values: Values, like: Values): Values =>
  Object.fromEntries(Object.keys(like).map((name) => [name, values[name]]));

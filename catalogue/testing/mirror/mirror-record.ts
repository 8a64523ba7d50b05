/** Records of the feed mirror as its documents state them, read with patterns and JSON.parse alone: what the feeds are compared with. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Entry, Part, Publication } from '../../definition/feed.ts';
import { feedMirror } from '../describe-with-mirror.ts';
import { publicationFrom } from '../publication-from.ts';

type Values = Readonly<Record<string, unknown>>;

/** Lists are compared as sets: a document may state a word twice, and each vendor in an order of its own. */
export interface MirrorRecord {
  readonly key: string;
  readonly row: Values;
  readonly detail?: Values;
  /** A word for each row of the detail's tables, in one way or another: 'packages', 'packages of Scoop'. */
  readonly tables?: Readonly<Record<string, readonly string[]>>;
}

type WordOf = (row: Readonly<Record<string, string>>) => string;

export interface MirrorSubject {
  readonly part: Part;
  readonly records: () => readonly MirrorRecord[] | Promise<readonly MirrorRecord[]>;
  /** Of the records in the documents, counted once by hand. */
  readonly count: number;
  /** Rows of tables as the records write them. */
  readonly words?: Readonly<Record<string, WordOf>>;
  /** What is said beside the entries, or how often. */
  readonly says?: readonly string[] | number;
  /** Package and CVE of what has no fix. */
  readonly unfixed?: () => readonly string[];
  /** Restricts what is read to those addresses. */
  readonly documents?: RegExp;
  /** True where the tables of the entries may have more rows. */
  readonly tablesHaveMore?: true;
  readonly publication?: () => Promise<Publication>;
  /** One that `npm test` reads. */
  readonly isShort?: true;
}

export const mirrorPath = fileURLToPath(feedMirror);
export const mirrorFile = (path: string) => readFileSync(mirrorPath + path);
export const mirrorText = (path: string) => mirrorFile(path).toString();
export const mirrorJson = (path: string): unknown => JSON.parse(mirrorText(path));

/** Unpacks by a tool of the machine, or else by the product, which decompress.test.ts holds to other readers. */
export async function mirrorUnpacked(path: string): Promise<string> {
  try {
    return execFileSync('bzip2', ['-dc', mirrorPath + path], { maxBuffer: 1e9 }).toString();
  } catch {
    return (await publicationFrom(feedMirror).open(`https://${path}`)).text();
  }
}

/** The first group of every match. */
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

const fileName: WordOf = ({ name, version, architecture }) =>
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

/** The entry in the form of the record, so that the two can be compared; what the record leaves out does not count. */
export function shownLike(
  { row, detail = {}, tables = {} }: MirrorRecord,
  entry: Entry,
  { words = {}, tablesHaveMore }: Pick<MirrorSubject, 'words' | 'tablesHaveMore'>,
): MirrorRecord {
  const wordOf: Readonly<Record<string, WordOf>> = {
    packages: fileName,
    references: ({ address = '' }) => address,
    ...words,
  };
  const wordsOf = (table: string, stated: readonly string[]) => {
    const rows = entry.detail[table.split(' ')[0] ?? ''] as Readonly<Record<string, string>>[];
    const shown = rows.map((of) => wordOf[table]?.(of) ?? Object.values(of).join(' '));
    return tablesHaveMore === true ? shown.filter((word) => stated.includes(word)) : shown;
  };
  return inOrder({
    key: entry.key,
    row: pick(entry.row, row),
    detail: pick(entry.detail, detail),
    tables: Object.fromEntries(
      Object.entries(tables).map(([table, stated]) => [table, wordsOf(table, stated)]),
    ),
  });
}

const pick = (values: Values, like: Values): Values =>
  Object.fromEntries(Object.keys(like).map((name) => [name, values[name]]));

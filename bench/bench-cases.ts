/** What is measured: each case as the calls that a client makes, and as the same queries bare on the database. */
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { madeEntry } from './errata-generator.ts';

export interface Asked {
  /** offset, size, sort. */
  readonly query: string;
  readonly body: { readonly filter?: string; readonly keyword?: string };
  /** Rows and, where the total is not kept, the count. */
  readonly bare: readonly string[];
}

export interface BenchCase {
  readonly name: string;
  /** Milliseconds at p95, one client, on the embedded database; null: none was set. */
  readonly target: number | null;
  /** The n-th call of the case. */
  readonly ask: (n: number, rows: number) => Asked;
  /** Each call differs from those before it and there are no more than these. */
  readonly calls?: number;
  /** Asking again is another case: eight clients would. */
  readonly firstTimeOnly?: boolean;
}

const table = almalinuxList.key;
const columns =
  'id, title, release_date, bulletin_id, severity, binary_pkg_name, category, os_version';
const rowsWhere = (where: string, size = 25, offset = 0) =>
  `select ${columns} from ${table} where withdrawn_time is null and ${where} order by release_date desc, id desc limit ${size} offset ${offset}`;
const countWhere = (where: string) =>
  `select count(*) from ${table} where withdrawn_time is null and ${where}`;
const both = (where: string) => [rowsWhere(where), countWhere(where)];

const contains = (word: string): Asked => ({
  query: 'size=25',
  body: { filter: `lower(title) like '%${word}%'` },
  bare: both(`title_folded like '%${word}%'`),
});

const keyword = (typed: string): Asked => ({
  query: 'size=25',
  body: { keyword: typed },
  bare: both(`keyword like '%${typed.toLowerCase()}%'`),
});

const page = (offset: number, size = 25): Asked => ({
  query: `offset=${offset}&size=${size}`,
  body: {},
  bare: [rowsWhere('true', size, offset)],
});

/** All stand in the same 50,000 titles of a million, and hardly in others. */
const commonWords = [
  'openssl',
  'penssl',
  'enssl',
  'openss',
  'nssl',
  'penss',
  ' openssl',
  'openssl ',
  ' openss',
  'penssl ',
];

const letters = 'abcdefghijklmnopqrstuvwxyz';
const day = 86_400_000;
const year2015 = Date.UTC(2015, 0, 1);

const anyRow = (n: number, rows: number) => madeEntry(((n + 1) * 7919) % rows);

export const benchCases: readonly BenchCase[] = [
  { name: 'First page with total', target: 10, ask: () => ({ ...page(0), bare: both('true') }) },
  {
    name: 'First page by title, with total',
    target: null,
    ask: () => ({ ...page(0), query: 'size=25&sort=title' }),
  },
  {
    name: 'Contains a rare word, with total',
    target: 10,
    ask: () => ({
      ...contains('zanzibar'),
      bare: both("title_folded like '%zanzibar%' and keyword like '%zanzibar%'"),
    }),
  },
  {
    name: 'Keyword is a bulletin',
    target: 10,
    ask: (n, rows) => keyword(String(anyRow(n, rows).row['bulletinId'])),
  },
  {
    name: 'Keyword is a CVE',
    target: 10,
    ask: (n, rows) => {
      for (let place = n * 31; ; place += 1) {
        const [cve] = anyRow(place, rows).detail['cve'] as readonly string[];
        if (cve !== undefined) return keyword(cve);
      }
    },
  },
  {
    name: '1,000 rows',
    target: 30,
    ask: (n, rows) => page((n * 1000) % Math.min(rows, 20_000), 1000),
  },
  ...[0.01, 0.5, 0.9, 0.999975].map(
    (part): BenchCase => ({
      name: `Offset at ${String(part * 100).slice(0, 7)} %`,
      target: 100,
      ask: (n, rows) => page(Math.max(0, Math.min(Math.floor(rows * part) - (n % 7), rows - 25))),
    }),
  ),
  {
    name: 'Contains a common word (5 %), first time',
    target: null,
    calls: commonWords.length,
    firstTimeOnly: true,
    ask: (n) => contains(commonWords[n] ?? ''),
  },
  { name: 'Contains a common word (5 %), again', target: 10, ask: () => contains('openssl') },
  {
    name: 'Contains two letters, each time others',
    target: 250,
    calls: 60,
    firstTimeOnly: true,
    ask: (n) =>
      contains(
        `${letters[(n * 7) % 26] ?? ''}${letters[(n * 11 + Math.floor(n / 26) * 3 + 4) % 26] ?? ''}`,
      ),
  },
  {
    name: 'Severity and date range, each time another',
    target: null,
    calls: 60,
    firstTimeOnly: true,
    ask: (n) => {
      const from = year2015 + n * 31 * day;
      const to = from + 700 * day;
      return {
        query: 'size=25',
        body: {
          filter: `lower(severity) in ('critical','important') and releaseDate between ${from} and ${to}`,
        },
        bare: both(`severity_rank in (4, 5) and release_date between ${from} and ${to}`),
      };
    },
  },
];

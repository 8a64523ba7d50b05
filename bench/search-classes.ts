/** The classes of searches that are compared from outside, each with words that are drawn from the data by a seed. */
import { drawWords } from './drawn-words.ts';
import { madeEntry } from './errata-generator.ts';

/** A condition as the product and Directus write it. Generated texts hold no quotes and no wildcards. */
interface Condition {
  readonly filter?: string;
  readonly keyword?: string;
  readonly directus?: object;
}

export interface PlainSearch {
  readonly size: number;
  readonly offset: number;
  /** Null: the newest first. */
  readonly sort: 'title' | null;
  readonly conditions: readonly Condition[];
}

export interface SearchClass {
  readonly name: string;
  /** Draws the n-th search. In a class of first searches each differs from those before it. */
  readonly draw: (n: number) => PlainSearch;
}

export const firstPage = (...conditions: readonly Condition[]): PlainSearch => ({
  size: 25,
  offset: 0,
  sort: null,
  conditions,
});

export const contains = (text: string): Condition => ({
  filter: `lower(title) like '%${text}%'`,
  directus: { title: { _icontains: text } },
});

/** Case counts in Directus: it has no such operator without it. */
const lacks = (text: string): Condition => ({
  filter: `lower(title) not like '%${text}%'`,
  directus: { title: { _ncontains: text } },
});

export const keyword = (word: string): Condition => ({
  keyword: word,
});

const released = (from: number, to: number): Condition => ({
  filter: `releaseDate between ${from} and ${to}`,
  directus: { release_date: { _between: [from, to] } },
});

const bulletins = (ids: readonly string[]): Condition => ({
  filter: `bulletinId in (${ids.map((id) => `'${id}'`).join(', ')})`,
  directus: { bulletin_id: { _in: ids } },
});

const day = 86_400_000;
const from2015 = Date.UTC(2015, 0, 1);
const wordsOfAKind = 60;

/** The class whose every total is counted for the first time. */
export const firstTotals = 'Contains two texts, each others';

/** The classes over a catalogue of so many rows of `madeEntry`. */
export function searchClasses(rows: number, random: () => number): readonly SearchClass[] {
  const { common, rare, short } = drawWords(random, rows, wordsOfAKind);
  const at = (words: readonly string[], n: number) => words[n % words.length] ?? '';
  const bulletin = () => String(madeEntry(Math.floor(random() * rows)).row['bulletinId']);
  const drawDates = () => {
    const from = from2015 + Math.floor(random() * 3_000) * day + Math.floor(random() * day);
    return firstPage(released(from, from + 400 * day));
  };
  // A second word makes each search another one, however few common words there are.
  const drawPair = (n: number) =>
    firstPage(
      contains(at(common, n)),
      contains(at(short, n + Math.floor(n / Math.max(1, common.length)))),
    );
  const classes: Readonly<Record<string, SearchClass['draw']>> = {
    'First page with total': () => firstPage(),
    'Sorted by title': () => ({ ...firstPage(), sort: 'title' }),
    'Contains a rare text, again': () => firstPage(contains(at(rare, 0))),
    'Contains a rare text, each another': (n) => firstPage(contains(at(rare, n))),
    'Contains a common text': (n) => firstPage(contains(at(common, n))),
    [firstTotals]: drawPair,
    'Does not contain a text, each another': (n) =>
      firstPage(lacks(at(n % 2 === 0 ? common : rare, n))),
    'Contains two letters, each others': (n) => firstPage(contains(at(short, n))),
    'Keyword with common hits': (n) => firstPage(keyword(at(common, n))),
    'Keyword is a bulletin, each another': () => firstPage(keyword(bulletin())),
    'Range of dates, each another': drawDates,
    'One of 20 bulletins, each others': () =>
      firstPage(bulletins(Array.from({ length: 20 }, bulletin))),
    'Offset at 90 %': () => ({ ...firstPage(), offset: Math.floor(rows * 0.9) }),
    'Page of 1,000': (n) => ({ ...firstPage(), offset: (n * 1000) % rows, size: 1000 }),
  };
  return Object.entries(classes).map(([name, draw]) => ({ name, draw }));
}

/** The classes of searches that are compared from outside, each with words that were drawn from the data: npm run bench -- --only classes. */
import { drawnWords } from './drawn-words.ts';
import { madeEntry } from './errata-generator.ts';

export type SearchCondition =
  | { readonly kind: 'contains' | 'lacks'; readonly text: string }
  | { readonly kind: 'keyword'; readonly word: string }
  | { readonly kind: 'released'; readonly from: number; readonly to: number }
  | { readonly kind: 'bulletins'; readonly ids: readonly string[] };

/** A search in no service's own words. */
export interface SearchAsked {
  readonly size: number;
  readonly offset: number;
  /** Null: the newest first. */
  readonly sort: 'title' | null;
  readonly conditions: readonly SearchCondition[];
}

export interface ProductCall {
  readonly query: string;
  readonly body: { readonly filter?: string; readonly keyword?: string };
}

export interface SearchClass {
  readonly name: string;
  /** The n-th call: of a class that is asked for the first time, each differs from those before it. */
  readonly ask: (n: number) => SearchAsked;
}

const day = 86_400_000;
const from2015 = Date.UTC(2015, 0, 1);
const drawn = 60;

/** The search in the product's words. */
export function productCall({ size, offset, sort, conditions }: SearchAsked): ProductCall {
  const query = [
    ...(offset > 0 ? [`offset=${offset}`] : []),
    `size=${size}`,
    ...(sort === null ? [] : [`sort=${sort}`]),
  ].join('&');
  const keyword = conditions.find((condition) => condition.kind === 'keyword')?.word;
  const filter = conditions.flatMap((condition) => filterOf(condition)).join(' and ');
  return {
    query,
    body: { ...(filter !== '' && { filter }), ...(keyword !== undefined && { keyword }) },
  };
}

function filterOf(condition: SearchCondition): readonly string[] {
  switch (condition.kind) {
    case 'contains':
      return [`lower(title) like '%${condition.text}%'`];
    case 'lacks':
      return [`lower(title) not like '%${condition.text}%'`];
    case 'keyword':
      return [];
    case 'released':
      return [`releaseDate between ${condition.from} and ${condition.to}`];
    case 'bulletins':
      return [`bulletinId in (${condition.ids.map((id) => `'${id}'`).join(', ')})`];
  }
}

const firstOf = (...conditions: readonly SearchCondition[]): SearchAsked => ({
  size: 25,
  offset: 0,
  sort: null,
  conditions,
});

export const containing = (...texts: readonly string[]): SearchAsked =>
  firstOf(...texts.map((text) => ({ kind: 'contains', text }) as const));

export const naming = (word: string): SearchAsked => firstOf({ kind: 'keyword', word });

/** The class whose every total is counted for the first time. */
export const firstTotals = 'Contains two texts, each others';

/** Of a catalogue with so many rows of `madeEntry`. */
export function searchClasses(rows: number, random: () => number): readonly SearchClass[] {
  const { common, rare, short } = drawnWords(random, rows, drawn);
  const at = (words: readonly string[], n: number) => words[n % words.length] ?? '';
  /** A second word makes each search another one, however few common words there are. */
  const pair = (n: number) => [at(common, n), at(short, n + Math.floor(n / common.length))];
  const bulletin = () => String(madeEntry(Math.floor(random() * rows)).row['bulletinId']);
  return [
    { name: 'First page with total', ask: () => firstOf() },
    { name: 'Sorted by title', ask: () => ({ ...firstOf(), sort: 'title' }) },
    { name: 'Contains a rare text, each another', ask: (n) => containing(at(rare, n)) },
    { name: 'Contains a common text', ask: (n) => containing(at(common, n)) },
    { name: firstTotals, ask: (n) => containing(...pair(n)) },
    {
      name: 'Does not contain a text, each another',
      ask: (n) => firstOf({ kind: 'lacks', text: n % 2 === 0 ? at(common, n) : at(rare, n) }),
    },
    { name: 'Contains two letters, each others', ask: (n) => containing(at(short, n)) },
    { name: 'Keyword with common hits', ask: (n) => naming(at(common, n)) },
    { name: 'Keyword is a bulletin, each another', ask: () => naming(bulletin()) },
    {
      name: 'Range of dates, each another',
      ask: () => {
        const from = from2015 + Math.floor(random() * 3_000) * day + Math.floor(random() * day);
        return firstOf({ kind: 'released', from, to: from + 400 * day });
      },
    },
    {
      name: 'One of 20 bulletins, each others',
      ask: () => firstOf({ kind: 'bulletins', ids: Array.from({ length: 20 }, bulletin) }),
    },
    {
      name: 'Offset at 90 %',
      ask: () => ({ ...firstOf(), offset: Math.floor(rows * 0.9) }),
    },
    {
      name: 'Page of 1,000',
      ask: (n) => ({ ...firstOf(), offset: (n * 1000) % rows, size: 1000 }),
    },
  ];
}

/** Orders the matches of a keyword by their rank, from memory. */
import { getMatchingNames } from '../criteria/keyword-parts.ts';
import {
  getIdentifierColumns,
  getProductLists,
  getRankedWords,
  getTitleColumn,
  getWholeWords,
  getWordStarts,
  hasOwnLists,
  ownListField,
  supersededField,
} from '../criteria/match-rank.ts';
import type { Search } from '../criteria/search-request.ts';
import type { WordsPattern, WordTest } from '../criteria/text-pattern.ts';
import type { ListMemory } from './list-memory.ts';
import {
  type MemoryOrder,
  selectPage,
  selectTiedRows,
  type TiedRows,
} from './ordered-positions.ts';
import { RowSet } from './row-set.ts';
import type { TextColumn } from './text-column.ts';

/** Splits the rows by rank, the best first, as `match-rank.ts` defines them. Returns null when the titles are not in memory. */
export function rankRows(
  memory: ListMemory,
  rows: RowSet,
  search: Search,
): readonly RowSet[] | null {
  const { list, keyword } = search;
  if (rows.size < 2) return [rows];
  if (keyword === '') return splitSuperseded(memory, rows);
  const ranks = [findIdentified(memory, search)];
  const { column } = getTitleColumn(list);
  const words = getRankedWords(keyword);
  if (column !== null && words.length > 0) {
    const titles = memory.getTexts(column);
    const patternsOf = (texts: readonly string[], anchor: WordTest['anchor']) =>
      texts.map((text) => wordPattern(text, anchor));
    const wholeWords = words.map((word) => patternsOf(getWholeWords(word), 'exact'));
    const wordStarts = words.map((word) => patternsOf(getWordStarts(word), 'start'));
    const whole = findRowsByTitle(titles, wholeWords, memory.rows);
    const begun = findRowsByTitle(titles, wordStarts, memory.rows);
    if (whole === null || begun === null) return null;
    const ownLists = hasOwnLists(list) ? memory.words.get(ownListField) : undefined;
    if (ownLists !== undefined) {
      const keys = getProductLists();
      const products = whole.copy();
      products.intersectCodes(
        ownLists.codes,
        Uint8Array.from({ length: ownLists.distinct }, (_, code) =>
          ownLists.getElements(code).some((key) => keys.includes(String(key))) ? 1 : 0,
        ),
      );
      ranks.push(products);
    }
    ranks.push(whole, begun);
  }
  const rest = rows.copy();
  const disjoint = [...ranks, rest.copy()].map((rank) => {
    rank.intersect(rest);
    rest.subtract(rank);
    return rank;
  });
  return disjoint.flatMap((rank) => splitSuperseded(memory, rank));
}

/** Returns the rows with an identifier that the keyword equals. */
function findIdentified(memory: ListMemory, search: Search): RowSet {
  const found = new RowSet(memory.rows);
  for (const column of getIdentifierColumns(search.list)) {
    const names = memory.names.get(column);
    if (names === undefined) continue;
    const wanted = getMatchingNames(search);
    found.addAll(names.find(wanted, memory.rows));
    found.addAll(names.findStems(wanted, memory.rows));
  }
  return found;
}

/** Returns the rows whose title matches one pattern of each word; null when the titles are not in memory. */
function findRowsByTitle(
  titles: TextColumn | undefined,
  patternsOfWords: readonly (readonly WordsPattern[])[],
  rows: number,
): RowSet | null {
  let found: RowSet | null = null;
  for (const patterns of patternsOfWords) {
    const withWord = titles?.find(patterns, rows) ?? null;
    if (withWord === null) return null;
    if (found === null) found = withWord;
    else found.intersect(withWord);
  }
  return found;
}

const wordPattern = (text: string, anchor: WordTest['anchor']): WordsPattern => ({
  kind: 'words',
  words: [{ text, anchor }],
  begins: 'none',
  ends: 'none',
});

/** Returns the rows that are not superseded, and those that are. */
function splitSuperseded({ words }: ListMemory, rows: RowSet): readonly RowSet[] {
  const flags = words.get(supersededField);
  if (flags === undefined || rows.size === 0) return [rows];
  const superseded = rows.copy();
  superseded.intersectCodes(
    flags.codes,
    Uint8Array.from({ length: flags.distinct }, (_, code) =>
      flags.getElements(code)[0] === true ? 1 : 0,
    ),
  );
  const current = rows.copy();
  current.subtract(superseded);
  return [current, superseded];
}

/** Selects a page of disjoint sets of rows, one after another. Returns null where memory does not keep the order. */
export function selectRankedPage(
  memory: ListMemory,
  ranks: readonly RowSet[],
  order: MemoryOrder,
  { offset, size }: Search,
): readonly number[] | null {
  const page: number[] = [];
  let skipped = 0;
  for (const rows of ranks) {
    const from = Math.max(0, offset - skipped);
    skipped += rows.size;
    if (page.length === size || offset >= skipped) continue;
    const found = selectPage(memory, rows, order, { offset: from, size: size - page.length });
    if (found === null) return null;
    page.push(...found);
  }
  return page;
}

/** Returns the page with all rows that tie with its first or last one in one of the disjoint sets; null when there are too many. */
export function selectRankedTies(
  ranks: readonly RowSet[],
  order: MemoryOrder,
  { offset, size }: Search,
  maxRows: number,
): TiedRows | null {
  const positions: number[] = [];
  let skipped: number | null = null;
  let before = 0;
  for (const rows of ranks) {
    const from = Math.max(0, offset - before);
    const to = Math.min(rows.size, offset + size - before);
    if (from < to) {
      const page = { offset: from, size: to - from };
      const tied = selectTiedRows(rows, order, page, maxRows - positions.length);
      if (tied === null) return null;
      skipped ??= before + tied.skipped;
      positions.push(...tied.positions);
    }
    before += rows.size;
  }
  return { positions, skipped: skipped ?? 0 };
}

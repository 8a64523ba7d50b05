/** Orders the matches of a keyword by their rank, from memory. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
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
  type RankedWord,
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

/**
 * Splits the rows by rank, the best first, as `match-rank.ts` defines them: each rank when it is asked for, since the first ones often
 * fill the page. Returns null when the titles are not in memory.
 */
export function rankRows(
  memory: ListMemory,
  rows: RowSet,
  { list, keyword }: Pick<Search, 'list' | 'keyword'>,
): Iterable<RowSet> | null {
  if (rows.size < 2) return [rows];
  if (keyword === '') return splitSuperseded(memory, rows);
  const ranks = [() => findIdentified(memory, list, keyword)];
  const { column } = getTitleColumn(list);
  const words = getRankedWords(keyword);
  if (column !== null && words.length > 0) {
    const titles = memory.getTexts(column);
    if (titles?.isComplete !== true) return null;
    ranks.push(...findersByTitle(memory, list, titles, words));
  }
  return splitByRank(memory, rows, ranks);
}

function* splitByRank(
  memory: ListMemory,
  rows: RowSet,
  ranks: readonly (() => RowSet)[],
): Generator<RowSet> {
  const rest = rows.copy();
  for (const find of ranks) {
    const rank = rest.copy();
    rank.intersect(find());
    if (rank.size === 0) continue;
    yield* splitSuperseded(memory, rank);
    rest.subtract(rank);
    if (rest.size === 0) return;
  }
  yield* splitSuperseded(memory, rest);
}

/** Returns what finds the rows of products with the words in their titles, all rows with them, and those with words that begin so. */
function findersByTitle(
  memory: ListMemory,
  list: ListDefinition,
  titles: TextColumn,
  words: readonly RankedWord[],
): readonly (() => RowSet)[] {
  const find = (textsOf: (word: RankedWord) => readonly string[], anchor: WordTest['anchor']) =>
    findRowsByTitle(
      titles,
      words.map((word) => textsOf(word).map((text) => wordPattern(text, anchor))),
      memory.rows,
    );
  let found: RowSet | null = null;
  const whole = () => (found ??= find(getWholeWords, 'exact'));
  const begun = () => find(getWordStarts, 'start');
  const ownLists = hasOwnLists(list) ? memory.words.get(ownListField) : undefined;
  if (ownLists === undefined) return [whole, begun];
  const keys = getProductLists();
  const products = () => {
    const rows = whole().copy();
    rows.intersectCodes(
      ownLists.codes,
      Uint8Array.from({ length: ownLists.distinct }, (_, code) =>
        ownLists.getElements(code).some((key) => keys.includes(String(key))) ? 1 : 0,
      ),
    );
    return rows;
  };
  return [products, whole, begun];
}

/** Returns the rows with an identifier that the keyword equals. */
function findIdentified(memory: ListMemory, list: ListDefinition, keyword: string): RowSet {
  const found = new RowSet(memory.rows);
  const wanted = getMatchingNames({ keyword });
  for (const column of getIdentifierColumns(list)) {
    const names = memory.names.get(column);
    if (names === undefined) continue;
    found.addAll(names.find(wanted, memory.rows));
    found.addAll(names.findStems(wanted, memory.rows));
  }
  return found;
}

/** Returns the rows whose title matches one pattern of each word. */
function findRowsByTitle(
  titles: TextColumn,
  patternsOfWords: readonly (readonly WordsPattern[])[],
  rows: number,
): RowSet {
  const [first = [], ...others] = patternsOfWords;
  const found = titles.find(first, rows) ?? new RowSet(rows);
  for (const patterns of others) found.intersect(titles.find(patterns, rows) ?? new RowSet(rows));
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
  ranks: Iterable<RowSet>,
  order: MemoryOrder,
  { offset, size }: Search,
): readonly number[] | null {
  const page: number[] = [];
  let skipped = 0;
  for (const rows of ranks) {
    const from = Math.max(0, offset - skipped);
    skipped += rows.size;
    if (offset >= skipped) continue;
    const found = selectPage(memory, rows, order, { offset: from, size: size - page.length });
    if (found === null) return null;
    page.push(...found);
    if (page.length === size) break;
  }
  return page;
}

/** Returns the page with all rows that tie with its first or last one in one of the disjoint sets; null when there are too many. */
export function selectRankedTies(
  ranks: Iterable<RowSet>,
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
    if (before >= offset + size) break;
  }
  return { positions, skipped: skipped ?? 0 };
}

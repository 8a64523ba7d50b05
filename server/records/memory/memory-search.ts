/** Runs searches on a list in memory: conditions on fields and texts, and the words of a keyword. */
import {
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { columnsOfField, hasSealedFields } from '../../platform/database/rows/list-columns.ts';
import { type TextCondition, toTextCondition } from '../criteria/condition-meaning.ts';
import { getNameColumns, type KeywordPart, splitKeyword } from '../criteria/keyword-parts.ts';
import { getTitleColumn, isRanked } from '../criteria/match-rank.ts';
import type { Search } from '../criteria/search-request.ts';
import { createTextPattern, getWholeText, type WordTest } from '../criteria/text-pattern.ts';
import type { ListMemories, TextToRead } from './list-memories.ts';
import { fieldsInMemory, type ListMemory } from './list-memory.ts';
import { createOrder } from './ordered-positions.ts';
import { rankRows, selectRankedPage, selectRankedTies } from './rank-rows.ts';
import type { RowSet } from './row-set.ts';
import { filterRowsById } from './rows-by-id.ts';

type Criteria = Pick<Search, 'list' | 'conditions' | 'keyword'>;

/** Stores no order of words, because it would take a third of the memory and phrases are rare. */
const keywordTexts: TextToRead = { column: 'keyword', inOrder: false };

/** Maximum of ids that PostgreSQL sorts. For more rows, it runs the search itself. */
const maxIds = 5_000;
/** Maximum of ids that PostgreSQL tests. For more rows, reading the table takes as long. */
const maxCandidates = 50_000;

export type MemoryAnswer =
  | {
      readonly kind: 'found';
      readonly total: number;
      /** Ids of the rows on the page, in order; null when memory lacks the values of the order. */
      readonly page: readonly number[] | null;
      /** Ids of matching rows that contain the page; null when there are more than `maxIds`. */
      readonly ids: readonly number[] | null;
      /** Matching rows before all of `ids`. */
      readonly skipped: number;
    }
  /** Memory lacks values that the search compares. */
  | {
      readonly kind: 'narrowed';
      /** Ids of rows that contain all matching ones; null when there are more than `maxCandidates`. */
      readonly candidates: readonly number[] | null;
    };

/** Returns null when the list is not in memory. @throws DatabaseError when the list cannot be refreshed. */
export async function findInMemory(
  memories: ListMemories,
  search: Search,
): Promise<MemoryAnswer | null> {
  const narrowed = await narrowInMemory(memories, search);
  if (narrowed === null) return null;
  const { memory, rows, isExact } = narrowed;
  const total = rows.size;
  if (!isExact) return { kind: 'narrowed', candidates: readCandidates(narrowed) };
  const ranks = isRanked(search) ? rankRows(memory, rows, search) : [rows];
  const order = ranks === null ? null : createOrder(memory, search);
  if (ranks !== null && order?.isComplete === true) {
    const page = selectRankedPage(memory, ranks, order, search);
    if (page !== null) return { kind: 'found', total, page, ids: null, skipped: 0 };
  }
  if (total <= maxIds)
    return { kind: 'found', total, page: null, ids: readIds(memory, rows.positions()), skipped: 0 };
  const tied =
    ranks === null || order === null || order.isComplete
      ? null
      : selectRankedTies(ranks, order, search, maxIds);
  return {
    kind: 'found',
    total,
    page: null,
    ids: tied === null ? null : readIds(memory, tied.positions),
    skipped: tied?.skipped ?? 0,
  };
}

/** Returns the ids of rows that contain all matching ones; null when the list is not in memory, or there are more than `maxCandidates`. */
export async function findCandidates(
  memories: ListMemories,
  search: Search,
): Promise<readonly number[] | null> {
  const narrowed = await narrowInMemory(memories, search);
  return narrowed === null ? null : readCandidates(narrowed);
}

/** Returns the number of matching rows; null when memory cannot tell. */
export async function countInMemory(
  memories: ListMemories,
  search: Search,
): Promise<number | null> {
  const narrowed = canRunInMemory(memories, search) ? await narrowInMemory(memories, search) : null;
  return narrowed?.isExact === true ? narrowed.rows.size : null;
}

/** Returns rows that contain all matching ones; null when the list is not in memory. */
export async function narrowInMemory(memories: ListMemories, search: Search) {
  if (hasSealedFields(search.list) || !memories.has(search.list, [])) return null;
  const { memory } = await memories.load(search.list, search.calledAt);
  return { memory, ...narrowRows(memory, search) };
}

const readCandidates = ({
  memory,
  rows,
}: {
  readonly memory: ListMemory;
  readonly rows: RowSet;
}) => (rows.size > maxCandidates ? null : readIds(memory, rows.positions()));

const readIds = ({ ids }: ListMemory, positions: Iterable<number>): readonly number[] =>
  Array.from(positions, (position) => ids[position] ?? 0);

/** Returns true when all values that the search compares are in memory now. Words of a keyword may still need PostgreSQL for their order. */
export function canRunInMemory(memories: ListMemories, search: Search): boolean {
  const texts = getComparedTexts(search);
  const columns = texts?.map(({ column }) => column);
  return columns !== undefined && memories.has(search.list, columns);
}

/** Returns the texts that the search compares, in addition to the fields in memory. Returns null when only the database can run it. */
export function getComparedTexts(search: Search): readonly TextToRead[] | null {
  const { list, conditions, keyword } = search;
  // Sealed values cannot be compared without opening them.
  if (hasSealedFields(list)) return null;
  const texts = new Map<string, TextToRead>();
  for (const condition of conditions) {
    if (condition.name === 'id' || fieldsInMemory(list).includes(condition.name)) continue;
    const column = findTextColumn(list, condition);
    const textCondition = getTextCondition(list, condition);
    if (column === null || textCondition === null) return null;
    const isName = getNameColumns(list).includes(column) && getNames(textCondition) !== null;
    if (!isName) texts.set(column, { column, inOrder: true });
  }
  if (keyword !== '') texts.set(keywordTexts.column, keywordTexts);
  if (keyword !== '' && isRanked(search))
    for (const text of getTitleTexts(list)) texts.set(text.column, text);
  return [...texts.values()];
}

/** Returns the texts that a keyword is compared with, and those that rank its matches. */
export const getKeywordTexts = (list: ListDefinition): readonly TextToRead[] =>
  hasSealedFields(list) ? [] : [keywordTexts, ...getTitleTexts(list)];

function getTitleTexts(list: ListDefinition): readonly TextToRead[] {
  const { column } = getTitleColumn(list);
  // In order, as for conditions on the title.
  return column === null ? [] : [{ column, inOrder: true }];
}

/** Returns null when a compared text is not in memory, too many sequences would have to be compared, or only PostgreSQL knows the order of the words. */
export function findRows(memory: ListMemory, search: Criteria): RowSet | null {
  const { rows, isExact } = narrowRows(memory, search);
  return isExact ? rows : null;
}

interface NarrowedRows {
  /** Contains all matching rows. */
  readonly rows: RowSet;
  /** True when all of the rows match. */
  readonly isExact: boolean;
}

/** Removes the rows that cannot match. Skips what memory cannot evaluate. */
function narrowRows(memory: ListMemory, { list, conditions, keyword }: Criteria): NarrowedRows {
  const rows = memory.listedRows();
  let isExact = true;
  // Tests cheap conditions first, because later ones skip the removed rows. Codes are the fastest, texts the slowest.
  const cheapestFirst = conditions.toSorted(
    (a, b) => estimateCost(memory, a) - estimateCost(memory, b),
  );
  for (const condition of cheapestFirst) if (!filterRows(memory, rows, condition)) isExact = false;
  for (const part of keyword === '' ? [] : splitKeyword(list, keyword)) {
    const tests = keywordTests(part);
    if (!filterRowsByWords(memory, rows, tests.alternatives) || !tests.isExact) isExact = false;
  }
  return { rows, isExact };
}

const estimateCost = ({ words, numbers }: ListMemory, { name }: Condition): number =>
  words.has(name) || name === 'id' ? 0 : numbers.has(name) ? 1 : 2;

/** Removes the rows that contain all words of no alternative. Returns false, and removes none, when the words are not in memory. */
function filterRowsByWords(
  memory: ListMemory,
  rows: RowSet,
  alternatives: readonly (readonly WordTest[])[],
): boolean {
  const texts = memory.getTexts(keywordTexts.column);
  if (texts?.isComplete !== true) return false;
  const keep = (kept: RowSet, words: readonly WordTest[]) => {
    for (const word of words) kept.intersect(texts.findWord(word, memory.rows));
    return kept;
  };
  const [first = [], ...others] = alternatives;
  const before = others.length === 0 ? null : rows.copy();
  keep(rows, first);
  if (before !== null) for (const words of others) rows.addAll(keep(before.copy(), words));
  return true;
}

/** Removes the rows that do not match a condition. Returns false, and removes none, where `findRows` returns null. */
export function filterRows(memory: ListMemory, rows: RowSet, condition: Condition): boolean {
  const words = memory.words.get(condition.name);
  const numbers = memory.numbers.get(condition.name);
  if (condition.name === 'id') filterRowsById(memory, rows, condition);
  else if (words !== undefined) rows.intersectCodes(words.codes, words.matchCodes(condition));
  else if (numbers !== undefined) numbers.filter(condition, rows);
  else {
    const found = findRowsByText(memory, condition);
    if (found === null) return false;
    rows.intersect(found);
  }
  return true;
}

function findRowsByText(memory: ListMemory, condition: Condition): RowSet | null {
  const column = findTextColumn(memory.list, condition);
  const textCondition = getTextCondition(memory.list, condition);
  if (column === null || textCondition === null) return null;
  const names = getNames(textCondition);
  const found =
    (names === null ? undefined : memory.names.get(column)?.find(names, memory.rows)) ??
    memory.getTexts(column)?.find(textCondition.patterns, memory.rows) ??
    null;
  return found !== null && textCondition.negated ? getComplement(memory, found) : found;
}

/** Returns the texts of which a row must equal one; null when parts of texts are compared. */
function getNames({ patterns }: TextCondition): readonly string[] | null {
  const names = patterns.map(getWholeText);
  return names.every((name) => name !== null) ? names : null;
}

function getComplement(memory: ListMemory, rows: RowSet): RowSet {
  const others = memory.listedRows();
  others.subtract(rows);
  return others;
}

/** Returns the text column that a condition compares; null for fields without text, and for fields that must not be in memory. */
function findTextColumn(list: ListDefinition, { name }: Condition): string | null {
  if (name === 'id' || isCriterionOnly(list, name) || isRestricted(list, name)) return null;
  const { folded, joined, sealed } = columnsOfField(list, name);
  return joined || sealed ? null : folded;
}

/** Returns the text patterns of a condition; null when only PostgreSQL can evaluate it. */
const getTextCondition = (list: ListDefinition, condition: Condition): TextCondition | null =>
  toTextCondition(condition, columnsOfField(list, condition.name).storage);

/**
 * Returns the words that a row must contain to match a part of a keyword, in one of the alternatives. They are exact for a part of one
 * word; the order of a phrase, and the lines of a KB or a package, are tested by PostgreSQL (`keyword-sql.ts`).
 */
function keywordTests({ text, pasted, kbNumber }: KeywordPart): {
  readonly alternatives: readonly (readonly WordTest[])[];
  readonly isExact: boolean;
} {
  const pattern = createTextPattern(text.replaceAll('\n', ' '), 'none', 'none');
  const words = pattern.words.filter((word) => word.text !== '');
  const others: WordTest[][] = [];
  if (pasted !== null)
    others.push([
      { text: pasted.name, anchor: 'exact' },
      { text: pasted.version, anchor: pasted.isComplete ? 'exact' : 'start' },
    ]);
  if (kbNumber !== null) others.push([{ text: kbNumber, anchor: 'exact' }]);
  return {
    alternatives: [words, ...others],
    isExact: others.length === 0 && pattern.words.length === 1,
  };
}

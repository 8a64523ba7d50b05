/** Answers searches from a list in memory: conditions on its fields and texts, and the words of a keyword. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { columnsOfField, hasSealedFields } from '../../platform/database/list-columns.ts';
import { type AskedTexts, textsOf } from '../criteria/condition-meaning.ts';
import { keywordParts, numberOfKb } from '../criteria/keyword-parts.ts';
import { identityColumns, namesAsked, namesFirst } from '../criteria/named-records.ts';
import { packageKeyword } from '../criteria/package-keyword.ts';
import type { Search } from '../criteria/search-request.ts';
import { patternOfText, type TextPattern } from '../criteria/text-pattern.ts';
import type { ListMemories, TextToRead } from './list-memories.ts';
import { fieldsInMemory, type ListMemory } from './list-memory.ts';
import { orderInMemory, pageInOrder, type RowOrder } from './ordered-positions.ts';
import { RowSet } from './row-set.ts';

type Criteria = Pick<Search, 'list' | 'conditions' | 'keyword'>;

/** Phrases are rare in keywords, and the order of their words takes a third of the room. */
const keywordTexts: TextToRead = { column: 'keyword', inOrder: false };

/** Rows that PostgreSQL puts in order by their numbers; of more, it evaluates the search itself. */
const maxIds = 5_000;

export interface MemoryAnswer {
  readonly total: number;
  /** Numbers of the page's rows, in order; null where only the database knows the order. */
  readonly page: readonly number[] | null;
  /** Numbers of all rows; null when they are many. */
  readonly ids: readonly number[] | null;
}

/** Null: memory does not hold everything that the search compares. Rejects with a DatabaseError when the list cannot be brought up to date. */
export async function findInMemory(
  memories: ListMemories,
  search: Search,
): Promise<MemoryAnswer | null> {
  if (!isInMemory(memories, search)) return null;
  const { memory } = await memories.of(search.list, search.calledAt);
  const rows = rowsThatMeet(memory, search);
  const named = rows === null || !namesFirst(search) ? null : namedRows(memory, search);
  if (rows === null || (named === null && namesFirst(search))) return null;
  const total = rows.size;
  const order = orderInMemory(memory, search.sort);
  if (order !== null) {
    const page = pageWithNamedFirst(memory, { rows, named, order }, search);
    if (page !== null) return { total, page, ids: null };
  }
  const ids =
    total > maxIds ? null : Array.from(rows.positions(), (position) => memory.ids[position] ?? 0);
  return { total, page: null, ids };
}

/** Whether memory holds everything that the search compares, at this moment. */
export function isInMemory(memories: ListMemories, search: Search): boolean {
  const texts = textsCompared(search);
  const columns = texts?.map(({ column }) => column);
  return columns !== undefined && memories.holds(search.list, columns);
}

/** The texts that the search compares, beside the fields that are always held. Null: only the database can answer it. */
export function textsCompared(search: Search): readonly TextToRead[] | null {
  const { list, conditions, keyword } = search;
  // Sealed values can be told apart only by who opens them.
  if (hasSealedFields(list)) return null;
  const texts = new Map<string, TextToRead>();
  for (const condition of conditions) {
    if (fieldNamesOf(list).has(condition.name)) continue;
    const column = textColumnOf(list, condition);
    if (column === null || textsAsked(list, condition) === null) return null;
    texts.set(column, { column, inOrder: true });
  }
  if (keyword !== '') {
    if (wordsOf(list, keyword) === null) return null;
    const ofKeyword = namesFirst(search) ? keywordTextsOf(list) : [keywordTexts];
    for (const text of ofKeyword) texts.set(text.column, text);
  }
  return [...texts.values()];
}

/** The texts that keywords of a list are compared with. */
export function keywordTextsOf(list: ListDefinition): readonly TextToRead[] {
  if (hasSealedFields(list)) return [];
  return [keywordTexts, ...identityColumns(list).map((column) => ({ column, inOrder: true }))];
}

function pageWithNamedFirst(
  memory: ListMemory,
  { rows, named, order }: { rows: RowSet; named: RowSet | null; order: RowOrder },
  { offset, size }: Search,
): readonly number[] | null {
  if (named === null) return pageInOrder(memory, rows.positions(), order, { offset, size });
  named.keep(rows);
  const first = pageInOrder(memory, named.positions(), order, { offset, size });
  if (first === null) return null;
  const unnamed = rows.copy();
  unnamed.remove(named);
  const others = pageInOrder(memory, unnamed.positions(), order, {
    offset: Math.max(0, offset - named.size),
    size: size - first.length,
  });
  return others === null ? null : [...first, ...others];
}

/** The rows whose name is the keyword; null when a name is not held. */
function namedRows(memory: ListMemory, search: Search): RowSet | null {
  const named = new RowSet(memory.rows);
  for (const column of identityColumns(search.list)) {
    for (const name of namesAsked(search)) {
      const rows = memory.textsOf(column)?.find(patternOfText(name, 'text', 'text'), memory.rows);
      if (rows === undefined || rows === null) return null;
      named.addAll(rows);
    }
  }
  return named;
}

const fieldNames = new WeakMap<ListDefinition, ReadonlySet<string>>();

function fieldNamesOf(list: ListDefinition): ReadonlySet<string> {
  const names = fieldNames.get(list) ?? new Set(fieldsInMemory(list));
  fieldNames.set(list, names);
  return names;
}

/** Null: a text that it needs is not held, or too much would have to be read for it. */
export function rowsThatMeet(memory: ListMemory, search: Criteria): RowSet | null {
  const found = memory.listedRows();
  // What few rows meet spares the next condition the others: codes are the quickest to test, texts the slowest.
  const conditions = search.conditions.toSorted(
    (one, other) => costOf(memory, one) - costOf(memory, other),
  );
  for (const condition of conditions) if (!keepMeeting(memory, found, condition)) return null;
  const { list, keyword } = search;
  const words = keyword === '' ? [] : wordsOf(list, keyword);
  if (words === null) return null;
  for (const word of words) {
    const rows = memory.textsOf(keywordTexts.column)?.find(word, memory.rows) ?? null;
    if (rows === null) return null;
    found.keep(rows);
  }
  return found;
}

const costOf = ({ words, numbers }: ListMemory, { name }: Condition): number =>
  words.has(name) ? 0 : numbers.has(name) ? 1 : 2;

/** Keeps of these rows those that meet a condition. False, with the rows as they were, where `rowsThatMeet` answers null. */
export function keepMeeting(memory: ListMemory, rows: RowSet, condition: Condition): boolean {
  const words = memory.words.get(condition.name);
  const numbers = memory.numbers.get(condition.name);
  if (words !== undefined) rows.keepCodes(words.codes, words.codesThatMeet(condition));
  else if (numbers !== undefined) numbers.keep(condition, rows);
  else {
    const found = rowsOfTexts(memory, condition);
    if (found === null) return false;
    rows.keep(found);
  }
  return true;
}

function rowsOfTexts(memory: ListMemory, condition: Condition): RowSet | null {
  const column = textColumnOf(memory.list, condition);
  const texts = column === null ? undefined : memory.textsOf(column);
  const asked = textsAsked(memory.list, condition);
  if (texts === undefined || asked === null) return null;
  const found = new RowSet(memory.rows);
  for (const pattern of asked.patterns) {
    const rows = texts.find(pattern, memory.rows);
    if (rows === null) return null;
    found.addAll(rows);
  }
  return asked.negated ? complement(memory, found) : found;
}

function complement(memory: ListMemory, rows: RowSet): RowSet {
  const others = memory.listedRows();
  others.remove(rows);
  return others;
}

/** The column that the condition's words are compared with; null for fields that hold no words, or none that may be held. */
function textColumnOf(list: ListDefinition, { name }: Condition): string | null {
  if (name === 'id' || isRestricted(list, name)) return null;
  const { folded, joined, sealed } = columnsOfField(list, name);
  return joined || sealed ? null : folded;
}

/** The texts that a condition asks for; null when only PostgreSQL evaluates it. */
const textsAsked = (list: ListDefinition, condition: Condition): AskedTexts | null =>
  textsOf(condition, columnsOfField(list, condition.name).storage);

/** The parts of a keyword, each of which stands within one word. Null: a phrase, a package, or a KB with its letters is among them. */
function wordsOf(list: ListDefinition, keyword: string): readonly TextPattern[] | null {
  const parts = keywordParts(list, keyword);
  const isWithinWord = (part: string) =>
    !/[ \n]/.test(part) && packageKeyword(list, part) === null && numberOfKb(part) === null;
  return parts.every(isWithinWord)
    ? parts.map((part) => patternOfText(part, 'none', 'none'))
    : null;
}

/** Which rows of a list in memory meet a search: conditions on fields and texts that are held, and the words of a keyword. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { columnsOfField, columnsOfList } from '../../platform/database/list-columns.ts';
import { foldedLine } from '../../platform/database/stored-row.ts';
import { keywordParts, numberOfKb } from '../criteria/keyword-parts.ts';
import { packageKeyword } from '../criteria/package-keyword.ts';
import type { Search } from '../criteria/search-request.ts';
import type { TextToRead } from './list-memories.ts';
import { heldFields, type ListMemory } from './list-memory.ts';
import { RowSet } from './row-set.ts';
import { patternOfLike, patternOfText, type TextPattern } from './text-pattern.ts';

type Criteria = Pick<Search, 'list' | 'conditions' | 'keyword'>;

/** Phrases are rare in keywords, and the order of their words takes a third of the room. */
const keywordTexts: TextToRead = { column: 'keyword', inOrder: false };

const held = new WeakMap<ListDefinition, ReadonlySet<string>>();

function heldFieldsOf(list: ListDefinition): ReadonlySet<string> {
  const names = held.get(list) ?? new Set(heldFields(list));
  held.set(list, names);
  return names;
}

/** The texts that the search asks for, beyond the fields that are always held. Null: only the database can answer it. */
export function textsAsked({ list, conditions, keyword }: Criteria): readonly TextToRead[] | null {
  const texts = new Map<string, TextToRead>();
  for (const condition of conditions) {
    if (heldFieldsOf(list).has(condition.name)) continue;
    const column = textColumnOf(list, condition);
    if (column === null || patternsOf(list, condition) === null) return null;
    texts.set(column, { column, inOrder: true });
  }
  if (keyword !== '') {
    if (wordsOf(list, keyword) === null) return null;
    texts.set(keywordTexts.column, keywordTexts);
  }
  return [...texts.values()];
}

/** Whether one of the conditions is that a text is equal to a value, or to one of several. */
export const asksForEqualText = ({ list, conditions }: Criteria): boolean =>
  conditions.some(
    (condition) =>
      !heldFieldsOf(list).has(condition.name) &&
      textColumnOf(list, condition) !== null &&
      ((condition.kind === 'compared' && condition.comparison === '=') ||
        (condition.kind === 'oneOf' && !condition.negated)),
  );

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
  const asked = patternsOf(memory.list, condition);
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
  const { folded, joined, sealed, stamped } = columnsOfField(list, name);
  return joined || sealed || stamped ? null : folded;
}

interface Asked {
  /** One of them is enough. */
  readonly patterns: readonly TextPattern[];
  /** None of them may be met; a row without a text meets it. */
  readonly negated: boolean;
}

/** As `conditionSql` tests it. Null: only the database can. */
function patternsOf(list: ListDefinition, condition: Condition): Asked | null {
  const { storage } = columnsOfField(list, condition.name);
  const edge = storage.several ? 'line' : 'text';
  switch (condition.kind) {
    case 'null':
      return { patterns: [{ kind: 'any' }], negated: !condition.negated };
    case 'like': {
      const pattern = patternOfLike(condition.pattern, edge);
      return pattern === null ? null : { patterns: [pattern], negated: condition.negated };
    }
    case 'compared':
    case 'oneOf': {
      const isOne = condition.kind === 'compared';
      if (isOne && condition.comparison !== '=' && condition.comparison !== '!=') return null;
      const values = (isOne ? [condition.value] : condition.values).map(String);
      const lines = storage.several || storage.long ? values : values.map(foldedLine);
      if (lines.some((line) => line.includes('\n'))) return null;
      return {
        patterns: lines.map((line) => patternOfText(line, edge, edge)),
        negated: isOne ? condition.comparison === '!=' : condition.negated,
      };
    }
    case 'between':
      return null;
  }
}

/** The parts of a keyword, each of which stands within one word. Null: a phrase, a package, or a KB with its letters is among them. */
function wordsOf(list: ListDefinition, keyword: string): readonly TextPattern[] | null {
  const parts = keywordParts(list, keyword);
  const isWithinWord = (part: string) =>
    !/[ \n]/.test(part) && packageKeyword(list, part) === null && numberOfKb(part) === null;
  return parts.every(isWithinWord)
    ? parts.map((part) => patternOfText(part, 'none', 'none'))
    : null;
}

/** Lists of which no field is encrypted: only their rows are the same for everyone. */
export const canBeHeld = (list: ListDefinition): boolean =>
  columnsOfList(list).every(({ sealed }) => !sealed);

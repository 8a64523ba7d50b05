/**
 * Parses the text of the search bar: `severity:critical,important -title:beta releaseDate:<30d open ssl`. A field is given by one
 * of its names, its label, or an unambiguous beginning; words before any field, and quotes after it, form the keyword.
 *
 *     title:ssl  title:open*  title=exact  title!=x  -title:beta     words; several with commas; "in quotes" as they are
 *     productName:Windows Server 2022 severity:low                   all words up to the next field or quote
 *     cve:*  -cve:*                                                  has any, has none
 *     size>10mb  id:5..9  id:5..                                     numbers and ranges
 *     releaseDate:2024  >=2024-03  2024-01-01..2024-02-01  today     dates in the person's time zone
 *     releaseDate:<30d  >8h                                          less and more than so long ago
 */

import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Field } from '@patch/catalogue/definition/fields.ts';
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { criteriaConditions } from './criteria-conditions.ts';
import { CriterionError, type FieldCriterion } from './criterion.ts';
import { keywordTerms, writeTerm } from './keyword-terms.ts';
import { type TypedSign, type TypedValue, typedCondition } from './typed-values.ts';

export type SearchWords =
  | {
      readonly kind: 'search';
      readonly criteria: readonly FieldCriterion[];
      /** Includes the quotes of its phrases. */
      readonly keyword: string;
    }
  /** A sentence with the reason and the allowed input. */
  | { readonly kind: 'problem'; readonly problem: string };

const space = /\s*/y;
const comma = /,\s*/y;
const head = /(-?)([A-Za-z_]\w*)\s*(!=|>=|<=|[:=<>])(?!\/\/)\s*(>=|<=|[<>])?/y;
const value = /(\*?)"((?:[^"]|"")*)"(\*?)(?=[\s,]|$)|[^\s,"]+/y;
const freeWords = /"(?:[^"]|"")*"(?=\s|$)|[^\s"]\S*/y;
const nextWord = /\s+([^\s,"]+)(?=[\s,]|$)/y;

export function readSearchWords(
  list: ListDefinition,
  typed: string,
  timeZone: string,
): SearchWords {
  try {
    return read(list, typed, timeZone);
  } catch (error) {
    if (error instanceof CriterionError) return { kind: 'problem', problem: error.message };
    throw error;
  }
}

/** Writes a keyword so that it can be typed, with quotes around text that would be read as a field. */
export function typedKeyword(keyword: string): string {
  const isMisread = (text: string) =>
    /^-?[A-Za-z_]\w*(!=|>=|<=|[:=<>])(?!\/\/)|^[:=<>!"]/.test(text);
  return keywordTerms(keyword)
    .map((term) => writeTerm(isMisread(term.text) ? { ...term, phrase: true } : term))
    .join(' ');
}

function read(list: ListDefinition, typed: string, timeZone: string): SearchWords {
  let index = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = index;
    const found = pattern.exec(typed);
    if (found !== null) index = pattern.lastIndex;
    return found;
  };
  const expect = (pattern: RegExp, orElse: string): RegExpExecArray => {
    const found = match(pattern);
    if (found === null)
      throw new CriterionError(
        typed[index] === '"' ? `The quote at ${index + 1} is not closed` : orElse,
      );
    return found;
  };

  const criteria: FieldCriterion[] = [];
  const keyword: string[] = [];
  for (match(space); index < typed.length; match(space)) {
    const start = index;
    const term = match(head);
    if (term === null) {
      keyword.push(expect(freeWords, 'Words are separated by spaces')[0]);
      continue;
    }
    const [, minus, name = '', sign, second] = term;
    if (second !== undefined && sign !== ':')
      throw new CriterionError(
        `'${sign}${second}' is not a comparison. Allowed are: : = != < <= > >=`,
      );
    const values: TypedValue[] = [];
    const names = findFields(list, name);
    do {
      const first = typedValue(expect(value, `'${typed.slice(start, index)}' needs a value`));
      const words = names.length === 1 ? wordsAfter(typed, index, first) : [];
      const taken = selectWords(getField(list, names[0] ?? 'id'), first, words);
      values.push(taken.at(-1)?.value ?? first);
      index = taken.at(-1)?.end ?? index;
    } while (match(comma) !== null);

    const paramName = onlyField(list, names, name, typed.slice(start, index));
    const field = getField(list, paramName);
    if (criteria.some((other) => other.paramName === paramName))
      throw new CriterionError(`${field.label} can be used only once`);
    const condition = typedCondition(field, (second ?? sign) as TypedSign, values, timeZone);
    const operator = minus === '-' ? opposite(condition.operator, field.label) : condition.operator;
    const criterion = { paramName, ...condition, operator };
    criteriaConditions(list, [criterion], { now: 0, timeZone });
    criteria.push(criterion);
  }
  return { kind: 'search', criteria, keyword: keyword.join(' ') };
}

function typedValue([written, starBefore, quoted, starAfter]: RegExpExecArray): TypedValue {
  if (quoted !== undefined) {
    return {
      text: quoted.replaceAll('""', '"'),
      quoted: true,
      anyBefore: starBefore === '*',
      anyAfter: starAfter === '*',
    };
  }
  const text = written.replace(/^\*|\*$/g, '');
  return {
    text,
    quoted: false,
    anyBefore: written.startsWith('*'),
    anyAfter: written.length > 1 && written.endsWith('*'),
  };
}

/** A value extended by one more word, and the end of that word. */
interface LongerValue {
  readonly value: TypedValue;
  readonly end: number;
}

/** Returns the words that may belong to an unquoted value: up to the next field, quote or comma, or to a star that ends it. */
function wordsAfter(typed: string, index: number, first: TypedValue): readonly LongerValue[] {
  if (first.quoted || first.anyAfter || first.text === '') return [];
  const longer: LongerValue[] = [];
  let end = index;
  let last = first;
  while (!last.anyAfter) {
    nextWord.lastIndex = end;
    const [written = '', word = ''] = nextWord.exec(typed) ?? [];
    head.lastIndex = end + written.length - word.length;
    if (word === '' || head.test(typed)) break;
    const anyAfter = word.length > 1 && word.endsWith('*');
    end += written.length;
    last = { ...last, text: `${last.text} ${anyAfter ? word.slice(0, -1) : word}`, anyAfter };
    longer.push({ value: last, end });
  }
  return longer;
}

/** Returns the words that the field's value consumes. */
function selectWords(
  { kind, choices }: Field<FieldKind, unknown>,
  first: TypedValue,
  words: readonly LongerValue[],
): readonly LongerValue[] {
  switch (kind) {
    case 'text':
    case 'prose':
    case 'tags':
      return words;
    case 'identifier':
      // A bulletin or a KB is one word, "Debian 12" is not.
      return /\d/.test(first.text) ? [] : words;
    case 'choice': {
      const known = (choices ?? []).map((one) => fold(String(one)));
      const last = words.findLastIndex(({ value: { text } }) => known.includes(fold(text)));
      return words.slice(0, last + 1);
    }
    default:
      return [];
  }
}

/** Returns the fields that the typed name can mean: the one with that name, or else all that begin with it. */
function findFields(list: ListDefinition, typed: string): readonly string[] {
  const getWireName = (name: string) => list.filterName[name] ?? name;
  const filterFields = (fits: (name: string) => boolean) =>
    list.searchable.filter((name) =>
      [getWireName(name), name, getField(list, name).label.replaceAll(' ', '')]
        .map(fold)
        .some(fits),
    );
  const word = fold(typed);
  const exact = filterFields((name) => name === word);
  return exact.length > 0 ? exact.slice(0, 1) : filterFields((name) => name.startsWith(word));
}

function onlyField(
  list: ListDefinition,
  [begun, ...others]: readonly string[],
  typed: string,
  term: string,
): string {
  const getWireName = (name: string) => list.filterName[name] ?? name;
  if (begun === undefined) {
    const allowed = list.searchable.map(getWireName).join(', ');
    throw new CriterionError(
      `The field '${typed}' is not valid. Allowed fields are: ${allowed}. To search for the words, write "${term}"`,
    );
  }
  if (others.length > 0)
    throw new CriterionError(
      `'${typed}' can mean ${[begun, ...others].map(getWireName).join(' or ')}`,
    );
  return begun;
}

const opposites: readonly (readonly [Operator, Operator])[] = [
  ['equal', 'not_equal'],
  ['contains', 'not_contains'],
  ['in', 'not_in'],
  ['less_than', 'greater_than_or_equal'],
  ['greater_than', 'less_than_or_equal'],
  ['is_null', 'is_not_null'],
];

function opposite(operator: Operator, label: string): Operator {
  const pair = opposites.find((both) => both.includes(operator));
  if (pair === undefined)
    throw new CriterionError(`${label}: '${operator.replaceAll('_', ' ')}' cannot be negated`);
  return pair[0] === operator ? pair[1] : pair[0];
}

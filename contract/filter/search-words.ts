/**
 * What a person types into the search bar: `severity:critical,important -title:beta releaseDate:<30d open ssl`. A field's name
 * is one of its names or its label, or a beginning that only it has; words without a field are the keyword.
 *
 *     title:ssl  title:open*  title=exact  title!=x  -title:beta     words; several with commas; "in quotes" as they are
 *     cve:*  -cve:*                                                  has any, has none
 *     size>10mb  id:5..9  id:5..                                     numbers and ranges
 *     releaseDate:2024  >=2024-03  2024-01-01..2024-02-01  today     dates in the person's time zone
 *     releaseDate:<30d  >8h                                          less and more than so long ago
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Operator } from '@patch/catalogue/definition/operators.ts';
import { criteriaConditions } from './criteria-conditions.ts';
import { CriterionError, type FieldCriterion } from './criterion.ts';
import { type TypedSign, type TypedValue, typedCondition } from './typed-values.ts';

export type SearchWords =
  | {
      readonly kind: 'search';
      readonly criteria: readonly FieldCriterion[];
      readonly keyword: string;
    }
  /** Why it cannot be asked, in a sentence that says what can. */
  | { readonly kind: 'problem'; readonly problem: string };

const space = /\s*/y;
const comma = /,\s*/y;
const head = /(-?)([A-Za-z_]\w*)\s*(!=|>=|<=|[:=<>])(?!\/\/)\s*(>=|<=|[<>])?/y;
const value = /(\*?)"((?:[^"]|"")*)"(\*?)(?=[\s,]|$)|[^\s,"]+/y;
const freeWords = /"((?:[^"]|"")*)"(?=\s|$)|[^\s"]\S*/y;

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
      const [written, quoted] = expect(freeWords, 'Words are separated by spaces');
      keyword.push(quoted?.replaceAll('""', '"') ?? written);
      continue;
    }
    const [, minus, name = '', sign, second] = term;
    if (second !== undefined && sign !== ':')
      throw new CriterionError(
        `'${sign}${second}' is not a comparison. Allowed are: : = != < <= > >=`,
      );
    const values: TypedValue[] = [];
    do values.push(typedValue(expect(value, `'${typed.slice(start, index)}' needs a value`)));
    while (match(comma) !== null);

    const paramName = fieldTyped(list, name, typed.slice(start, index));
    const field = fieldOf(list, paramName);
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

function fieldTyped(list: ListDefinition, typed: string, term: string): string {
  const asked = (name: string) => list.filterName[name] ?? name;
  const named = (fits: (name: string) => boolean) =>
    list.searchable.filter((name) =>
      [asked(name), name, fieldOf(list, name).label.replaceAll(' ', '')].map(fold).some(fits),
    );
  const word = fold(typed);
  const [exact] = named((name) => name === word);
  if (exact !== undefined) return exact;
  const [begun, ...others] = named((name) => name.startsWith(word));
  if (begun === undefined) {
    const allowed = list.searchable.map(asked).join(', ');
    throw new CriterionError(
      `The field '${typed}' is not valid. Allowed fields are: ${allowed}. To search for the words, write "${term}"`,
    );
  }
  if (others.length > 0)
    throw new CriterionError(`'${typed}' can mean ${[begun, ...others].map(asked).join(' or ')}`);
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

/** Denials of a query: `not superseded` is a criterion that excludes, and what no criterion can exclude is left out with its denial. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { isOfWords } from '@patch/contract/filter/wire-operators.ts';
import { isTaken as isWithin, type Meant, type NamedValue, type Span } from './found-spans.ts';
import {
  connecting,
  denying,
  denyingBefore,
  fillers,
  isGrammar,
  joining,
  joiningDenied,
} from './grammar-words.ts';
import type { NameDictionary } from './name-dictionary.ts';
import { cveField, listedField } from './query-meanings.ts';
import { isRecordNumber } from './query-parts.ts';
import type { Term } from './query-terms.ts';
import type { KnownWords } from './spelling.ts';

/** Returns the span with the words that deny it; null where none do. */
export function findDenial(
  terms: readonly Term[],
  { start, length }: Span,
  isTaken: (at: number) => boolean,
  isFlag: boolean,
  paramName: string,
): Span | null {
  const wordAt = (at: number) => terms[at]?.word ?? '';
  const isFiller = (word: string) => fillers.has(word) || (isFlag && connecting.has(word));
  let at = start - 1;
  while (!isTaken(at) && isFiller(wordAt(at)) && !denying.has(wordAt(at))) at -= 1;
  const word = wordAt(at);
  // `kb no 5063878` and `cve no …` have a number.
  const isNumbered = word === 'no' && paramName === cveField;
  if (denying.has(word) && !isTaken(at) && !isNumbered)
    return { start: at, length: start + length - at };
  const next = wordAt(start + length);
  const isEnd = isFlag && next === 'no' && start + length === terms.length - 1;
  return denyingBefore.has(next) || isEnd ? { start, length: length + 1 } : null;
}

export interface MeantValue extends NamedValue {
  readonly isDenied: boolean;
}

/**
 * Returns the values with what denies them.
 * @param found - in the order of the query
 */
export function findDenials(
  list: ListDefinition,
  terms: readonly Term[],
  found: readonly NamedValue[],
): readonly MeantValue[] {
  const meant: MeantValue[] = [];
  for (const [n, one] of found.entries()) {
    const { paramName } = one.criterion;
    const isFlag = isFlagLike(list, paramName);
    const denial = findDenial(terms, one, (at) => isWithin(found, at), isFlag, paramName);
    const [before, namedBefore] = [meant[n - 1], found[n - 1]];
    const isContinued =
      before?.isDenied === true &&
      namedBefore !== undefined &&
      continuesDenial(list, terms, namedBefore, one);
    meant.push({ ...one, ...denial, isDenied: denial !== null || isContinued });
  }
  return meant;
}

const isFlagLike = (list: ListDefinition, paramName: string): boolean =>
  getField(list, paramName).kind === 'flag' || paramName === listedField;

/** Returns true for the second of `not superseded or exploited` and of `except debian and ubuntu`. */
function continuesDenial(
  list: ListDefinition,
  terms: readonly Term[],
  before: NamedValue,
  { start, criterion }: NamedValue,
): boolean {
  const end = before.start + before.length;
  const between = terms.slice(end, start).map(({ word }) => word);
  if (before.criterion.paramName === criterion.paramName)
    return between.length === 0
      ? terms[end - 1]?.isListed === true
      : between.every((word) => joining.has(word));
  const areFlags = [before.criterion, criterion].every(({ paramName }) =>
    isFlagLike(list, paramName),
  );
  return areFlags && between.length > 0 && between.every((word) => joiningDenied.has(word));
}

const excludingOperators = {
  equal: 'not_equal',
  in: 'not_in',
  contains: 'not_contains',
  is_not_null: 'is_null',
} as const satisfies Partial<Record<FieldCriterion['operator'], FieldCriterion['operator']>>;

/** Returns null for a criterion that has no opposite. */
function toExcluding(criterion: FieldCriterion, names: NameDictionary): FieldCriterion | null {
  const { paramName, operator } = criterion;
  if (operator === 'start_with') {
    const value = names.listValues(criterion);
    const isOnly = names.listValues({ ...criterion, operator: 'contains' }).length === value.length;
    return isOnly
      ? { ...criterion, operator: 'not_contains' }
      : { paramName, operator: 'not_in', value };
  }
  return operator in excludingOperators
    ? { ...criterion, operator: excludingOperators[operator as keyof typeof excludingOperators] }
    : null;
}

/** Finds the denied words that are no value of a field. The number of a record is excluded where the list can search it. */
export function findDeniedWords(
  list: ListDefinition,
  terms: readonly Term[],
  taken: readonly Span[],
  texts: KnownWords | null,
): readonly Meant[] {
  const isFree = (at: number) => at >= 0 && at < terms.length && !isWithin(taken, at);
  const wordAt = (at: number) => terms[at]?.word ?? '';
  return terms.flatMap(({ word }, at): readonly Meant[] => {
    if (!isFree(at)) return [];
    if (denyingBefore.has(word) && word !== 'false')
      return isFree(at - 1) && !isGrammar(wordAt(at - 1))
        ? [{ start: at - 1, length: 2, criterion: null }]
        : [];
    if (!denying.has(word)) return [];
    let denied = at + 1;
    while (isFree(denied) && fillers.has(wordAt(denied))) denied += 1;
    if (!isFree(denied) || texts?.isInTitle([word, wordAt(denied)]) === true) return [];
    const span = { start: at, length: denied - at + 1 };
    if (!isRecordNumber(wordAt(denied))) return [{ ...span, criterion: null }];
    return word === 'no' ? [] : [{ ...span, criterion: excludeRecord(list, terms[denied]?.text) }];
  });
}

function excludeRecord(list: ListDefinition, value = ''): FieldCriterion | null {
  const [paramName = ''] = list.identity;
  const canExclude =
    list.searchable.includes(paramName) && isOfWords(getField(list, paramName).kind);
  return canExclude ? { paramName, operator: 'not_contains', value } : null;
}

/** Gives the values of one field one criterion: those that are joined together, without those that are excluded. */
export function joinValues(values: readonly MeantValue[], names: NameDictionary): readonly Meant[] {
  const byField = Map.groupBy(values, ({ criterion }) => criterion.paramName);
  const joined = new Map(
    Array.from(byField, ([paramName, ofField]) => [paramName, joinField(ofField, names)] as const),
  );
  return values.map(({ start, length, criterion: { paramName }, isDenied }): Meant => {
    const { criterion = null, isDenialUsed = true } = joined.get(paramName) ?? {};
    return { start, length, criterion: isDenied && !isDenialUsed ? null : criterion };
  });
}

function joinField(
  values: readonly MeantValue[],
  names: NameDictionary,
): { readonly criterion: FieldCriterion | null; readonly isDenialUsed?: boolean } {
  const [wanted, denied] = [false, true].map((isDenied) =>
    unique(values.filter((value) => value.isDenied === isDenied).map((value) => value.criterion)),
  );
  const [first, second] = wanted ?? [];
  const [excluded, further] = denied ?? [];
  const listAll = (criteria: readonly FieldCriterion[] = []) =>
    new Set(criteria.flatMap((criterion) => listValues(criterion, names)));
  if (first === undefined)
    return excluded === undefined || further === undefined
      ? { criterion: excluded === undefined ? null : toExcluding(excluded, names) }
      : { criterion: { ...excluded, operator: 'not_in', value: [...listAll(denied)] } };
  if (second === undefined && excluded === undefined) return { criterion: first };
  const all = listAll(wanted);
  const rest = all.difference(listAll(denied));
  const isDenialUsed = rest.size > 0 && rest.size < all.size;
  const left = isDenialUsed ? rest : all;
  return second === undefined && !isDenialUsed
    ? { criterion: first, isDenialUsed }
    : { criterion: { ...first, operator: 'in', value: [...left] }, isDenialUsed };
}

const unique = (criteria: readonly FieldCriterion[]): readonly FieldCriterion[] => [
  ...new Map(criteria.map((criterion) => [JSON.stringify(criterion), criterion])).values(),
];

/** Returns the values that the criterion finds, of a flag none. */
function listValues(criterion: FieldCriterion, names: NameDictionary): readonly string[] {
  if (names.has(criterion.paramName)) return names.listValues(criterion);
  const { value } = criterion;
  return (Array.isArray(value) ? value : [value]).flatMap((each) =>
    typeof each === 'string' ? each : [],
  );
}

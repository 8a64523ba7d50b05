/** Generates random searches of a list, mostly for values of its rows. */
import {
  isCriterionOnly,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { wireOperatorsOfKind } from '@patch/contract/filter/wire-operators.ts';
import { pick, type Random } from './odd-catalogue.ts';
import {
  getValue,
  hasWords,
  type PlainCondition,
  type PlainField,
  type PlainFields,
  type PlainRow,
  type PlainSort,
} from './plain-search.ts';

export interface RandomSearch {
  readonly conditions: readonly PlainCondition[];
  readonly terms: readonly string[];
  /** The terms as typed. */
  readonly keyword: string;
  /** The keyword if it may be the name of a record, else null. */
  readonly name: string | null;
  readonly sort: readonly PlainSort[];
  /** True only for a list that folds records. */
  readonly includeFolded: boolean;
}

export function randomSearch(
  random: Random,
  list: ListDefinition,
  fields: PlainFields,
  rows: readonly PlainRow[],
): RandomSearch {
  const count = pick(random, [0, 1, 1, 1, 2, 2, 3]);
  const conditions = Array.from({ length: count }, () =>
    randomCondition(
      random,
      pick(
        random,
        list.searchable.filter((name) => !isCriterionOnly(list, name)),
      ),
      fields,
      rows,
    ),
  );
  const terms = random() < 0.55 ? [] : randomTerms(random, list, rows);
  const keyword = terms.map((term) => (term.includes(' ') ? `"${term}"` : term)).join(' ');
  const named = namedOrders(list);
  const sort =
    named.length > 0 && random() < 0.3
      ? pick(random, named)
      : randomSort(random, Object.keys(fields));
  // Keys drawn one by one may be those of a named order, too.
  const isNamed = named.some((order) => JSON.stringify(order) === JSON.stringify(sort));
  const [only = isNamed ? '' : null, ...others] = terms;
  const name = others.length === 0 ? only : keyword;
  return {
    conditions,
    terms,
    keyword,
    name: isNamed || sort.length === 0 ? name : null,
    sort,
    includeFolded: Object.hasOwn(fields, 'folded') && random() < 0.3,
  };
}

const descending = true;

/** Returns the order with which the list of all patches opens, none for other lists. */
export const openingOrder = ({ key }: ListDefinition): readonly PlainSort[] =>
  key === 'all_patches'
    ? [
        { field: 'exploited', descending, onlyIf: 'exploited' },
        { field: 'releaseDate', descending, onlyIf: 'exploited' },
        ...['ransomware', 'ratedSeverity', 'releaseDate', 'epss'].map((field) => ({
          field,
          descending,
        })),
      ]
    : [];

/** Returns the orders that have names: superseded records are last in them. */
const namedOrders = (list: ListDefinition): readonly (readonly PlainSort[])[] =>
  list.key === 'all_patches'
    ? [
        openingOrder(list),
        [
          { field: 'releaseDate', descending },
          { field: 'ratedSeverity', descending },
        ],
      ]
    : [];

function randomSort(random: Random, names: readonly string[]): readonly PlainSort[] {
  const fields = Array.from({ length: pick(random, [0, 0, 1, 1, 1, 2]) }, () =>
    pick(random, names),
  );
  return [...new Set(fields)].map((field) => ({ field, descending: random() < 0.5 }));
}

function randomCondition(
  random: Random,
  field: string,
  fields: PlainFields,
  rows: readonly PlainRow[],
): PlainCondition {
  const definition = fields[field];
  if (definition === undefined) throw new Error(`No field ${field}`);
  const operator = pick(random, wireOperatorsOfKind(definition.kind));
  const value = () => randomValue(random, field, rows, definition);
  if (operator.endsWith('null')) return { field, operator, values: [] };
  if (operator === 'between') {
    const [low, high] = [Number(value()), Number(value())].toSorted((a, b) => a - b);
    return { field, operator, values: [low ?? 0, high ?? 0] };
  }
  if (operator.endsWith('in'))
    return { field, operator, values: Array.from({ length: pick(random, [1, 2, 4]) }, value) };
  if (operator.endsWith('like'))
    return { field, operator, values: [randomPattern(random, String(value()))] };
  return { field, operator, values: [value()] };
}

function randomValue(
  random: Random,
  field: string,
  rows: readonly PlainRow[],
  definition: PlainField,
): string | number | boolean {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const value = getValue(pick(random, rows), field);
    const one: unknown = Array.isArray(value) ? pick(random, value) : value;
    if (typeof one === 'string') return random() < 0.1 ? one.toUpperCase() : one;
    if (typeof one === 'boolean') return one;
    if (typeof one === 'number') return random() < 0.8 ? one : one + pick(random, [-1, 1]);
  }
  if (definition.kind === 'flag') return random() < 0.5;
  return hasWords(definition)
    ? pick(random, ['critical', 'zzz', '%', "o'neil", ''])
    : pick(random, [0, 7]);
}

function randomPattern(random: Random, text: string): string {
  if (random() < 0.1) return pick(random, ['%', '_%', '%_', '%e%l%', '', '%%', '\\%%', '%s__']);
  const characters = Array.from(text);
  const from = Math.floor(random() * characters.length);
  const part =
    random() < 0.4 ? text : characters.slice(from, from + pick(random, [1, 2, 4, 9])).join('');
  const literal = part.replaceAll(/[\\%_]/g, '\\$&');
  return pick(random, [`%${literal}%`, `%${literal}%`, `${literal}%`, `%${literal}`, literal]);
}

/** Returns words, parts of words, phrases and names of a row. */
function randomTerms(
  random: Random,
  list: ListDefinition,
  rows: readonly PlainRow[],
): readonly string[] {
  const row = pick(random, rows);
  const terms = Array.from({ length: pick(random, [1, 1, 1, 2, 3]) }, () => {
    const line = pick(random, row.words.length === 0 || random() < 0.05 ? ['zzz'] : row.words);
    if (random() < 0.25) return line;
    const word = pick(random, line.split(' '));
    if (/^kb\d{5,}$/.test(word) && random() < 0.5) return word.slice(2);
    const from = Math.floor(random() * word.length);
    return random() < 0.5 ? word : word.slice(from, from + pick(random, [2, 3, 6]));
  });
  // Packages with versions are also found in other ways, which package-keyword.test.ts tests.
  const isPackage = (term: string) =>
    list.detail.packages !== undefined && (/[-_=]\d/.test(term) || term.includes(':'));
  const usable = terms.filter(
    (term) => term.trim() === term && term !== '' && !/["\n]/.test(term) && !isPackage(term),
  );
  const isWellFormed = usable.every((term) => term.isWellFormed());
  const isVersion = list.detail.packages !== undefined && /^\d/.test(usable[1] ?? '');
  return isWellFormed && !isVersion ? usable : [];
}

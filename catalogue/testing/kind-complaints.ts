/**
 * Finds fields whose kind does not fit the values of the fixtures: types distinguish a date from a word, but not an address or an
 * identifier from text.
 */
import type { Entry } from '../definition/feed.ts';
import type { FieldKind } from '../definition/field-kinds.ts';
import type { Field, Fields } from '../definition/fields.ts';
import type { ListDefinition } from '../definition/list-definition.ts';

type AnyField = Field<FieldKind, unknown>;

interface Rule {
  readonly of: readonly FieldKind[];
  readonly use: FieldKind;
  readonly because: string;
  /** The rule needs at least so many different values. */
  readonly atLeast?: number;
  /** A field of this name may contain anything. */
  readonly exceptFor?: string;
  /** Returns whether a value fits the other kind. */
  readonly fits: (value: unknown) => boolean;
}

const matches = (expression: RegExp) => (value: unknown) =>
  typeof value === 'string' && expression.test(value);
const date = matches(/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/);
const identifierLike = matches(/^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9.+~]+([-:][A-Za-z0-9.+~]+)+$/);
const firstTime = Date.UTC(1990, 0, 1);
const lastTime = Date.UTC(2200, 0, 1);

const rules: readonly Rule[] = [
  {
    of: ['text', 'prose', 'identifier', 'choice'],
    use: 'link',
    because: 'are web addresses',
    fits: matches(/^https?:\/\/\S+$/),
  },
  { of: ['text', 'prose', 'identifier', 'choice'], use: 'date', because: 'are dates', fits: date },
  {
    of: ['text', 'prose', 'choice'],
    use: 'identifier',
    because: 'are identifiers',
    atLeast: 2,
    exceptFor: 'title',
    fits: identifierLike,
  },
  { of: ['tags'], use: 'identifiers', because: 'are CVEs', fits: matches(/^CVE-\d{4}-\d{4,}$/) },
  {
    of: ['text', 'prose', 'identifier'],
    use: 'flag',
    because: 'are yes or no',
    fits: matches(/^(true|false)$/i),
  },
  {
    of: ['number', 'size'],
    use: 'date',
    because: 'are epoch milliseconds',
    fits: (value) => typeof value === 'number' && value >= firstTime && value < lastTime,
  },
  {
    of: ['text', 'identifier'],
    use: 'prose',
    because: 'have more than 400 letters',
    fits: matches(/^[\s\S]{401,}$/),
  },
  { of: ['identifier'], use: 'text', because: 'are sentences', fits: matches(/^\S+( \S+){6,}$/) },
];

/** Returns one complaint for each field whose values, in all entries that have one, fit another kind. */
export function kindComplaints(list: ListDefinition, entries: readonly Entry[]): string[] {
  const ofList = entries.filter((entry) => entry.list.key === list.key);
  const getRows = (of: 'row' | 'detail') =>
    ofList.map((entry) => entry[of] as Readonly<Record<string, unknown>>);
  const tables = Object.entries(list.detail.tables).flatMap(([table, { fields }]) =>
    complaintsAbout(
      `${list.key}.${table}`,
      fields,
      getRows('detail').flatMap((detail) => (detail[table] ?? []) as Record<string, unknown>[]),
    ),
  );
  return [
    ...complaintsAbout(list.key, list.fields, getRows('row')),
    ...complaintsAbout(list.key, list.detail.facts, getRows('detail')),
    ...tables,
  ];
}

function complaintsAbout(
  table: string,
  fields: Fields,
  rows: readonly Readonly<Record<string, unknown>>[],
): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const values = rows.flatMap((row) => row[name] ?? []).filter((value) => value !== null);
    const different = new Set(values).size;
    const rule = rules.find(
      ({ of, atLeast = 1, exceptFor, fits }) =>
        of.includes(field.kind) && name !== exceptFor && different >= atLeast && values.every(fits),
    );
    const example = JSON.stringify(values[0])?.slice(0, 80);
    if (rule !== undefined)
      return [
        `${table}.${name} is ${field.kind}, but its values ${rule.because} (${example}): use ${rule.use}`,
      ];
    return noneOfItsChoices(field, values)
      ? [`${table}.${name}: no value of the fixtures is among its choices (${example})`]
      : [];
  });
}

function noneOfItsChoices({ kind, choices = [] }: AnyField, values: readonly unknown[]): boolean {
  return kind === 'choice' && values.length > 0 && !values.some((value) => choices.includes(value));
}

/** Kinds that a name must have in every list or in none; text, tags and identifiers may differ by list. */
const fixedKinds: readonly FieldKind[] = [
  'date',
  'number',
  'decimal',
  'size',
  'flag',
  'link',
  'identifiers',
];

/** Finds fields and facts with such a kind in one list and another kind in another list. */
export function namesOfTwoKinds(lists: readonly ListDefinition[]): string[] {
  const all = lists.flatMap((list) =>
    Object.entries({ ...list.fields, ...list.detail.facts }).map(([name, { kind }]) => ({
      list: list.key,
      name,
      kind,
    })),
  );
  return all.flatMap(({ list, name, kind }) => {
    const other = all.find(
      (one) => one.name === name && one.kind !== kind && fixedKinds.includes(one.kind),
    );
    return other === undefined
      ? []
      : [`${list}.${name} is ${kind}, but ${other.list}.${name} is ${other.kind}`];
  });
}

/** What the search bar offers for the words typed so far: the keyword, fields not yet asked, and the known values of a field. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  fieldAsked,
  fieldOf,
  type ListDefinition,
} from '@patch/catalogue/definition/list-definition.ts';
import { relativeTimesOffered } from '@patch/contract/dates/relative-date.ts';
import { readSearchWords } from '@patch/contract/filter/search-words.ts';
import { relativeTimeText } from '../values/criterion-text.ts';
import type { RequestedSearch } from './asked-search.ts';

export type Suggestion =
  /** Search for the words as they are typed; `instead` of the keyword that is asked already, where one is. */
  | { readonly kind: 'words'; readonly typed: string; readonly instead?: string }
  /** Search for these words and for the keyword that is asked already. */
  | { readonly kind: 'also'; readonly typed: string; readonly keyword: string }
  /** Ask that field; `rest` is what stays typed. */
  | {
      readonly kind: 'field';
      readonly paramName: string;
      readonly label: string;
      readonly rest: string;
    }
  /** The typed words with the value filled in. */
  | { readonly kind: 'value'; readonly typed: string; readonly label: string };

export function suggestionsFor(
  list: ListDefinition,
  { criteria: asked, keyword }: RequestedSearch,
  typed: string,
): readonly Suggestion[] {
  const [, before = '', last = ''] = /^(.*?)(\S*)$/s.exec(typed) ?? [];
  const [, name = '', sign = '', begun = ''] = /^(-?\w+)(:|!?=)(.*)$/s.exec(last) ?? [];
  if (sign !== '') return valuesFor(list, `${before}${name}${sign}`, name.replace(/^-/, ''), begun);

  const word = fold(last);
  const fields = list.searchable
    .filter((paramName) => !asked.some((criterion) => criterion.paramName === paramName))
    .map((paramName) => ({ paramName, label: fieldOf(list, paramName).label }))
    .filter(
      ({ paramName, label }) =>
        word === '' || fold(label).includes(word) || fold(paramName).startsWith(word),
    )
    .map(
      ({ paramName, label }): Suggestion => ({
        kind: 'field',
        paramName,
        label,
        rest: before.trim(),
      }),
    );
  return [...searchesFor(list, keyword, typed), ...fields];
}

/** Words without a field replace the keyword or join it: both are said. */
function searchesFor(list: ListDefinition, keyword: string, typed: string): readonly Suggestion[] {
  if (typed.trim() === '') return [];
  const read = readSearchWords(list, typed, 'UTC');
  if (keyword === '' || read.kind === 'problem' || read.keyword === '')
    return [{ kind: 'words', typed }];
  return [
    { kind: 'words', typed, instead: keyword },
    { kind: 'also', typed, keyword },
  ];
}

/** A value may hold several with commas between; the last one is being typed. */
function valuesFor(
  list: ListDefinition,
  head: string,
  asked: string,
  begun: string,
): readonly Suggestion[] {
  const paramName =
    list.searchable.find((name) => fold(name) === fold(asked)) ?? fieldAsked(list, asked);
  if (paramName === undefined) return [];
  const [, earlier = '', part = ''] = /^(.*,)?([^,]*)$/s.exec(begun) ?? [];
  const known = knownValues(list, paramName).filter(({ value, label }) =>
    [value, label].some((word) => fold(word).startsWith(fold(part))),
  );
  const fillings = known.map(({ value, label }): Suggestion => {
    const written = /[\s,"]/.test(value) ? `"${value}"` : value;
    return { kind: 'value', typed: `${head}${earlier}${written}`, label };
  });
  return begun === '' ? fillings : [{ kind: 'words', typed: `${head}${begun}` }, ...fillings];
}

function knownValues(
  list: ListDefinition,
  paramName: string,
): readonly { readonly value: string; readonly label: string }[] {
  const { kind, choices = [], dueBy = false } = fieldOf(list, paramName);
  if (kind === 'flag')
    return ['yes', 'no'].map((value) => ({ value, label: value === 'yes' ? 'Yes' : 'No' }));
  if (kind === 'date') {
    return relativeTimesOffered({ dueBy })
      .filter((time) => time !== 'custom')
      .map((value) => ({ value, label: relativeTimeText(value) }));
  }
  return choices.toReversed().map((choice) => ({ value: String(choice), label: String(choice) }));
}

/** Suggestions of the search bar: keyword, fields without a criterion, known values of a field. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import {
  getField,
  type ListDefinition,
  resolveField,
} from '@patch/catalogue/definition/list-definition.ts';
import { listRelativeTimes } from '@patch/contract/dates/relative-date.ts';
import { readSearchWords } from '@patch/contract/filter/search-words.ts';
import type { CountedQuery } from '@patch/contract/records/query-reading-endpoint.ts';
import { relativeTimeText } from '../../values/criterion-text.ts';
import type { RequestedSearch } from '../criteria/typed-search.ts';

export type Suggestion =
  /** Search for what the typed words mean. */
  | { readonly kind: 'reading'; readonly typed: string; readonly reading: CountedQuery }
  /** Search for the typed words, `instead` of the current keyword if there is one. `asWritten` beside what they mean. */
  | {
      readonly kind: 'words';
      readonly typed: string;
      readonly instead?: string;
      readonly asWritten?: boolean;
    }
  /** Search for the current keyword and the typed words. */
  | { readonly kind: 'also'; readonly typed: string; readonly keyword: string }
  /** Pick a value of the field; `rest` stays typed. */
  | {
      readonly kind: 'field';
      readonly paramName: string;
      readonly label: string;
      readonly rest: string;
    }
  /** Typed words, completed with a value. */
  | { readonly kind: 'value'; readonly typed: string; readonly label: string };

export function getSuggestions(
  list: ListDefinition,
  { criteria, keyword }: RequestedSearch,
  typed: string,
): readonly Suggestion[] {
  const [, before = '', last = ''] = /^(.*?)(\S*)$/s.exec(typed) ?? [];
  const [, name = '', sign = '', typedValue = ''] = /^(-?\w+)(:|!?=)(.*)$/s.exec(last) ?? [];
  if (sign !== '')
    return getValueSuggestions(list, `${before}${name}${sign}`, name.replace(/^-/, ''), typedValue);

  const word = fold(last);
  const fields = list.searchable
    .filter((paramName) => !criteria.some((criterion) => criterion.paramName === paramName))
    .map((paramName) => ({ paramName, label: getField(list, paramName).label }))
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
  return [...getWordSuggestions(list, keyword, typed), ...fields];
}

/** Words without a field can replace the keyword or extend it: both are offered. */
function getWordSuggestions(
  list: ListDefinition,
  keyword: string,
  typed: string,
): readonly Suggestion[] {
  if (typed.trim() === '') return [];
  const read = readSearchWords(list, typed, 'UTC');
  if (keyword === '' || read.kind === 'problem' || read.keyword === '')
    return [{ kind: 'words', typed }];
  return [
    { kind: 'words', typed, instead: keyword },
    { kind: 'also', typed, keyword },
  ];
}

/** Completes the last of several values separated by commas. */
function getValueSuggestions(
  list: ListDefinition,
  head: string,
  fieldName: string,
  typedValue: string,
): readonly Suggestion[] {
  const paramName =
    list.searchable.find((name) => fold(name) === fold(fieldName)) ?? resolveField(list, fieldName);
  if (paramName === undefined) return [];
  const [, earlier = '', part = ''] = /^(.*,)?([^,]*)$/s.exec(typedValue) ?? [];
  const known = getKnownValues(list, paramName).filter(({ value, label }) =>
    [value, label].some((word) => fold(word).startsWith(fold(part))),
  );
  const completions = known.map(({ value, label }): Suggestion => {
    const written = /[\s,"]/.test(value) ? `"${value}"` : value;
    return { kind: 'value', typed: `${head}${earlier}${written}`, label };
  });
  return typedValue === ''
    ? completions
    : [{ kind: 'words', typed: `${head}${typedValue}` }, ...completions];
}

function getKnownValues(
  list: ListDefinition,
  paramName: string,
): readonly { readonly value: string; readonly label: string }[] {
  const { kind, choices = [], dueBy = false } = getField(list, paramName);
  if (kind === 'flag')
    return ['yes', 'no'].map((value) => ({ value, label: value === 'yes' ? 'Yes' : 'No' }));
  if (kind === 'date') {
    return listRelativeTimes({ dueBy })
      .filter((time) => time !== 'custom')
      .map((value) => ({ value, label: relativeTimeText(value) }));
  }
  return choices.toReversed().map((choice) => ({ value: String(choice), label: String(choice) }));
}

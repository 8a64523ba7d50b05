/** Applies typed words to the current search, and recognizes identifiers. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import {
  keywordLength,
  keywordName,
  keywordTerms,
  maxKeywordLength,
  writeTerm,
} from '@patch/contract/filter/keyword-terms.ts';
import { readSearchWords } from '@patch/contract/filter/search-words.ts';
import { type ExportFormat, exportFormats } from '@patch/contract/records/export-endpoints.ts';

export interface RequestedSearch {
  readonly criteria: readonly FieldCriterion[];
  readonly keyword: string;
  /** In a change: the order to sort by, null for the usual one. */
  readonly sort?: string | null;
}

export type TypedSearch =
  | ({
      readonly kind: 'search';
      readonly exported: ExportFormat | undefined;
      /** Typed words that the search does without. */
      readonly leftOut?: string;
    } & RequestedSearch)
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'tooLong' };

/** Effect of typed words on the current keyword. */
export type KeywordChange = 'replace' | 'add';

/** Typed criteria replace those of the same field; other words replace the keyword or, with `add`, extend it. */
export function applyTypedSearch(
  list: ListDefinition,
  currentSearch: RequestedSearch,
  typed: string,
  timeZone: string,
  change: KeywordChange = 'replace',
): TypedSearch {
  const { search, exported } = parseExport(typed);
  const words = readSearchWords(list, search, timeZone);
  if (words.kind === 'problem') return words;
  const keyword =
    words.keyword === ''
      ? currentSearch.keyword
      : change === 'add'
        ? joinKeywords(currentSearch.keyword, words.keyword)
        : words.keyword;
  if (keywordLength(keyword) > maxKeywordLength) return { kind: 'tooLong' };
  const criteria = words.criteria.reduce<readonly FieldCriterion[]>(
    withCriterion,
    currentSearch.criteria,
  );
  return {
    kind: 'search',
    criteria,
    keyword,
    exported,
  };
}

/** Splits `exploited:yes export:csv` into search and export format. */
function parseExport(typed: string): {
  readonly search: string;
  readonly exported: ExportFormat | undefined;
} {
  const [, search = '', format = ''] = /^(.*?)(?:^|\s)export:(\w+)\s*$/is.exec(typed) ?? [];
  const exported = exportFormats.find((name) => name === format.toLowerCase());
  const isQuoted = (search.match(/"/g) ?? []).length % 2 === 1;
  return exported === undefined || isQuoted
    ? { search: typed, exported: undefined }
    : { search, exported };
}

/** Returns the terms of both keywords without duplicates. */
export function joinKeywords(a: string, b: string): string {
  const terms = [...keywordTerms(a), ...keywordTerms(b)].map(writeTerm);
  return [...new Set(terms)].join(' ');
}

export function withCriterion(
  criteria: readonly FieldCriterion[],
  criterion: FieldCriterion,
): readonly FieldCriterion[] {
  const known = criteria.some(({ paramName }) => paramName === criterion.paramName);
  return known
    ? criteria.map((old) => (old.paramName === criterion.paramName ? criterion : old))
    : [...criteria, criterion];
}

export const withoutCriterion = (
  criteria: readonly FieldCriterion[],
  paramName: string,
): readonly FieldCriterion[] => criteria.filter((criterion) => criterion.paramName !== paramName);

/** Accepts a single word with a digit: KB5034441, CVE-2024-3094, ALSA-2024:1691, USN-6663-1, a uuid. */
export const looksLikeIdentifier = (keyword: string): boolean =>
  /^(?=.*\d)[\w.:-]{4,}$/.test(keywordName(keyword));

/** Tells whether the keyword equals an identity field of the row. */
export function hasIdentity(list: ListDefinition, row: WireRow, keyword: string): boolean {
  const name = fold(keywordName(keyword));
  return list.identity.some((field) => {
    const value = row[field];
    return typeof value === 'string' && (fold(value) === name || fold(value) === `kb${name}`);
  });
}

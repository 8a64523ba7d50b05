/** What typed words make of the search there is: new criteria join it, one field is asked once, and identifiers are known. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type ExportFormat, exportFormats } from '@patch/contract/export-endpoints.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import {
  keywordLength,
  keywordName,
  keywordTerms,
  maxKeywordLength,
  writeTerm,
} from '@patch/contract/filter/keyword-terms.ts';
import { readSearchWords } from '@patch/contract/filter/search-words.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';

export interface RequestedSearch {
  readonly criteria: readonly FieldCriterion[];
  readonly keyword: string;
}

type SearchTyped =
  | ({ readonly kind: 'search'; readonly exported: ExportFormat | undefined } & RequestedSearch)
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'tooLong' };

/** What typed words do with the keyword that is asked already. */
export type KeywordChange = 'replace' | 'add';

/** Criteria that are typed again replace those of the same field; words without a field replace the keyword, or join it. */
export function searchTyped(
  list: ListDefinition,
  asked: RequestedSearch,
  typed: string,
  timeZone: string,
  change: KeywordChange = 'replace',
): SearchTyped {
  const { search, exported } = typedExport(typed);
  const words = readSearchWords(list, search, timeZone);
  if (words.kind === 'problem') return words;
  const keyword =
    words.keyword === ''
      ? asked.keyword
      : change === 'add'
        ? joinedKeyword(asked.keyword, words.keyword)
        : words.keyword;
  if (keywordLength(keyword) > maxKeywordLength) return { kind: 'tooLong' };
  const criteria = words.criteria.reduce<readonly FieldCriterion[]>(withCriterion, asked.criteria);
  return {
    kind: 'search',
    criteria,
    keyword,
    exported,
  };
}

/** `exploited:yes export:csv` asks for the search and exports what it finds. */
function typedExport(typed: string): {
  readonly search: string;
  readonly exported: ExportFormat | undefined;
} {
  const [, search = '', format = ''] = /^(.*?)(?:^|\s)export:(\w+)\s*$/is.exec(typed) ?? [];
  const exported = exportFormats.find((known) => known === format.toLowerCase());
  const isQuoted = (search.match(/"/g) ?? []).length % 2 === 1;
  return exported === undefined || isQuoted
    ? { search: typed, exported: undefined }
    : { search, exported };
}

/** The terms of both, each once. */
export function joinedKeyword(one: string, other: string): string {
  const terms = [...keywordTerms(one), ...keywordTerms(other)].map(writeTerm);
  return [...new Set(terms)].join(' ');
}

export function withCriterion(
  criteria: readonly FieldCriterion[],
  criterion: FieldCriterion,
): readonly FieldCriterion[] {
  const known = criteria.some(({ paramName }) => paramName === criterion.paramName);
  return known
    ? criteria.map((one) => (one.paramName === criterion.paramName ? criterion : one))
    : [...criteria, criterion];
}

export const withoutCriterion = (
  criteria: readonly FieldCriterion[],
  paramName: string,
): readonly FieldCriterion[] => criteria.filter((criterion) => criterion.paramName !== paramName);

/** One word with a figure in it: KB5034441, CVE-2024-3094, ALSA-2024:1691, USN-6663-1, a uuid. */
export const looksLikeIdentifier = (keyword: string): boolean =>
  /^(?=.*\d)[\w.:-]{4,}$/.test(keywordName(keyword));

/** Whether the keyword is one of the names by which people know the record. */
export function isNamed(list: ListDefinition, row: WireRow, keyword: string): boolean {
  const asked = fold(keywordName(keyword));
  return list.identity.some((name) => {
    const value = row[name];
    return typeof value === 'string' && (fold(value) === asked || fold(value) === `kb${asked}`);
  });
}

/** What typed words make of the search there is: new criteria join it, one field is asked once, and identifiers are known. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { readSearchWords } from '@patch/contract/filter/search-words.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { maxKeywordLength } from '@patch/contract/search-endpoint.ts';

export interface RequestedSearch {
  readonly criteria: readonly FieldCriterion[];
  readonly keyword: string;
}

type SearchTyped =
  | ({ readonly kind: 'search' } & RequestedSearch)
  | { readonly kind: 'problem'; readonly problem: string }
  | { readonly kind: 'tooLong' };

/** Criteria that are typed again replace those of the same field; words without a field replace the keyword. */
export function searchTyped(
  list: ListDefinition,
  asked: RequestedSearch,
  typed: string,
  timeZone: string,
): SearchTyped {
  const words = readSearchWords(list, typed, timeZone);
  if (words.kind === 'problem') return words;
  if (words.keyword.length > maxKeywordLength) return { kind: 'tooLong' };
  const criteria = words.criteria.reduce<readonly FieldCriterion[]>(withCriterion, asked.criteria);
  return {
    kind: 'search',
    criteria,
    keyword: words.keyword === '' ? asked.keyword : words.keyword,
  };
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
  /^(?=.*\d)[\w.:-]{4,}$/.test(keyword);

/** Whether the keyword is one of the names by which people know the record. */
export function isNamed(list: ListDefinition, row: WireRow, keyword: string): boolean {
  const asked = fold(keyword);
  return list.identity.some((name) => {
    const value = row[name];
    return typeof value === 'string' && (fold(value) === asked || fold(value) === `kb${asked}`);
  });
}

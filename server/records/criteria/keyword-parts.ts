/** Splits a keyword into the parts that a row must contain. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import { joinPackageWords } from './package-keyword.ts';

/** Returns the distinct words, phrases and packages of a folded keyword. A row must match each of them. */
export function splitKeyword(list: ListDefinition, keyword: string): readonly string[] {
  const terms = keywordTerms(keyword);
  const texts = terms.map(({ text }) => text);
  const listed = terms.some(({ phrase }) => phrase) ? null : joinPackageWords(list, texts);
  return listed === null ? [...new Set(texts)] : [listed];
}

/** Returns the digits of `kb5034441`; null for anything else. */
export function parseKbNumber(keyword: string): string | null {
  return /^kb(\d{5,})$/.exec(keyword)?.[1] ?? null;
}

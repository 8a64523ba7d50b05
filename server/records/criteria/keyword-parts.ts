/** Splits a keyword into the parts that a row must contain. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import { joinPackageWords, type PackageKeyword, parsePackageKeyword } from './package-keyword.ts';

export interface KeywordPart {
  readonly text: string;
  /** The package that the text names too; null for none. */
  readonly pasted: PackageKeyword | null;
  /** The digits of a KB; null for anything else. */
  readonly kbNumber: string | null;
}

/** Returns the distinct words, phrases and packages of a folded keyword. A row must match each of them. */
export function splitKeyword(list: ListDefinition, keyword: string): readonly KeywordPart[] {
  const terms = keywordTerms(keyword);
  const texts = terms.map(({ text }) => text);
  const listed = terms.some(({ phrase }) => phrase) ? null : joinPackageWords(list, texts);
  return (listed === null ? [...new Set(texts)] : [listed]).map((text) => ({
    text,
    // Words in quotes must be adjacent, as the name and the version of a package are not.
    pasted: text.includes(' ') && listed === null ? null : parsePackageKeyword(list, text),
    kbNumber: parseKbNumber(text),
  }));
}

/** Returns the digits of `kb5034441`; null for anything else. */
export function parseKbNumber(keyword: string): string | null {
  return /^kb(\d{5,})$/.exec(keyword)?.[1] ?? null;
}

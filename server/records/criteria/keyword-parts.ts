/** What a keyword asks for, part by part. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { keywordTerms } from '@patch/contract/filter/keyword-terms.ts';
import { packageOfWords } from './package-keyword.ts';

/** The parts of a keyword, each of which a row must meet: words, phrases, packages. Folded, none twice. */
export function keywordParts(list: ListDefinition, keyword: string): readonly string[] {
  const terms = keywordTerms(keyword);
  const texts = terms.map(({ text }) => text);
  const listed = terms.some(({ phrase }) => phrase) ? null : packageOfWords(list, texts);
  return listed === null ? [...new Set(texts)] : [listed];
}

/** The number of a KB that was typed with its letters; null for anything else. */
export function numberOfKb(keyword: string): string | null {
  return /^kb(\d{5,})$/.exec(keyword)?.[1] ?? null;
}

/**
 * What a keyword asks for: words, and phrases in quotes. A record must contain each of them, in any of its texts and in any order.
 *
 *     critical windows server 2022     four words
 *     "windows server 2022" critical   a phrase and a word
 *     "say ""yes"""                    a quote inside a phrase is doubled
 *     "windows server                  a quote that nothing closes is part of its word
 */
export const maxKeywordLength = 255;

export interface KeywordTerm {
  /** Never empty. */
  readonly text: string;
  /** It was in quotes. */
  readonly phrase: boolean;
}

const space = /\s*/y;
const quoted = /"((?:[^"]|"")*)"(?=\s|$)/y;
const word = /\S+/y;

/** Reads any text; in the order in which the terms were written. Empty quotes ask for nothing. */
export function keywordTerms(keyword: string): readonly KeywordTerm[] {
  return readTerms(keyword).filter(({ text }) => text !== '');
}

function readTerms(keyword: string): readonly KeywordTerm[] {
  const terms: KeywordTerm[] = [];
  for (let index = skipped(keyword, 0); index < keyword.length; index = skipped(keyword, index)) {
    const phrase = matchAt(quoted, keyword, index);
    const found = phrase ?? matchAt(word, keyword, index);
    if (found === null) break;
    terms.push(
      phrase === null
        ? { text: found[0], phrase: false }
        : { text: (phrase[1] ?? '').replaceAll('""', '"'), phrase: true },
    );
    index += found[0].length;
  }
  return terms;
}

const skipped = (keyword: string, index: number) =>
  index + (matchAt(space, keyword, index)?.[0].length ?? 0);

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** A term as it is written in a keyword: in quotes where it was a phrase. */
export function writeTerm({ text, phrase }: KeywordTerm): string {
  return phrase ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The keyword that asks for a text as a whole: in quotes, unless it is one word anyway. */
export function exactKeyword(text: string): string {
  const [only, ...others] = readTerms(text);
  const isWord = only?.text === text && !only.phrase && others.length === 0;
  return isWord ? text : writeTerm({ text, phrase: true });
}

/** What a record would be called that the keyword names: its only term, else the whole of what was typed. */
export function keywordName(keyword: string): string {
  const [only, ...others] = keywordTerms(keyword);
  return only !== undefined && others.length === 0 ? only.text : keyword.trim();
}

/** Characters without the quotes around phrases, each doubled quote as one: what `maxKeywordLength` limits. */
export function keywordLength(keyword: string): number {
  // Nothing that is longer is short enough without its quotes; it is not read.
  if (keyword.length > 4 * maxKeywordLength) return keyword.length;
  return readTerms(keyword).reduce(
    (length, term) => length - (writeTerm(term).length - term.text.length),
    keyword.length,
  );
}

/**
 * Splits a keyword into words and phrases in quotes. A record must contain each of them, in any of its texts and in any order.
 *
 *     critical windows server 2022     four words
 *     "windows server 2022" critical   a phrase and a word
 *     "say ""yes"""                    a quote inside a phrase is doubled
 *     "windows server                  a quote without its end is part of its word
 */
export const maxKeywordLength = 255;

export interface KeywordTerm {
  /** Never empty. */
  readonly text: string;
  /** True when it was in quotes. */
  readonly phrase: boolean;
}

const space = /\s*/y;
const quoted = /"((?:[^"]|"")*)"(?=\s|$)/y;
const word = /\S+/y;

/** Reads any text, and returns terms in the order in which they were written, without empty quotes. */
export function keywordTerms(keyword: string): readonly KeywordTerm[] {
  return readTerms(keyword).filter(({ text }) => text !== '');
}

function readTerms(keyword: string): readonly KeywordTerm[] {
  const terms: KeywordTerm[] = [];
  for (
    let index = skipSpace(keyword, 0);
    index < keyword.length;
    index = skipSpace(keyword, index)
  ) {
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

const skipSpace = (keyword: string, index: number) =>
  index + (matchAt(space, keyword, index)?.[0].length ?? 0);

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}

/** Writes a term of a keyword, in quotes when it is a phrase. */
export function writeTerm({ text, phrase }: KeywordTerm): string {
  return phrase ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Returns the keyword that searches for a text as a phrase: in quotes, unless it is a single word. */
export function exactKeyword(text: string): string {
  const [only, ...others] = readTerms(text);
  const isWord = only?.text === text && !only.phrase && others.length === 0;
  return isWord ? text : writeTerm({ text, phrase: true });
}

/** Returns the name of a record that the keyword could be: its only term, or the complete text. */
export function keywordName(keyword: string): string {
  const [only, ...others] = keywordTerms(keyword);
  return only !== undefined && others.length === 0 ? only.text : keyword.trim();
}

/** Counts characters as `maxKeywordLength` limits them: without the quotes around phrases, and with each doubled quote as one. */
export function keywordLength(keyword: string): number {
  // A longer text is too long even without its quotes, so it is not parsed.
  if (keyword.length > 4 * maxKeywordLength) return keyword.length;
  return readTerms(keyword).reduce(
    (length, term) => length - (writeTerm(term).length - term.text.length),
    keyword.length,
  );
}

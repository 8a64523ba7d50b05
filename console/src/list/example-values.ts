/** Values of a list's rows that examples of searches are made of: what an example asks for is found. */
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow, WireValue } from '@patch/contract/row-schema.ts';

/** Longer ones would not be read. */
const longestValue = 48;
/** A word that no rule of the search reads as anything else: no identifier, no number. */
const plainWord = /^\p{L}{3,24}$/u;
const joinableWord = /^[\p{L}\p{N}][\p{L}\p{N}.]*$/u;

export interface ExampleText {
  readonly word: string;
  /** Two words that stand next to each other. */
  readonly phrase: string | undefined;
  /** What its text begins with. */
  readonly beginning: string | undefined;
  /** Of the row that has them. */
  readonly row: WireRow;
}

/** Of the first row whose text has a plain word, one with two words next to each other where there is one. */
export function exampleText(rows: readonly WireRow[], name: string): ExampleText | undefined {
  const texts = rows.flatMap((row) => {
    const found = textsOf(row[name]);
    const words = found.flatMap((text) => text.split(/\s+/));
    const beginning = /^[\p{L}\p{N}]{2,24}/u.exec(found[0] ?? '')?.[0];
    const word = words.find((candidate) => plainWord.test(candidate));
    return word === undefined ? [] : [{ word, phrase: phraseOf(words), beginning, row }];
  });
  return texts.find(({ phrase }) => phrase !== undefined) ?? texts[0];
}

function phraseOf(words: readonly string[]): string | undefined {
  const place = words.findIndex(
    (word, at) => plainWord.test(word) && joinableWord.test(words[at + 1] ?? ''),
  );
  return place < 0 ? undefined : words.slice(place, place + 2).join(' ');
}

/** The shortest value of the column, whole. */
export function exampleValue(rows: readonly WireRow[], name: string): string | undefined {
  return rows
    .flatMap((row) => textsOf(row[name]))
    .filter((value) => value.length <= longestValue && /^[^"\\*]+$/.test(value))
    .toSorted((a, b) => a.length - b.length)[0];
}

/** That occur in the rows, the highest first; those of the list where the rows have none. */
export function exampleChoices(
  list: ListDefinition,
  rows: readonly WireRow[],
  name: string,
): readonly string[] {
  const known = (fieldOf(list, name).choices ?? []).map(String).toReversed();
  const found = new Set(rows.map((row) => String(row[name] ?? '')));
  const occurring = known.filter((choice) => found.has(choice));
  return occurring.length > 0 ? occurring : known;
}

export function exampleNumber(rows: readonly WireRow[], name: string): number | undefined {
  return rows
    .map((row) => row[name])
    .find((value): value is number => typeof value === 'number' && value >= 0);
}

const textsOf = (value: WireValue): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];

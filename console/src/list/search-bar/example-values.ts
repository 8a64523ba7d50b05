/** Picks values of the rows for example searches, so that each example finds something. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow, WireValue } from '@patch/contract/base/row-schema.ts';

/** Longer values are unsuitable as examples. */
const maxValueLength = 48;
/** Word that the search reads as a plain word, not as an identifier or number. */
const plainWord = /^\p{L}{3,24}$/u;
const joinableWord = /^[\p{L}\p{N}][\p{L}\p{N}.]*$/u;

export interface ExampleText {
  readonly word: string;
  /** Two adjacent words. */
  readonly phrase: string | undefined;
  /** First word of the text. */
  readonly beginning: string | undefined;
  /** Row that contains them. */
  readonly row: WireRow;
}

/** Returns the first text with a phrase, else the first with a plain word. */
export function findExampleText(rows: readonly WireRow[], name: string): ExampleText | undefined {
  const texts = rows.flatMap((row) => {
    const found = toTexts(row[name]);
    const words = found.flatMap((text) => text.split(/\s+/));
    const beginning = /^[\p{L}\p{N}]{2,24}/u.exec(found[0] ?? '')?.[0];
    const word = words.find((candidate) => plainWord.test(candidate));
    return word === undefined ? [] : [{ word, phrase: findPhrase(words), beginning, row }];
  });
  return texts.find(({ phrase }) => phrase !== undefined) ?? texts[0];
}

function findPhrase(words: readonly string[]): string | undefined {
  const first = words.findIndex(
    (word, index) => plainWord.test(word) && joinableWord.test(words[index + 1] ?? ''),
  );
  return first < 0 ? undefined : words.slice(first, first + 2).join(' ');
}

/** Returns the shortest value of the column. */
export function findExampleValue(rows: readonly WireRow[], name: string): string | undefined {
  return rows
    .flatMap((row) => toTexts(row[name]))
    .filter((value) => value.length <= maxValueLength && /^[^"\\*]+$/.test(value))
    .toSorted((a, b) => a.length - b.length)[0];
}

/** Returns the choices that occur in the rows, highest first, else all choices of the field. */
export function findExampleChoices(
  list: ListDefinition,
  rows: readonly WireRow[],
  name: string,
): readonly string[] {
  const known = (getField(list, name).choices ?? []).map(String).toReversed();
  const found = new Set(rows.map((row) => String(row[name] ?? '')));
  const occurring = known.filter((choice) => found.has(choice));
  return occurring.length > 0 ? occurring : known;
}

export function findExampleNumber(rows: readonly WireRow[], name: string): number | undefined {
  return rows
    .map((row) => row[name])
    .find((value): value is number => typeof value === 'number' && value >= 0);
}

const toTexts = (value: WireValue): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];

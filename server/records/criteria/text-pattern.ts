/** What a text column is asked for: words that follow one another, and where they must stand. */
import { shapeOf } from './like-pattern.ts';

/** What the pattern must stand at: the edge of a line, of the whole text, or neither. */
export type Edge = 'none' | 'line' | 'text';

/** The part of a word that a text must be. */
export type WordPlace = 'inside' | 'start' | 'end' | 'whole';

export type TextPattern =
  /** Every row that has a text. */
  | { readonly kind: 'any' }
  | {
      readonly kind: 'words';
      /** In the order of the text, separated by one space each. Never empty. */
      readonly words: readonly { readonly text: string; readonly place: WordPlace }[];
      readonly begins: Edge;
      readonly ends: Edge;
    };

/** `literal` without a newline, at those edges. */
export function patternOfText(literal: string, begins: Edge, ends: Edge): TextPattern {
  const texts = literal.split(' ');
  const words = texts.map((text, at) => {
    const isBegun = at > 0 || begins !== 'none';
    const isEnded = at < texts.length - 1 || ends !== 'none';
    return { text, place: placeOf(isBegun, isEnded) };
  });
  return { kind: 'words', words, begins, ends };
}

/** Of a LIKE pattern; null when only the database can evaluate it: with several runs of text, with `_`, over lines. */
export function patternOfLike(pattern: string, edge: Exclude<Edge, 'none'>): TextPattern | null {
  const { shape, literal } = shapeOf(pattern);
  if (shape === 'other' || literal.includes('\n')) return null;
  if (shape === 'contains' && literal === '') return { kind: 'any' };
  const begins = shape === 'start' || shape === 'equal' ? edge : 'none';
  const ends = shape === 'end' || shape === 'equal' ? edge : 'none';
  return patternOfText(literal, begins, ends);
}

function placeOf(isBegun: boolean, isEnded: boolean): WordPlace {
  if (isBegun) return isEnded ? 'whole' : 'start';
  return isEnded ? 'end' : 'inside';
}

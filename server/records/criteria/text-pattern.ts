/** Patterns of texts in memory: adjacent words, and where they must start and end. */
import { classifyPattern } from './like-pattern.ts';

/** The boundary at which a pattern must start or end: that of a line, of the text, or none. */
export type Edge = 'none' | 'line' | 'text';

/** The part of a word that must equal a searched text. */
export type WordAnchor = 'inside' | 'start' | 'end' | 'exact';

/** Matches every row that has a text, or rows with adjacent words. */
export type TextPattern = { readonly kind: 'any' } | WordsPattern;

export interface WordsPattern {
  readonly kind: 'words';
  /** Adjacent words, separated by one space each. Never empty. */
  readonly words: readonly WordTest[];
  readonly begins: Edge;
  readonly ends: Edge;
}

export interface WordTest {
  readonly text: string;
  readonly anchor: WordAnchor;
}

/** Creates the pattern of a literal at these boundaries. The literal must not contain a newline. */
export function createTextPattern(literal: string, begins: Edge, ends: Edge): WordsPattern {
  const texts = literal.split(' ');
  const words = texts.map((text, index) => {
    const isBegun = index > 0 || begins !== 'none';
    const isEnded = index < texts.length - 1 || ends !== 'none';
    return { text, anchor: getAnchor(isBegun, isEnded) };
  });
  return { kind: 'words', words, begins, ends };
}

/** Returns the text that a row must equal to match the pattern; null when it may have other text too. */
export const getWholeText = (pattern: TextPattern): string | null =>
  pattern.kind === 'words' && pattern.begins === 'text' && pattern.ends === 'text'
    ? pattern.words.map(({ text }) => text).join(' ')
    : null;

/** Converts a LIKE pattern. Returns null for patterns that only the database evaluates: several literals, `_`, or newlines. */
export function parseLikePattern(pattern: string, edge: Exclude<Edge, 'none'>): TextPattern | null {
  const { shape, literal } = classifyPattern(pattern);
  if (shape === 'other' || literal.includes('\n')) return null;
  if (shape === 'contains' && literal === '') return { kind: 'any' };
  const begins = shape === 'start' || shape === 'equal' ? edge : 'none';
  const ends = shape === 'end' || shape === 'equal' ? edge : 'none';
  return createTextPattern(literal, begins, ends);
}

function getAnchor(isBegun: boolean, isEnded: boolean): WordAnchor {
  if (isBegun) return isEnded ? 'exact' : 'start';
  return isEnded ? 'end' : 'inside';
}

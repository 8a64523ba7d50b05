/** Patterns of texts: LIKE patterns, and those of texts in memory, which are adjacent words and where they must start and end. */

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

/** Builds, analyses and evaluates LIKE patterns. */

type PatternShape = 'equal' | 'start' | 'end' | 'contains' | 'other';

type Piece = { readonly literal: string } | '%' | '_';

/** Escapes text, so that it matches itself inside a pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** Classifies a pattern with one literal and an optional % before and after it; every other pattern is `other`. */
export function classifyPattern(pattern: string): {
  readonly shape: PatternShape;
  readonly literal: string;
} {
  const pieces = splitPattern(pattern);
  const open = pieces[0] === '%';
  const close = pieces.length > 1 && pieces.at(-1) === '%';
  const inner = pieces.slice(open ? 1 : 0, close ? -1 : undefined);
  const [only = { literal: '' }] = inner;
  if (inner.length > 1 || typeof only === 'string') return { shape: 'other', literal: '' };
  const shape = open
    ? close || only.literal === ''
      ? 'contains'
      : 'end'
    : close
      ? 'start'
      : 'equal';
  return { shape, literal: only.literal };
}

/** Escapes a trailing backslash, which PostgreSQL would refuse. */
export function escapeTrailingBackslash(pattern: string): string {
  return /(^|[^\\])(\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern;
}

/** Evaluates LIKE as SQL does. Takes at most time proportional to the product of both lengths, for every pattern. */
export function matchesLike(pattern: string, text: string): boolean {
  const pieces = splitCharacters(pattern);
  const characters = Array.from(text);
  let piece = 0;
  let at = 0;
  let lastAny = -1;
  let retryAt = 0;
  while (at < characters.length) {
    const wanted = pieces[piece];
    if (wanted === 'any') {
      lastAny = piece;
      retryAt = at;
      piece += 1;
    } else if (wanted !== undefined && (wanted === 'one' || wanted.literal === characters[at])) {
      piece += 1;
      at += 1;
    } else if (lastAny >= 0) {
      retryAt += 1;
      at = retryAt;
      piece = lastAny + 1;
    } else return false;
  }
  return pieces.slice(piece).every((rest) => rest === 'any');
}

type LikePiece = 'any' | 'one' | { readonly literal: string };

const splitCharacters = (pattern: string): readonly LikePiece[] =>
  splitPattern(pattern).flatMap((piece): readonly LikePiece[] => {
    if (typeof piece === 'string') return [piece === '%' ? 'any' : 'one'];
    return Array.from(piece.literal, (literal) => ({ literal }));
  });

/** Splits a pattern at its wildcards. A backslash escapes the next character; a trailing backslash is a literal. */
function splitPattern(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  const flush = () => {
    if (literal !== '') pieces.push({ literal });
    literal = '';
  };
  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index] ?? '';
    if (character === '%' || character === '_') {
      flush();
      if (character === '_' || pieces.at(-1) !== '%') pieces.push(character);
    } else if (character === '\\' && index + 1 < pattern.length) {
      index += 1;
      literal += pattern[index] ?? '';
    } else literal += character;
  }
  flush();
  return pieces;
}

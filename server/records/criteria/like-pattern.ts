/** Builds, analyses and evaluates LIKE patterns. */

export type PatternShape = 'equal' | 'start' | 'end' | 'contains' | 'other';

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

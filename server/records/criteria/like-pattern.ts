/** LIKE patterns: building them from what a person typed, and analysing which words they look for. */

export type PatternShape = 'equal' | 'start' | 'end' | 'contains' | 'other';

type Piece = { readonly literal: string } | '%' | '_';

/** Escapes typed text, so that it matches itself inside a pattern. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

/** The kind of a pattern with one run of text, with or without % before and after it; `other` for all else. */
export function shapeOf(pattern: string): {
  readonly shape: PatternShape;
  readonly literal: string;
} {
  const pieces = piecesOf(pattern);
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

/** A backslash at the end escapes nothing, which PostgreSQL refuses: it stands for itself. */
export function completePattern(pattern: string): string {
  return /(^|[^\\])(\\\\)*\\$/.test(pattern) ? `${pattern}\\` : pattern;
}

/** SQL's LIKE, in time proportional to the product of both lengths whatever the pattern: no expression that backtracks. */
export function matchesLike(pattern: string, text: string): boolean {
  const pieces = likePieces(pattern);
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

const likePieces = (pattern: string): readonly LikePiece[] =>
  piecesOf(pattern).flatMap((piece): readonly LikePiece[] => {
    if (typeof piece === 'string') return [piece === '%' ? 'any' : 'one'];
    return Array.from(piece.literal, (literal) => ({ literal }));
  });

/** A backslash escapes the next character; a trailing one stands for itself, and matches nothing else. */
function piecesOf(pattern: string): Piece[] {
  const pieces: Piece[] = [];
  let literal = '';
  const flush = () => {
    if (literal !== '') pieces.push({ literal });
    literal = '';
  };
  for (let place = 0; place < pattern.length; place += 1) {
    const character = pattern[place] ?? '';
    if (character === '%' || character === '_') {
      flush();
      if (character === '_' || pieces.at(-1) !== '%') pieces.push(character);
    } else if (character === '\\' && place + 1 < pattern.length) {
      place += 1;
      literal += pattern[place] ?? '';
    } else literal += character;
  }
  flush();
  return pieces;
}

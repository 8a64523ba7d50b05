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

/** Trigrams consist of letters and digits; letters beyond these depend on the database's locale. */
const word = /[a-z0-9]{3,}/;
/** The selective part of an identifier: the number of an advisory, not its year; the last block of a UUID. */
const number = /[a-z]*\d[a-z0-9]{3,}/g;
const year = /^(19|20)\d\d$/;

/** Whether a trigram index helps to find a text inside others. */
export function isIndexable(text: string): boolean {
  return word.test(text);
}

/**
 * A weaker pattern that matches every text that `pattern` matches, and that a trigram index answers fast; null when there
 * is none. An identifier's number alone is found ten times faster than the whole identifier, because most of its other
 * trigrams are everywhere.
 */
export function indexablePattern(pattern: string): string | null {
  const pieces = piecesOf(pattern);
  const literals = pieces.flatMap((piece) => (typeof piece === 'string' ? [] : [piece.literal]));
  const numbers = literals
    .flatMap((literal) => literal.match(number) ?? [])
    .filter((found) => !year.test(found));
  const longest = numbers.toSorted((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return `%${longest}%`;
  if (!literals.some(isIndexable)) return null;
  return `${pieces[0] === '%' ? '' : '%'}${pattern}${pieces.at(-1) === '%' ? '' : '%'}`;
}

/** Texts that every match contains, among those that a trigram index can look up. */
export function trigramsOf(pattern: string): readonly string[] {
  const words = piecesOf(pattern).flatMap((piece) =>
    typeof piece === 'string' ? [] : (piece.literal.match(/[a-z0-9]{3,}/g) ?? []),
  );
  return [
    ...new Set(
      words.flatMap((letters) =>
        Array.from({ length: letters.length - 2 }, (_, place) => letters.slice(place, place + 3)),
      ),
    ),
  ];
}

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

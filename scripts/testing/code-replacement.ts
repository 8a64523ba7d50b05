/** Replaces a piece of source code wherever the formatter has broken its lines. */

/**
 * Finds `piece` in `code`, comparing neither whitespace nor commas before a closing bracket.
 * Returns the ranges of the matches in `code`, in UTF-16 units.
 */
export function findCode(code: string, piece: string): readonly { start: number; end: number }[] {
  const { text, places } = withoutLayout(code);
  const wanted = withoutLayout(piece).text;
  const ranges: { start: number; end: number }[] = [];
  if (wanted === '') return ranges;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    ranges.push({
      start: places[at] as number,
      end: (places[at + wanted.length - 1] as number) + 1,
    });
  return ranges;
}

/** Replaces the only match of `piece`. Throws when there is none, or more than one. */
export function replaceCode(code: string, piece: string, replacement: string): string {
  const [range, ...more] = findCode(code, piece);
  if (range === undefined || more.length > 0)
    throw new Error(
      `'${piece}' stands in the code ${range === undefined ? 0 : more.length + 1} times, not once`,
    );
  return code.slice(0, range.start) + replacement + code.slice(range.end);
}

/** The characters that carry meaning, each with its place in the code. */
function withoutLayout(code: string): {
  readonly text: string;
  readonly places: readonly number[];
} {
  const places: number[] = [];
  let text = '';
  for (const { 0: character, index } of code.matchAll(/\S/g)) {
    if (/[)\]}]/.test(character) && text.endsWith(',')) {
      text = text.slice(0, -1);
      places.pop();
    }
    text += character;
    places.push(index);
  }
  return { text, places };
}

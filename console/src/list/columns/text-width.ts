/** Estimates text widths from characters, because measuring a thousand cells would block the page. */

/** Average width in pixels of each class of characters, in the text font at row size. */
const classes: readonly (readonly [string, number])[] = [
  ["ijlI .,:;'!|", 3.4],
  ['frt()[]/"', 4.7],
  ['mwMW@%', 11.8],
  ['ABCDGHNOQRUVXYK', 9.3],
];
const characterWidths = new Map(
  classes.flatMap(([characters, width]) =>
    Array.from(characters, (character) => [character, width] as const),
  ),
);
const otherCharacterWidth = 7.8;
const ideographWidth = 13;
const firstIdeograph = '\u2E80';
const monoCharacterWidth = 7.25;
/** Width of small text relative to row text. */
export const smallTextFactor = 12 / 13;

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width +=
      characterWidths.get(character) ??
      (character >= firstIdeograph ? ideographWidth : otherCharacterWidth);
  return width;
}

/** Width in the monospace font of identifiers and versions. */
export const monoWidth = (text: string): number => text.length * monoCharacterWidth;

/** Returns the width of the wider line when the text is broken once between its parts; half the width for a single part. */
export function twoLineWidth(parts: readonly string[], measure: (text: string) => number): number {
  if (parts.length < 2) return measure(parts.join('')) / 2;
  const widths = parts
    .slice(1)
    .map((_, index) =>
      Math.max(
        measure(parts.slice(0, index + 1).join('')),
        measure(parts.slice(index + 1).join('')),
      ),
    );
  return Math.min(...widths);
}

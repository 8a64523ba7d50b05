/** How wide a text is on one line of a list, estimated from its characters: measuring a thousand cells would hold up the page. */

/** Of the text face at the size of a row, in pixels; the average of each class. */
const classes: readonly (readonly [string, number])[] = [
  ["ijlI .,:;'!|", 3.4],
  ['frt()[]/"', 4.7],
  ['mwMW@%', 11.8],
  ['ABCDGHNOQRUVXYK', 9.3],
];
const widthOf = new Map(
  classes.flatMap(([characters, width]) =>
    Array.from(characters, (character) => [character, width] as const),
  ),
);
const otherCharacter = 7.8;
const ideograph = 13;
const firstIdeograph = '\u2E80';
const monoCharacter = 7.25;
/** Of small text, by which the width of a row's is multiplied. */
export const smallText = 12 / 13;

export function textWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width += widthOf.get(character) ?? (character >= firstIdeograph ? ideograph : otherCharacter);
  return width;
}

/** In the face of identifiers and versions, whose characters are equally wide. */
export const monoWidth = (text: string): number => text.length * monoCharacter;

/** Of the wider line, when the text is broken once where its parts meet; half the width of a text of one part. */
export function onTwoLines(parts: readonly string[], measure: (text: string) => number): number {
  if (parts.length < 2) return measure(parts.join('')) / 2;
  const widths = parts
    .slice(1)
    .map((_, place) =>
      Math.max(
        measure(parts.slice(0, place + 1).join('')),
        measure(parts.slice(place + 1).join('')),
      ),
    );
  return Math.min(...widths);
}

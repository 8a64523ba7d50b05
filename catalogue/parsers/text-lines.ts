/** Splits a text that arrives in pieces into lines. */

/** A line that exceeds the limit: the input is not a text of lines, or is meant to fill the memory. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
  constructor(maxLength: number) {
    super(`a line is longer than ${maxLength.toLocaleString('en')} characters`);
  }
}

/**
 * Yields for each piece the lines that end in it, without their line feeds; only a line feed ends a line. Text behind the last
 * line feed comes last, alone. The pieces of a long line are joined only once. Throws LineTooLong.
 */
export async function* textLines(
  pieces: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<readonly string[]> {
  let begun: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    const lines = piece.split('\n');
    const rest = lines.pop() ?? '';
    const [first] = lines;
    if (first !== undefined) {
      if (length + first.length > maxLength) throw new LineTooLong(maxLength);
      if (begun.length > 0) lines[0] = begun.join('') + first;
      begun = [];
      length = 0;
    }
    if (rest !== '') {
      begun.push(rest);
      length += rest.length;
    }
    if (length > maxLength) throw new LineTooLong(maxLength);
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [begun.join('')];
}

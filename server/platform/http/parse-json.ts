/** Parses the bytes of a JSON body within its limit of values. */
import { AppError } from '../errors/app-error.ts';

/** Members and items of a body: parsing costs by values, not by bytes. A thousand queries of osv.dev have some eight each. */
const defaultMaxValues = 10_000;

const [quote, comma, bracket, brace, backslash] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c] as const;

/**
 * Returns undefined for bytes that are empty or white space.
 * @param maxValues Most members and items.
 * @throws AppError `too_large`, `not_json`
 */
export function parseJson(bytes: Uint8Array, maxValues = defaultMaxValues): unknown {
  // PowerShell writes a byte order mark.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString()
    .replace(/^\uFEFF/, '');
  if (text.trim() === '') return undefined;
  if (hasTooManyValues(text, maxValues))
    throw new AppError(
      'too_large',
      `The body may have at most ${maxValues.toLocaleString('en')} values. Send less at once.`,
    );
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new AppError('not_json', `The body is not JSON: ${describePosition(error)}.`);
  }
}

/** Counts in a pass over the text, which costs a fraction of parsing: what is refused delays nobody. */
function hasTooManyValues(text: string, maxValues: number): boolean {
  if (text.length < maxValues) return false;
  let values = 1;
  for (let at = 0; at < text.length && values <= maxValues; at += 1) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfText(text, at);
    else if (character === comma || character === bracket || character === brace) values += 1;
  }
  return values > maxValues;
}

/** Returns the position of the quote that ends the text whose first quote is at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = start; ; ) {
    end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
}

/** Describes the position of the error only, since V8's message repeats the text, which may contain a password. */
function describePosition(error: unknown): string {
  const position =
    error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined
    ? 'it ends too early or has characters that JSON does not allow'
    : `it is invalid from character ${Number(position) + 1} on`;
}

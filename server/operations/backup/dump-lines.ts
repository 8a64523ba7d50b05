/** Reads the lines of a dump's file, compressed or not. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LineTooLong, textLines } from '@patch/catalogue/parsers/text-lines.ts';

/** The file is not a dump, or is incomplete; the message says why. */
export class BrokenDump extends Error {
  override readonly name = 'BrokenDump';
}

/** The longest row that the product writes is far shorter. */
const maxLineLength = 256 * 1024 ** 2;

const gzipMagic = Buffer.from([0x1f, 0x8b]);

/**
 * Yields the lines without line feeds.
 * @throws BrokenDump when the file cannot be decompressed.
 */
export async function* readDumpLines(path: string): AsyncGenerator<string> {
  // Read before the stream is opened, so that no error of the stream is unhandled.
  const packed = await isGzip(path);
  const file = createReadStream(path, { highWaterMark: 256 * 1024 });
  const bytes = packed ? pipeline(file, createGunzip(), () => undefined) : file;
  bytes.setEncoding('utf8');
  try {
    for await (const lines of textLines(bytes as AsyncIterable<string>, maxLineLength))
      yield* lines;
  } catch (error) {
    if (error instanceof LineTooLong)
      throw new BrokenDump(`The file is not a dump, or is damaged: ${error.message}.`, {
        cause: error,
      });
    const { code } = error as { code?: unknown };
    if (typeof code === 'string' && code.startsWith('Z_'))
      throw new BrokenDump('The file is damaged: it cannot be unpacked to its end.', {
        cause: error,
      });
    throw error;
  }
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return buffer.equals(gzipMagic);
  } finally {
    await file.close();
  }
}

export type CopyCell = string | null;

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};
const letters: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
};
const special = /[\\\n\r\t\b\f\v]/;
const allSpecial = /[\\\n\r\t\b\f\v]/g;

/** Returns the line without its line feed. */
export function copyLine(cells: readonly CopyCell[]): string {
  return cells.map(copyCell).join('\t');
}

function copyCell(cell: CopyCell): string {
  if (cell === null) return '\\N';
  // Most values have nothing to escape.
  return special.test(cell)
    ? cell.replace(allSpecial, (character) => escapes[character] ?? character)
    : cell;
}

export function parseCopyLine(line: string): CopyCell[] {
  return line.split('\t').map((cell) => {
    if (cell === '\\N') return null;
    return cell.includes('\\')
      ? cell.replace(/\\([\s\S])/g, (_, letter: string) => letters[letter] ?? letter)
      : cell;
  });
}

export const copyEnd = '\\.';

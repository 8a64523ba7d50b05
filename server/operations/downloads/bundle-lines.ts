/** Reads the files of a bundle as lines, and checks them against the signed digests. */
import { createHash } from 'node:crypto';
import { LineTooLong, textLines } from '@patch/catalogue/parsers/text-lines.ts';
import { type BundleFile, BundleRefused } from './bundle-manifest.ts';
import type { OpenZip } from './zip-entries.ts';

export const damaged = (why: string) =>
  new BundleRefused(`The bundle is damaged: ${why} Copy it again, or create another one.`);
const longestLine = 64 * 1024 ** 2;
const batchLines = 500;
const batchCharacters = 1_000_000;

/** Reports failures while decompressing as damage of the file. */
export async function asDamaged<T>(work: () => Promise<T>, name: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BundleRefused) throw error;
    if (error instanceof LineTooLong) throw damaged(`a line of ${name} is too long.`);
    throw damaged(`${name} cannot be unpacked.`);
  }
}

/**
 * Yields lines in batches with the number of the first line. Throws after the last batch when the file differs from the signed
 * digest.
 */
export async function* signedLines(
  zip: OpenZip,
  { file, rows, bytes, sha256 }: BundleFile,
): AsyncGenerator<{ readonly texts: readonly string[]; readonly first: number }> {
  if (zip.sizes.get(file) !== bytes) throw damaged(`${file} is missing, or has the wrong size.`);
  const hash = createHash('sha256');
  let lineCount = 0;
  for await (const texts of readLines(zip, file, (piece) => hash.update(piece))) {
    yield { texts, first: lineCount + 1 };
    lineCount += texts.length;
  }
  if (hash.digest('hex') !== sha256 || lineCount !== rows)
    throw damaged(`${file} differs from the signed content.`);
}

/**
 * Yields complete lines in batches.
 * @param onPiece Receives the raw pieces of the file.
 */
async function* readLines(
  zip: OpenZip,
  file: string,
  onPiece: (piece: Buffer) => void,
): AsyncGenerator<readonly string[]> {
  const stream = await asDamaged(() => zip.stream(file), file);
  let waiting: string[] = [];
  let length = 0;
  let endsWithLine = true;
  async function* texts(): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const piece of stream as AsyncIterable<Buffer>) {
      onPiece(piece);
      const text = decoder.decode(piece, { stream: true });
      if (text !== '') endsWithLine = text.endsWith('\n');
      yield text;
    }
    decoder.decode();
  }
  const lines = textLines(texts(), longestLine);
  try {
    for (;;) {
      const next = await asDamaged(() => lines.next(), file);
      if (next.done === true) break;
      for (const line of next.value) {
        waiting.push(line);
        length += line.length;
        if (waiting.length < batchLines && length < batchCharacters) continue;
        yield waiting;
        waiting = [];
        length = 0;
      }
    }
  } finally {
    await lines.return(undefined);
    stream.destroy();
  }
  if (!endsWithLine) throw damaged(`${file} ends in the middle of a line.`);
  if (waiting.length > 0) yield waiting;
}

export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

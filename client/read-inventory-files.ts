/** Reads and decodes the outputs of a machine's tools, from files or the standard input. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxInventoryBytes } from '@patch/contract/fleet/assessment-endpoint.ts';
import { ClientFailure } from './client-failure.ts';

export interface InventoryFile {
  readonly name: string;
  readonly text: string;
}

/** Throws a ClientFailure for unreadable or empty files, and for more than the repository accepts. */
export async function readInventoryFiles(
  paths: readonly string[],
  input: AsyncIterable<Uint8Array>,
): Promise<readonly InventoryFile[]> {
  const files: InventoryFile[] = [];
  for (const path of paths) {
    const bytes = path === '-' ? await readAll(input) : await readOne(path);
    files.push({ name: path === '-' ? 'standard input' : basename(path), text: decodeText(bytes) });
  }
  const size = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (size > maxInventoryBytes) throw tooLarge();
  if (files.every(({ text }) => text.trim() === ''))
    throw new ClientFailure('usage', 'There is nothing to assess: the input is empty.');
  return files;
}

const tooLarge = () =>
  new ClientFailure(
    'usage',
    `An inventory may have at most ${maxInventoryBytes / 1024 / 1024} MB in all.`,
  );

export async function readOne(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new ClientFailure('usage', `The file cannot be read: ${words}`, { cause: error });
  }
}

/** Stops at the limit of what can be sent: UTF-16 has two bytes per letter. */
async function readAll(input: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of input) {
    size += piece.length;
    if (size > 2 * maxInventoryBytes + 2) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Decodes UTF-16 with or without a mark, as Windows writes it, UTF-8, or any code page, whose special letters no reader needs. */
export function decodeText(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if ((first === 0xff && second === 0xfe) || second === 0)
    return new TextDecoder('utf-16le').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

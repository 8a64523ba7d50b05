/**
 * Creates a document over stored bytes: recognized by their magic bytes, and checked against limits and the checksum that the
 * feed requested.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentFailure } from '../definition/document-failure.ts';
import { documentFailureText } from '../definition/document-failure-text.ts';
import type { Document, DocumentFile, OpenOptions } from '../definition/feed.ts';
import { BrokenArchive, decompress } from './decompress.ts';
import { maxTextBytes, openLimit } from './open-limits.ts';

/** A document that was fetched completely but cannot be read. */
export class BrokenDocument extends Error {
  override readonly name = 'BrokenDocument';
  readonly url: string;
  readonly problem: string;
  constructor(url: string, problem: string, options?: ErrorOptions) {
    super(documentFailureText({ code: 'unreadable', params: { url, problem } }), options);
    this.url = url;
    this.problem = problem;
  }
  get failure(): DocumentFailure {
    return { code: 'unreadable', params: { url: this.url, problem: this.problem } };
  }
}

/** Yields the items of a document; an error of the class `fault` becomes a BrokenDocument. */
export async function* convertFaults<Item>(
  url: string,
  fault: new (...values: never[]) => Error,
  items: AsyncIterable<Item>,
): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw error instanceof fault ? new BrokenDocument(url, error.message, { cause: error }) : error;
  }
}

type Facts = Pick<Document, 'url' | 'sha256' | 'size' | 'lastModified'>;

/**
 * @param served returns the bytes from their beginning at each call.
 * @param file writes the bytes to disk when they are not there already.
 */
export function createDocument(
  facts: Facts,
  served: () => AsyncIterable<Uint8Array>,
  options: OpenOptions = {},
  file: () => Promise<DocumentFile> = () => writeTemporaryFile(served()),
): Document {
  const broken = (problem: string, cause?: unknown) =>
    new BrokenDocument(facts.url, problem, { cause });
  const { openChecksum, openSize } = options;
  const limit = openLimit(facts.size, options.maxOpenBytes);

  async function* bytes(): AsyncIterable<Uint8Array> {
    const hash = openChecksum === undefined ? null : createHash(openChecksum.algorithm);
    let size = 0;
    try {
      for await (const piece of decompress(served())) {
        size += piece.length;
        if (size > limit.bytes) throw broken(`it opens to more than ${limit.reason}`);
        hash?.update(piece);
        yield piece;
      }
    } catch (error) {
      throw error instanceof BrokenArchive ? broken(error.message, error) : error;
    }
    if (openSize !== undefined && size !== openSize)
      throw broken(
        `once opened it has ${size.toLocaleString('en')} bytes, the vendor announced ${openSize.toLocaleString('en')}`,
      );
    const sum = hash?.digest('hex');
    if (sum !== openChecksum?.value) {
      throw broken(
        `once opened its ${openChecksum?.algorithm} is ${sum}, the vendor announced ${openChecksum?.value}`,
      );
    }
  }

  async function* chunks(): AsyncIterable<string> {
    try {
      yield* strictText(bytes());
    } catch (error) {
      throw error instanceof NotUtf8 ? broken(error.message, error) : error;
    }
  }

  async function text(): Promise<string> {
    const pieces: string[] = [];
    let length = 0;
    for await (const piece of chunks()) {
      length += piece.length;
      if (length > maxTextBytes)
        throw broken(`it is longer than ${maxTextBytes.toLocaleString('en')} characters`);
      pieces.push(piece);
    }
    return pieces.join('');
  }

  return { ...facts, bytes, chunks, text, file };
}

/** Writes the bytes to the system's temporary folder, for callers without a better location. */
async function writeTemporaryFile(bytes: AsyncIterable<Uint8Array>): Promise<DocumentFile> {
  const folder = await mkdtemp(join(tmpdir(), 'document-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'document');
  try {
    await writeFile(path, bytes);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, folder, taken: () => undefined, remove };
}

/** Decodes UTF-8, cut only between characters; a byte order mark is dropped. Throws on a byte that is not UTF-8. */
export async function* strictText(bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let read = 0;
  const decode = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new NotUtf8(read, piece?.length ?? 0);
    }
  };
  for await (const piece of bytes) {
    const text = decode(piece);
    read += piece.length;
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}

export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';
  constructor(from: number, length: number) {
    super(
      `the text is not UTF-8 ${length === 0 ? 'at its end' : `between byte ${from} and byte ${from + length}`}`,
    );
  }
}

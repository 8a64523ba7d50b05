/** Reads files of a published tree, from a web server or from a folder such as a USB stick. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, isSystemError } from '@patch/contract/base/error-code.ts';
import { TreeRefusal } from '@patch/contract/tree/tree-refusal.ts';
import {
  type AttemptResult,
  failedBy,
  failedWith,
  type RequestContext,
  repeatRequest,
  requestTimeoutMs,
} from './ask-repository.ts';
import { ClientFailure } from './client-failure.ts';

type Pieces = AsyncIterable<Uint8Array>;

export interface TreeSource {
  readonly address: string;
  /** A copy on a medium: nobody renews its timestamp. */
  readonly isCopy: boolean;
  /**
   * Gives the content of a file to `take`, again after a lost connection. Returns null when there is no such file.
   * @param path - Below the address, of verified names.
   * @throws TreeRefusal `too_long` when the file is longer than `largest` bytes.
   */
  read<Result>(
    path: string,
    largest: number,
    take: (pieces: Pieces) => Promise<Result>,
  ): Promise<Result | null>;
}

export interface AnnouncedFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Slower servers are given up. */
const leastBytesPerMs = 16;

/** No token is sent, so that redirects are harmless: what is read is verified. */
export const webSource = (
  context: RequestContext,
  address: string,
  timeoutMs = requestTimeoutMs,
): TreeSource => ({
  address,
  isCopy: false,
  read: async (path, largest, take) =>
    repeatRequest(
      context,
      async (): Promise<AttemptResult<Awaited<ReturnType<typeof take>> | null>> => {
        const { signal } = context;
        try {
          const limitMs = timeoutMs + Math.ceil(largest / leastBytesPerMs);
          const response = await fetch(`${address}/${path}`, {
            signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
          });
          const { status, ok, body } = response;
          if (ok)
            return { kind: 'reply', reply: await take(limit(body ?? noPieces(), path, largest)) };
          await body?.cancel();
          // Some object stores answer 403 for a file that is not there.
          if (status === 404 || status === 403 || status === 410)
            return { kind: 'reply', reply: null };
          return failedWith(response, `${address}/${path} answered ${status}.`);
        } catch (error) {
          if (error instanceof TreeRefusal || isSystemError(error) || signal.aborted) throw error;
          return failedBy(address, error);
        }
      },
    ),
});

export const folderSource = (folder: string): TreeSource => ({
  address: folder,
  isCopy: true,
  async read(path, largest, take) {
    const file = join(folder, path);
    const found = await stat(file).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
      throw unreadable(error);
    });
    return found?.isFile() === true ? take(limit(readPieces(file), path, largest)) : null;
  },
});

async function* readPieces(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file) as AsyncIterable<Buffer>;
  } catch (error) {
    throw unreadable(error);
  }
}

const unreadable = (cause: unknown) =>
  new ClientFailure('unreachable', `The published catalogue cannot be read: ${String(cause)}`, {
    cause,
  });

async function* noPieces(): AsyncGenerator<Uint8Array> {}

async function* limit(pieces: Pieces, path: string, largest: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > largest)
      throw new TreeRefusal('too_long', `${path} is longer than ${largest} bytes.`);
    yield piece;
  }
}

/** Returns a small file; null when there is none. */
export const readSmallFile = async (
  source: TreeSource,
  path: string,
  largest: number,
): Promise<Buffer | null> => source.read(path, largest, collect);

/** Takes all pieces in memory. */
export async function collect(pieces: Pieces): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/**
 * Gives an announced file to `take`, piece by piece.
 * @throws TreeRefusal `too_long`, `truncated` or `wrong_hash` when it is not the announced one.
 */
export async function readAnnouncedFile<Result>(
  source: TreeSource,
  path: string,
  { bytes, sha256 }: AnnouncedFile,
  take: (pieces: Pieces) => Promise<Result>,
): Promise<Result> {
  const taken = await source.read(path, bytes, async (pieces) => {
    const hash = createHash('sha256');
    let length = 0;
    async function* measured(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        hash.update(piece);
        length += piece.length;
        yield piece;
      }
    }
    const result = await take(measured());
    if (length < bytes)
      throw new TreeRefusal('truncated', `${path} has only ${length} of ${bytes} bytes.`);
    if (hash.digest('hex') !== sha256)
      throw new TreeRefusal('wrong_hash', `${path} is not the announced file.`);
    return { result };
  });
  if (taken === null) throw missingFile(source, path);
  return taken.result;
}

export const missingFile = ({ address }: TreeSource, path: string) =>
  new ClientFailure('unreachable', `${address} has no ${path}.`);

/** Decompresses served bytes. The first bytes determine the compression, whatever the address or the headers say. */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import xz from 'xz-decompress';
import { bunzip } from './bzip2.ts';

/** Compressed data that cannot be read to their end. */
export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive';
}

interface Compression {
  readonly name: string;
  readonly magic: readonly number[];
  open(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

const compressions: readonly Compression[] = [
  { name: 'gzip', magic: [0x1f, 0x8b], open: (source) => through(source, createGunzip()) },
  { name: 'zstd', magic: [0x28, 0xb5, 0x2f, 0xfd], open: unzstd },
  { name: 'xz', magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], open: unxz },
  { name: 'bzip2', magic: [0x42, 0x5a, 0x68], open: bunzip },
  { name: 'zchunk', magic: [0x00, 0x5a, 0x43, 0x4b, 0x31], open: refuse },
];

const maxMagicLength = Math.max(...compressions.map(({ magic }) => magic.length));

/** Plain bytes pass unchanged. Throws BrokenArchive on broken data, at the latest at their end. */
export async function* decompress(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]();
  let sourceFailure: { readonly error: unknown } | null = null;
  const next = () =>
    pieces.next().catch((error: unknown) => {
      sourceFailure = { error };
      throw error;
    });

  const head: Uint8Array[] = [];
  let start = new Uint8Array();
  while (start.length < maxMagicLength) {
    const piece = await next();
    if (piece.done === true) break;
    head.push(piece.value);
    start = Buffer.concat(head);
  }
  async function* all(): AsyncIterable<Uint8Array> {
    try {
      yield* head;
      for (let piece = await next(); piece.done !== true; piece = await next()) yield piece.value;
    } finally {
      await pieces.return?.();
    }
  }

  const compression = compressions.find(({ magic }) =>
    magic.every((byte, index) => start[index] === byte),
  );
  if (compression === undefined) return yield* all();
  try {
    yield* compression.open(all());
  } catch (error) {
    await pieces.return?.();
    if (sourceFailure !== null) throw (sourceFailure as { error: unknown }).error;
    throw new BrokenArchive(
      `the ${compression.name} data cannot be read: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

async function* through(
  source: AsyncIterable<Uint8Array>,
  transform: Transform,
): AsyncIterable<Uint8Array> {
  // An error of either end destroys the other, and the transform throws it.
  pipeline(Readable.from(source, { objectMode: false }), transform, () => undefined);
  yield* transform as AsyncIterable<Uint8Array>;
}

/** Node silently drops everything behind the first frame, so a second frame must be reported. */
async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let served = 0;
  async function* counted() {
    for await (const piece of source) {
      served += piece.length;
      yield piece;
    }
  }
  const transform = createZstdDecompress();
  yield* through(counted(), transform);
  if (transform.bytesWritten < served)
    throw new Error('there is more behind the first frame, which is not supported');
}

async function* unxz(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* new xz.XzReadableStream(
      ReadableStream.from(source) as ReadableStream<Uint8Array>,
    ) as unknown as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new Error(describeXzError(error as Error), { cause: error });
  }
}

/** Translates the codes of xz-embedded, which the library passes on as numbers. */
function describeXzError(error: Error): string {
  const code = /error code (\d+)/.exec(error.message)?.[1];
  if (code === '6') return 'its options or its checksum type are not supported';
  if (code === '7') return 'the data are damaged';
  return code === '8' ? 'the data end in the middle' : error.message;
}

function refuse(): AsyncIterable<Uint8Array> {
  throw new Error('zchunk is not supported; ask for the gzip, xz or zstd form of the document');
}

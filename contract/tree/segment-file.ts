/** Reads and writes the files of segments: lines, compressed, then sealed with the key of a period. */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { TreeRefusal } from './tree-refusal.ts';

const saltBytes = 16;
/** Of 16 MiB, the most that readers allow. */
const windowLog = 24;
/** With the window, it is as fast as level 9 with that of the level, for a fourteenth less of the mirror's records: see docs/performance.md. */
const level = 8;
/** Larger pieces of text are slower: the system gives memory for each anew. */
const pieceCharacters = 64 * 1024;
const packedPieceBytes = 256 * 1024;

const fileKey = (periodKey: Uint8Array, salt: Uint8Array) =>
  createHmac('sha256', periodKey).update(salt).digest();

export interface WrittenSegment {
  readonly sha256: string;
  readonly bytes: number;
  readonly plainBytes: number;
  readonly lines: number;
}

/**
 * Writes lines as a segment and ends the stream.
 * @param batches - Lines without line feeds.
 * @param key - Of the period in which it is written.
 */
export async function writeSegment(
  batches: AsyncIterable<readonly string[]>,
  file: Writable,
  key: Uint8Array,
): Promise<WrittenSegment> {
  let [plainBytes, lines, bytes] = [0, 0, 0];
  async function* plain(): AsyncGenerator<Buffer> {
    for await (const batch of batches) {
      lines += batch.length;
      for (const text of joinLines(batch)) {
        plainBytes += text.length;
        yield text;
      }
    }
  }
  const salt = randomBytes(saltBytes);
  const hash = createHash('sha256');
  const compress = createZstdCompress({
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: windowLog,
    },
    chunkSize: packedPieceBytes,
  });
  const cipher = createCipheriv('aes-256-ctr', fileKey(key, salt), Buffer.alloc(16));
  async function* sealed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield note(salt);
    for await (const piece of source) yield note(piece);
  }
  const note = (piece: Buffer) => {
    hash.update(piece);
    bytes += piece.length;
    return piece;
  };
  await pipeline(Readable.from(plain()), compress, cipher, sealed, file);
  return { sha256: hash.digest('hex'), bytes, plainBytes, lines };
}

function* joinLines(lines: readonly string[]): Generator<Buffer> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < pieceCharacters) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}

/**
 * Yields the lines of a segment, whose SHA-256 and length were checked before.
 * @throws TreeRefusal `malformed` when the content is not what was announced.
 */
export async function* readSegment(
  file: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  { plainBytes, lines }: Pick<WrittenSegment, 'plainBytes' | 'lines'>,
): AsyncGenerator<readonly string[]> {
  let [found, length] = [0, 0];
  for await (const batch of splitBatches(unseal(file, key, plainBytes))) {
    found += batch.length;
    for (const line of batch) length += Buffer.byteLength(line) + 1;
    yield batch;
  }
  if (found !== lines || length !== plainBytes)
    throw new TreeRefusal('malformed', 'A segment of the tree does not have the announced lines.');
}

async function* unseal(
  file: AsyncIterable<Uint8Array>,
  key: Uint8Array,
  plainBytes: number,
): AsyncGenerator<Buffer> {
  const decompress = createZstdDecompress({
    params: { [constants.ZSTD_d_windowLogMax]: windowLog },
  });
  const done = pipeline(Readable.from(file, { objectMode: false }), unsealing(key), decompress);
  done.catch(() => undefined);
  let length = 0;
  try {
    for await (const piece of decompress as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > plainBytes)
        throw new TreeRefusal('too_long', 'A segment of the tree is longer than announced.');
      yield piece;
    }
    await done;
  } catch (error) {
    if (error instanceof TreeRefusal) throw error;
    throw new TreeRefusal(
      'malformed',
      `A segment of the tree cannot be unpacked, as with a key of another repository or of an earlier secret: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Takes the salt from the begin of the file, and unseals the rest. */
function unsealing(key: Uint8Array): Transform {
  let salt = Buffer.alloc(0);
  let decipher: ReturnType<typeof createDecipheriv> | null = null;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (decipher !== null) return done(null, decipher.update(chunk));
      salt = Buffer.concat([salt, chunk]);
      if (salt.length < saltBytes) return done();
      const rest = salt.subarray(saltBytes);
      decipher = createDecipheriv(
        'aes-256-ctr',
        fileKey(key, salt.subarray(0, saltBytes)),
        Buffer.alloc(16),
      );
      return done(null, decipher.update(rest));
    },
  });
}

/**
 * Yields complete lines without line feeds.
 * @throws TreeRefusal `malformed` when the last line has none.
 */
export async function* splitBatches(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<readonly string[]> {
  let rest: Buffer[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(10);
    if (end < 0) {
      rest.push(piece);
      continue;
    }
    const text = Buffer.concat([...rest, piece.subarray(0, end)]).toString();
    rest = end + 1 < piece.length ? [piece.subarray(end + 1)] : [];
    yield text.split('\n');
  }
  if (rest.length > 0)
    throw new TreeRefusal('malformed', 'A segment of the tree ends in the middle of a line.');
}

/** A record's line, by what readers need of it. */
export interface RecordLine {
  readonly id: number;
  readonly isListed: boolean;
  readonly line: string;
}

/** @throws TreeRefusal `malformed`. */
export function readRecordLine(line: string): RecordLine {
  const id = /^\{"id":(\d{1,15}),/.exec(line)?.[1];
  const withdrawn = /"withdrawnTime":(null|\d{1,16})\}$/.exec(line)?.[1];
  if (id === undefined || withdrawn === undefined)
    throw new TreeRefusal('malformed', 'A line of a segment is not a record.');
  return { id: Number(id), isListed: withdrawn === 'null', line };
}

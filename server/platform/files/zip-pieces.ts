/**
 * Writes a ZIP archive of small files, and takes files over from an earlier archive of its own as they are, without unpacking them.
 * Format: APPNOTE.TXT of PKWARE, version 6.3.10, with ZIP64 fields for more than 65,535 files or 4 GB.
 */
import { open } from 'node:fs/promises';
import { crc32, deflateRawSync, type ZlibOptions } from 'node:zlib';

export interface ZipMember {
  readonly name: string;
  readonly content: Buffer;
  readonly modified: Date;
}

/** A file that an archive contains. */
export interface ZipEntry {
  readonly name: string;
  /** Record of the central directory, without its offset: bytes 4 to 42. */
  readonly facts: Buffer;
  /** Where its local header begins, and the bytes of header, name and content. */
  readonly offset: number;
  readonly length: number;
}

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;
const end64Signature = 0x06064b50;
const locatorSignature = 0x07064b50;
const localLength = 30;
const centralLength = 46;
const endLength = 22;
const end64Length = 56;
const locatorLength = 20;
const max16 = 0xffff;
const max32 = 0xffffffff;
/** Names are UTF-8. */
const nameFlag = 0x0800;
const deflated = 8;
const version = 45;
/** A regular file of Unix that its owner writes and everyone reads. */
const attributes = (0o100644 << 16) >>> 0;
const copyLength = 1024 * 1024;
const maxChunk = 16 * 1024;
/** Bytes of its window that zlib does not reach back over. */
const minLookahead = 262;

/**
 * Returns the least memory that packs a file as well: by default, zlib takes 268 kB and a chunk of 16 kB also for a file of ten bytes,
 * which lets the garbage collector of a large process run for every few files.
 */
function packingOf(length: number): ZlibOptions {
  const bits = Math.ceil(Math.log2(length + minLookahead));
  return {
    chunkSize: Math.min(length + 64, maxChunk),
    windowBits: Math.min(Math.max(bits, 9), 15),
    memLevel: Math.min(Math.max(bits - 6, 1), 8),
  };
}

/** Collects what the end of an archive says of the files before it. */
export class ZipPieces {
  #offset = 0;
  #count = 0;
  /** Records of the central directory in large pieces: an archive can have millions. */
  readonly #directory: Buffer[] = [];
  #piece = Buffer.alloc(0);
  #used = 0;

  /** Returns the bytes of new files, which are packed in this thread: about 0.1 ms for 2 kB. */
  add(members: readonly ZipMember[]): Buffer {
    const pieces: Buffer[] = [];
    for (const { name, content, modified } of members) {
      const packed = deflateRawSync(content, packingOf(content.length));
      const facts = createFacts(Buffer.from(name), content, packed.length, modified);
      const local = Buffer.alloc(localLength);
      local.writeUInt32LE(localSignature, 0);
      facts.copy(local, 4, 2, 28);
      pieces.push(local, Buffer.from(name), packed);
      this.#list(name, facts, localLength + Buffer.byteLength(name) + packed.length);
    }
    return Buffer.concat(pieces);
  }

  /** Yields the bytes of the entries of an earlier archive that are taken over. */
  async *take(
    path: string,
    entries: AsyncIterable<ZipEntry>,
    isTaken: (name: string) => boolean,
  ): AsyncGenerator<Buffer> {
    const file = await open(path);
    try {
      let [from, to] = [0, 0];
      for await (const { name, facts, offset, length } of entries) {
        if (!isTaken(name)) continue;
        this.#list(name, facts, length);
        if (offset !== to || to - from >= copyLength) {
          yield* readRange(file, from, to);
          from = offset;
        }
        to = offset + length;
      }
      yield* readRange(file, from, to);
    } finally {
      await file.close();
    }
  }

  /** Yields the central directory and its end. */
  *end(): Generator<Buffer> {
    const directory = [...this.#directory, this.#piece.subarray(0, this.#used)];
    yield* directory;
    const size = directory.reduce((sum, { length }) => sum + length, 0);
    const end = Buffer.alloc(end64Length + locatorLength + endLength);
    end.writeUInt32LE(end64Signature, 0);
    end.writeBigUInt64LE(BigInt(end64Length - 12), 4);
    end.writeUInt16LE(version, 12);
    end.writeUInt16LE(version, 14);
    end.writeBigUInt64LE(BigInt(this.#count), 24);
    end.writeBigUInt64LE(BigInt(this.#count), 32);
    end.writeBigUInt64LE(BigInt(size), 40);
    end.writeBigUInt64LE(BigInt(this.#offset), 48);
    const locator = end.subarray(end64Length);
    locator.writeUInt32LE(locatorSignature, 0);
    locator.writeBigUInt64LE(BigInt(this.#offset + size), 8);
    locator.writeUInt32LE(1, 16);
    const last = locator.subarray(locatorLength);
    last.writeUInt32LE(endSignature, 0);
    last.writeUInt16LE(Math.min(this.#count, max16), 8);
    last.writeUInt16LE(Math.min(this.#count, max16), 10);
    last.writeUInt32LE(Math.min(size, max32), 12);
    last.writeUInt32LE(Math.min(this.#offset, max32), 16);
    const isSmall = this.#count < max16 && size < max32 && this.#offset < max32;
    yield isSmall ? last : end;
  }

  #list(name: string, facts: Buffer, length: number): void {
    const isFar = this.#offset >= max32;
    const nameBytes = Buffer.from(name);
    const record = this.#record(centralLength + nameBytes.length + (isFar ? 12 : 0));
    record.writeUInt32LE(centralSignature, 0);
    facts.copy(record, 4);
    record.writeUInt16LE(isFar ? version : 20, 6);
    record.writeUInt16LE(isFar ? 12 : 0, 30);
    record.writeUInt32LE(isFar ? max32 : this.#offset, 42);
    nameBytes.copy(record, centralLength);
    if (isFar) {
      const extra = record.subarray(centralLength + nameBytes.length);
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(8, 2);
      extra.writeBigUInt64LE(BigInt(this.#offset), 4);
    }
    this.#offset += length;
    this.#count += 1;
  }

  #record(length: number): Buffer {
    if (this.#used + length > this.#piece.length) {
      this.#directory.push(this.#piece.subarray(0, this.#used));
      this.#piece = Buffer.alloc(copyLength);
      this.#used = 0;
    }
    this.#used += length;
    return this.#piece.subarray(this.#used - length, this.#used);
  }
}

/** Returns bytes 4 to 42 of a record of the central directory; bytes 2 to 28 of them are in the local header too. */
function createFacts(name: Buffer, content: Buffer, packed: number, modified: Date): Buffer {
  const facts = Buffer.alloc(38);
  facts.writeUInt16LE((3 << 8) | version, 0);
  facts.writeUInt16LE(20, 2);
  facts.writeUInt16LE(nameFlag, 4);
  facts.writeUInt16LE(deflated, 6);
  facts.writeUInt16LE(toDosTime(modified), 8);
  facts.writeUInt16LE(toDosDate(modified), 10);
  facts.writeUInt32LE(crc32(content), 12);
  facts.writeUInt32LE(packed, 16);
  facts.writeUInt32LE(content.length, 20);
  facts.writeUInt16LE(name.length, 24);
  facts.writeUInt32LE(attributes, 34);
  return facts;
}

const toDosTime = (time: Date) =>
  (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);

/** Years before 1980 cannot be written. */
function toDosDate(time: Date): number {
  const year = Math.min(Math.max(time.getUTCFullYear() - 1980, 0), 127);
  return (year << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
}

type File = Awaited<ReturnType<typeof open>>;

async function* readRange(file: File, from: number, to: number): AsyncGenerator<Buffer> {
  for (let start = from; start < to; start += copyLength)
    yield await readExactly(file, start, Math.min(copyLength, to - start));
}

async function readExactly(file: File, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(bytes, read, length - read, position + read);
    if (bytesRead === 0) throw new Error('The archive ends too early');
    read += bytesRead;
  }
  return bytes;
}

/** Yields the entries of an archive that `ZipPieces` has written, in the order of their bytes. */
export async function* readZipEntries(path: string): AsyncGenerator<ZipEntry> {
  const file = await open(path);
  try {
    const { position, size } = await findDirectory(file);
    let rest = Buffer.alloc(0);
    for await (const piece of readRange(file, position, position + size)) {
      const bytes = Buffer.concat([rest, piece]);
      let at = 0;
      for (let next = nextRecord(bytes, at); next !== null; next = nextRecord(bytes, at)) {
        yield toEntry(bytes.subarray(at, next));
        at = next;
      }
      rest = bytes.subarray(at);
    }
  } finally {
    await file.close();
  }
}

/** Returns where the record ends that begins at a position; null where it is not complete. */
function nextRecord(bytes: Buffer, at: number): number | null {
  if (bytes.length < at + centralLength) return null;
  const end = at + centralLength + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30);
  return bytes.length < end ? null : end;
}

function toEntry(record: Buffer): ZipEntry {
  const nameLength = record.readUInt16LE(28);
  const nameEnd = centralLength + nameLength;
  const isFar = record.readUInt32LE(42) === max32;
  const facts = Buffer.from(record.subarray(4, 42));
  // The extra field is of the offset, which is another in the next archive.
  facts.writeUInt16LE(0, 26);
  return {
    name: record.toString('utf8', centralLength, nameEnd),
    facts,
    offset: isFar ? Number(record.readBigUInt64LE(nameEnd + 4)) : record.readUInt32LE(42),
    length: localLength + nameLength + record.readUInt32LE(20),
  };
}

async function findDirectory(file: File): Promise<{ position: number; size: number }> {
  const { size: fileSize } = await file.stat();
  const tail = end64Length + locatorLength + endLength;
  const bytes = await readExactly(file, Math.max(0, fileSize - tail), Math.min(tail, fileSize));
  const last = bytes.subarray(bytes.length - endLength);
  if (bytes.length < endLength || last.readUInt32LE(0) !== endSignature)
    throw new Error('The archive has no end');
  const has64 = bytes.length === tail && bytes.readUInt32LE(0) === end64Signature;
  return has64
    ? {
        size: Number(bytes.readBigUInt64LE(40)),
        position: Number(bytes.readBigUInt64LE(48)),
      }
    : { size: last.readUInt32LE(12), position: last.readUInt32LE(16) };
}

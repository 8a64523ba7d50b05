/** Streams the files of a tar archive, each small enough for memory. Links, folders and devices are skipped. */
export class BrokenTar extends Error {
  override readonly name = 'BrokenTar';
}

const block = 512;
const largestFile = 64 * 1024 ** 2;

/** Throws BrokenTar on a document that is not a tar archive, on a truncated one, and on a file of more than 64 MiB. */
export async function* tarFiles(bytes: AsyncIterable<Uint8Array>) {
  const source = new Blocks(bytes);
  let path: string | null = null;
  let size: number | null = null;
  try {
    for (;;) {
      const header = await source.take(block);
      if (header.every((byte) => byte === 0)) break;
      const entry = readEntry(header);
      const length =
        entry.kind === 'other' || entry.kind === 'file' ? (size ?? entry.size) : entry.size;
      if (length > largestFile)
        throw new BrokenTar(
          `it holds a file of ${length.toLocaleString('en')} bytes (${path ?? entry.path})`,
        );
      const content = (await source.take(Math.ceil(length / block) * block)).subarray(0, length);
      if (entry.kind === 'long path') path = readText(content);
      else if (entry.kind === 'extended') ({ path = path, size = size } = extendedHeader(content));
      else {
        if (entry.kind === 'file') yield { path: path ?? entry.path, content };
        path = null;
        size = null;
      }
    }
    await source.drain();
  } finally {
    await source.close();
  }
}

interface TarEntry {
  readonly kind: 'file' | 'long path' | 'extended' | 'other';
  readonly path: string;
  readonly size: number;
}

const kinds: Readonly<Record<string, TarEntry['kind']>> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  L: 'long path',
  x: 'extended',
};

function readEntry(header: Uint8Array): TarEntry {
  const text = (from: number, to: number) => readText(header.subarray(from, to));
  const sum = header.reduce(
    (total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte),
    0,
  );
  if (Number.parseInt(text(148, 156).trim(), 8) !== sum)
    throw new BrokenTar('it is not a tar archive, or its headers are damaged');
  const prefix = text(257, 263).startsWith('ustar') && header[263] === 0x30 ? text(345, 500) : '';
  const name = text(0, 100);
  return {
    kind: kinds[String.fromCharCode(header[156] ?? 0)] ?? 'other',
    path: prefix === '' ? name : `${prefix}/${name}`,
    size: readSize(header.subarray(124, 136)),
  };
}

/** Parses octal digits, or the big-endian number that GNU tar writes for larger sizes. */
function readSize(field: Uint8Array): number {
  const binary = ((field[0] ?? 0) & 0x80) !== 0;
  const size = binary
    ? field.subarray(1).reduce((number, byte) => number * 256 + byte, 0)
    : Number.parseInt(readText(field).trim() || '0', 8);
  if (!Number.isSafeInteger(size)) throw new BrokenTar('its headers are damaged');
  return size;
}

/**
 * Parses pax: `<length> <key>=<value>\
 * `, with the length of the complete line in bytes.
 */
function extendedHeader(content: Uint8Array): { path?: string; size?: number } {
  const found: { path?: string; size?: number } = {};
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const length = Number(readText(content.subarray(at, space)));
    if (space < 0 || !Number.isInteger(length) || length <= 0)
      throw new BrokenTar('its extended headers are damaged');
    const [key, value = ''] = splitOnce(readText(content.subarray(space + 1, at + length - 1)));
    if (key === 'path') found.path = value;
    if (key === 'size') found.size = Number(value);
    at += length;
  }
  return found;
}

function splitOnce(line: string): [string, string?] {
  const equals = line.indexOf('=');
  return equals < 0 ? [line] : [line.slice(0, equals), line.slice(equals + 1)];
}

/** Decodes up to the first NUL. */
function readText(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
}

const decoder = new TextDecoder();

class Blocks {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array();

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.#pieces = bytes[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Uint8Array> {
    const taken = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      if (this.#piece.length === 0) {
        const next = await this.#pieces.next();
        if (next.done === true) throw new BrokenTar('it ends in the middle');
        this.#piece = next.value;
        continue;
      }
      const part = this.#piece.subarray(0, length - at);
      taken.set(part, at);
      at += part.length;
      this.#piece = this.#piece.subarray(part.length);
    }
    return taken;
  }

  /** Reads to the end of the bytes, where a broken archive around them is detected. */
  async drain(): Promise<void> {
    while ((await this.#pieces.next()).done !== true);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

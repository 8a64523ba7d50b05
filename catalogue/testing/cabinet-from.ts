/** Writes a cabinet for tests: MSZIP, one folder. Unless `small` is set, the same files give the same bytes on every machine. */
import { deflateRawSync } from 'node:zlib';

const blockSize = 32_768;
const headerSize = 36;
const folderSize = 8;

export interface CabinetOptions {
  /** Compresses like real cabinets; the size depends on the machine's zlib. */
  readonly small?: boolean;
}

/** @param files contents by name, such as `x/12345`. */
export function cabinetFrom(
  files: Readonly<Record<string, string | Uint8Array>>,
  { small = false }: CabinetOptions = {},
): Buffer {
  const members = Object.entries(files).map(([name, content]) => ({
    name: name.replaceAll('/', '\\'),
    bytes: Buffer.from(content),
  }));
  const content = Buffer.concat(members.map(({ bytes }) => bytes));
  const blocks: Buffer[] = [];
  for (let at = 0; at < content.length; at += blockSize)
    blocks.push(createBlock(content.subarray(at, at + blockSize), small ? 6 : 0));

  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of members) {
    const entry = Buffer.alloc(16 + name.length + 1);
    entry.writeUInt32LE(bytes.length, 0);
    entry.writeUInt32LE(offset, 4);
    // 1 January 2024, midnight.
    entry.writeUInt16LE(((2024 - 1980) << 9) | (1 << 5) | 1, 10);
    entry.writeUInt16LE(0x20, 14);
    entry.write(name, 16, 'latin1');
    entries.push(entry);
    offset += bytes.length;
  }

  const start = headerSize + folderSize + entries.reduce((sum, { length }) => sum + length, 0);
  const header = Buffer.alloc(headerSize + folderSize);
  header.write('MSCF');
  header.writeUInt32LE(start + blocks.reduce((sum, { length }) => sum + length, 0), 8);
  header.writeUInt32LE(headerSize + folderSize, 16);
  header.writeUInt16LE(0x0103, 24);
  header.writeUInt16LE(1, 26);
  header.writeUInt16LE(members.length, 28);
  header.writeUInt32LE(start, 36);
  header.writeUInt16LE(blocks.length, 40);
  header.writeUInt16LE(1, 42);
  return Buffer.concat([header, ...entries, ...blocks]);
}

function createBlock(content: Buffer, level: number): Buffer {
  const packed = deflateRawSync(content, { level });
  const header = Buffer.alloc(10);
  // The checksum before these fields is optional.
  header.writeUInt16LE(packed.length + 2, 4);
  header.writeUInt16LE(content.length, 6);
  header.write('CK', 8);
  return Buffer.concat([header, packed]);
}

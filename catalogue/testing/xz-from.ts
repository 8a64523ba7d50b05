/** Writes an xz file for tests, whose content is stored without compression. */
import { crc32 } from 'node:zlib';

const largestChunk = 65_536;
/** The streams carry a CRC32. */
const flags = Buffer.from([0x00, 0x01]);

export function xzFrom(content: Uint8Array): Buffer {
  const header = Buffer.concat([
    Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]),
    flags,
    computeChecksum(flags),
  ]);
  // One filter, LZMA2, with a dictionary of 8 MiB.
  const blockHeader = Buffer.from([0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00]);
  const block = Buffer.concat([blockHeader, computeChecksum(blockHeader), stored(content)]);
  const index = padded(
    Buffer.concat([
      Buffer.from([0x00, 0x01]),
      encodeNumber(block.length + 4),
      encodeNumber(content.length),
    ]),
  );
  const indexed = Buffer.concat([index, computeChecksum(index)]);
  const backward = Buffer.alloc(4);
  backward.writeUInt32LE(indexed.length / 4 - 1);
  const end = Buffer.concat([backward, flags]);
  return Buffer.concat([
    header,
    padded(block),
    computeChecksum(content),
    indexed,
    computeChecksum(end),
    end,
    Buffer.from('YZ'),
  ]);
}

function stored(content: Uint8Array): Buffer {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < content.length; at += largestChunk) {
    const chunk = content.subarray(at, at + largestChunk);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(chunk.length - 1);
    pieces.push(Buffer.from([at === 0 ? 0x01 : 0x02]), size, chunk);
  }
  return Buffer.concat([...pieces, Buffer.from([0x00])]);
}

function computeChecksum(bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(bytes));
  return sum;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

/** Encodes seven bits per byte, the lowest first. */
function encodeNumber(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

/** Reads format and size from the header of a PNG or JPEG file without decoding it. */

export interface PictureSize {
  readonly format: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
}

const pngBegins = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpegBegins = [0xff, 0xd8, 0xff];

/** Returns null for any other file, and for one that is truncated before its size. */
export function pictureSize(file: Uint8Array): PictureSize | null {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const begins = (signature: readonly number[]) =>
    signature.every((byte, index) => file[index] === byte);
  try {
    if (begins(pngBegins))
      return { format: 'png', width: bytes.getUint32(16), height: bytes.getUint32(20) };
    if (begins(jpegBegins)) return jpegSize(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

/** Reads the size from the frame's header, after other segments: FF, the segment's kind, its length. */
function jpegSize(bytes: DataView): PictureSize | null {
  for (let offset = 2; bytes.getUint8(offset) === 0xff; ) {
    const kind = bytes.getUint8(offset + 1);
    // Any number of FF bytes may precede the kind.
    if (kind === 0xff) offset += 1;
    else if (isFrame(kind))
      return {
        format: 'jpeg',
        height: bytes.getUint16(offset + 5),
        width: bytes.getUint16(offset + 7),
      };
    else offset += 2 + bytes.getUint16(offset + 2);
  }
  return null;
}

/** C0 to CF except the tables among them: Huffman (C4), JPG (C8), arithmetic (CC). */
const isFrame = (kind: number) =>
  kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);

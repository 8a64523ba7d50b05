/** What a file says of itself before anything is unpacked: whether it is a PNG or JPEG by its first bytes, and how large its picture is. */

export interface PictureSize {
  readonly format: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
}

const pngBegins = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const jpegBegins = [0xff, 0xd8, 0xff];

/** Null for any other file, and for one that ends before it has said so. */
export function pictureSize(file: Uint8Array): PictureSize | null {
  const bytes = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const begins = (with_: readonly number[]) => with_.every((byte, place) => file[place] === byte);
  try {
    if (begins(pngBegins))
      return { format: 'png', width: bytes.getUint32(16), height: bytes.getUint32(20) };
    if (begins(jpegBegins)) return jpegSize(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

/** It stands in the frame's header, after other segments: FF, the segment's kind, its length. */
function jpegSize(bytes: DataView): PictureSize | null {
  for (let place = 2; bytes.getUint8(place) === 0xff; ) {
    const kind = bytes.getUint8(place + 1);
    // Any number of FF may stand before the kind.
    if (kind === 0xff) place += 1;
    else if (isFrame(kind))
      return {
        format: 'jpeg',
        height: bytes.getUint16(place + 5),
        width: bytes.getUint16(place + 7),
      };
    else place += 2 + bytes.getUint16(place + 2);
  }
  return null;
}

/** C0 to CF but for the tables among them: Huffman (C4), JPG (C8), arithmetic (CC). */
const isFrame = (kind: number) =>
  kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind);

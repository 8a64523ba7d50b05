/** Converts an uploaded file to a user's picture: the file itself is never served. */
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { avatarSide, largestAvatar } from '@patch/contract/accounts/user-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { createConcurrencyLimiter } from '../../platform/http/concurrency-limiter.ts';
import type { AvatarTask } from './avatar-thread.ts';

/** A small file may decode to a huge picture. */
const maxPixels = 25_000_000;
const timeoutMs = 10_000;
/** Decoding a picture takes up to 300 MB for a while. */
const limitConcurrency = createConcurrencyLimiter({
  maxRunning: 2,
  maxWaiting: 20,
  busy: 'Too many pictures are being uploaded at once.',
});

/**
 * Returns a PNG of 128 × 128 from the middle.
 * @throws AppError for a file that is too large or not a picture.
 */
export async function avatarPicture(upload: Readable): Promise<Uint8Array> {
  const file = await readFile(upload);
  const size = pictureSize(file);
  if (size === null)
    throw new AppError(
      'no_picture',
      'The file is not a readable picture. Choose a PNG or JPEG file.',
    );
  const { format, width, height } = size;
  if (width === 0 || height === 0 || width * height > maxPixels)
    throw new AppError(
      'picture_too_large',
      `The picture is ${width} × ${height} pixels. It may have at most 25 million; choose a smaller one.`,
    );
  return limitConcurrency(() => inThread({ file, format, side: avatarSide }));
}

async function readFile(upload: Readable): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of upload as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > largestAvatar)
        throw new AppError(
          'picture_file_too_large',
          'The picture may be at most 1 MB large. Choose a smaller one.',
        );
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    // The sender has disconnected.
    throw new AppError(
      'picture_broken_off',
      'The upload of the picture was interrupted. Upload it again.',
    );
  }
  return Buffer.concat(pieces);
}

/** Decodes in a thread of its own with a time limit: a malformed file may hang or crash the decoder. */
function inThread(task: AvatarTask): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const broken = () =>
      reject(
        new AppError(
          'no_picture',
          'The picture cannot be read; the file seems to be damaged. Choose another one.',
        ),
      );
    const thread = new Worker(new URL('./avatar-thread.ts', import.meta.url), {
      workerData: task,
      name: 'avatar',
      resourceLimits: { maxOldGenerationSizeMb: 64 },
      stdout: true,
      stderr: true,
    });
    const timer = setTimeout(() => void thread.terminate(), timeoutMs);
    thread.once('message', (picture: Uint8Array | null) =>
      picture === null ? broken() : resolve(picture),
    );
    thread.once('error', reject);
    // Has no effect after a message.
    thread.once('exit', () => {
      clearTimeout(timer);
      broken();
    });
  });
}

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

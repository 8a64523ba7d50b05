/**
 * Decodes one picture, cuts it square, scales it and encodes it as PNG. The codecs are WebAssembly: a malformed file cannot reach
 * beyond them.
 */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import decodeJpeg, { init as initJpeg } from '@jsquash/jpeg/decode.js';
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js';
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js';
import { cropSquare, type Pixels } from './square-picture.ts';

export interface AvatarTask {
  readonly file: Uint8Array;
  readonly format: 'png' | 'jpeg';
  /** Pixels. */
  readonly side: number;
}

/** A minimal ImageData, which the codecs expect from browsers. */
class PlainImageData implements Pixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
  readonly colorSpace = 'srgb';
  constructor(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number) {
    this.data = data;
    this.width = width;
    this.height = height;
  }
}
Object.assign(globalThis, { ImageData: PlainImageData });

const inPackages = createRequire(import.meta.url);
const codec = (path: string) => readFile(inPackages.resolve(path));

async function decode({ file, format }: AvatarTask): Promise<Pixels | null> {
  const bytes = file.buffer.slice(
    file.byteOffset,
    file.byteOffset + file.byteLength,
  ) as ArrayBuffer;
  try {
    if (format === 'png') return await decodePng(bytes);
    // Applies the orientation of the camera.
    return await decodeJpeg(bytes, { preserveOrientation: true });
  } catch {
    return null;
  }
}

async function work(task: AvatarTask): Promise<Uint8Array | null> {
  const png = await codec('@jsquash/png/codec/pkg/squoosh_png_bg.wasm');
  await initPngDecoder(png);
  await initPngEncoder(png);
  if (task.format === 'jpeg')
    await initJpeg({ wasmBinary: await codec('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm') });
  const picture = await decode(task);
  if (picture === null) return null;
  const small = cropSquare(picture, task.side);
  return new Uint8Array(await encodePng(new PlainImageData(small, task.side, task.side)));
}

parentPort?.postMessage(await work(workerData as AvatarTask));

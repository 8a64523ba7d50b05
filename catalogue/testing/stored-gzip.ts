/** A gzip file with the same bytes on every machine, for fixtures whose checksums are written down. */
import { gzipSync } from 'node:zlib';

/** Stored, not compressed, and without the name of the operating system: both differ between machines. */
export function storedGzip(text: string): Buffer {
  const packed = gzipSync(text, { level: 0 });
  packed[9] = 255;
  return packed;
}

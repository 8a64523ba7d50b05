/** Creates a gzip file with the same bytes on every machine, for fixtures with fixed checksums. */
import { gzipSync } from 'node:zlib';

/** Stores without compression, and removes the name of the operating system: both differ between machines. */
export function storedGzip(text: string): Buffer {
  const packed = gzipSync(text, { level: 0 });
  packed[9] = 255;
  return packed;
}

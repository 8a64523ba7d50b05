/** Writes a dump to a file. */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Session } from '../../platform/database/database.ts';
import { type AtomicFileOptions, writeAtomically } from '../../platform/files/atomic-file.ts';
import type { ServiceSigner } from '../../platform/secrets/service-signer.ts';
import { type DumpProgress, dumpText } from './database-dump.ts';

/** Compresses when the name ends in .gz. Returns the file's size. */
export function writeDumpFile(
  session: Session,
  path: string,
  now: number,
  signer: ServiceSigner,
  progress: DumpProgress & AtomicFileOptions = {},
): Promise<number> {
  const write = (file: Writable) => {
    const text = Readable.from(dumpText(session, now, signer, progress), {
      objectMode: true,
      highWaterMark: 1,
    });
    return path.endsWith('.gz') ? pipeline(text, createGzip(), file) : pipeline(text, file);
  };
  return writeAtomically(path, write, progress);
}

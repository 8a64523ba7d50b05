/** Large generated files in the vendors' formats, written for each run so that no file of an older generator remains. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { madeStanza } from './packages-generator.ts';
import { madeAdvisory, updateinfoHead, updateinfoTail } from './updateinfo-generator.ts';

export interface VendorFile {
  readonly path: string;
  /** Size unpacked, as a reader sees it. */
  readonly bytes: number;
  readonly records: number;
}

/** Of at least so many bytes, by less than an advisory. */
export function updateinfoFile(path: string, bytes: number): Promise<VendorFile> {
  return written(
    path,
    madeAdvisory,
    ({ bytes: size }) => size >= bytes,
    updateinfoHead,
    updateinfoTail,
  );
}

export function packagesFile(path: string, stanzas: number): Promise<VendorFile> {
  return written(path, madeStanza, ({ records }) => records >= stanzas);
}

export async function gzipped({ path, bytes, records }: VendorFile): Promise<VendorFile> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(`${path}.gz`));
  return { path: `${path}.gz`, bytes, records };
}

async function written(
  path: string,
  recordOf: (n: number) => string,
  enough: (written: Omit<VendorFile, 'path'>) => boolean,
  head = '',
  tail = '',
): Promise<VendorFile> {
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(path);
  let bytes = Buffer.byteLength(head) + Buffer.byteLength(tail);
  let records = 0;
  file.write(head);
  while (!enough({ bytes, records })) {
    const record = recordOf(records);
    bytes += Buffer.byteLength(record);
    records += 1;
    if (!file.write(record)) await once(file, 'drain');
  }
  file.end(tail);
  await once(file, 'close');
  return { path, bytes, records };
}

/** Reads an untrusted zip file entry by entry. A file that is not a valid zip is a ZipBroken. */
import type { Readable } from 'node:stream';
import { errorCode } from '@patch/contract/base/error-code.ts';
import { type Entry, open, type ZipFile } from 'yauzl';

export class ZipBroken extends Error {
  override readonly name = 'ZipBroken';
}

export interface OpenZip {
  /** Uncompressed sizes by name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** @throws ZipBroken when the entry does not exist. */
  stream(name: string): Promise<Readable>;
  close(): void;
}

const maxEntries = 1000;

export async function openZip(path: string): Promise<OpenZip> {
  const zip = await opened(path);
  try {
    const entries = await readEntries(zip);
    return {
      sizes: new Map([...entries].map(([name, { uncompressedSize }]) => [name, uncompressedSize])),
      stream(name) {
        const entry = entries.get(name);
        return new Promise((resolve, reject) => {
          if (entry === undefined) reject(new ZipBroken(`It has no ${name}.`));
          else
            zip.openReadStream(entry, (error, stream) =>
              error === null ? resolve(stream) : reject(broken(error)),
            );
        });
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function opened(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { lazyEntries: true, autoClose: false, strictFileNames: true }, (error, zip) =>
      error === null ? resolve(zip) : reject(broken(error)),
    );
  });
}

function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, Entry>();
    zip.on('error', (error: Error) => reject(broken(error)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      if (entries.has(entry.fileName)) reject(new ZipBroken(`It has ${entry.fileName} twice.`));
      else if (entries.size >= maxEntries) reject(new ZipBroken('It has too many files.'));
      else {
        entries.set(entry.fileName, entry);
        zip.readEntry();
      }
    });
    zip.readEntry();
  });
}

/** Errors of yauzl itself have no code, unlike those of the file system. */
const broken = (error: Error) =>
  errorCode(error) !== null
    ? error
    : new ZipBroken(`${error.message.replace(/\.$/, '')}.`, { cause: error });

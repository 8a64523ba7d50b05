/** Files that are made when they are fetched after a change of what they contain, and then served until the next change. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '../logging/logging.ts';
import { msSince } from '../logging/ms-since.ts';
import { writeAtomically } from './atomic-file.ts';

export interface FileToMake {
  /** Letters, digits and hyphens. */
  readonly name: string;
  /** Identifies the content: letters, digits and dots. */
  readonly tag: string;
  readonly extension: string;
}

export interface MadeFile {
  readonly path: string;
  readonly bytes: number;
}

export interface MadeFilesParts {
  /** Null: a temporary folder. */
  readonly folder: string | null;
  readonly log: Pick<Log, 'info'>;
}

export class MadeFiles {
  readonly #parts: MadeFilesParts;
  #folder: Promise<string> | null = null;
  /** By name, those that are being made. */
  readonly #making = new Map<string, Promise<MadeFile>>();

  constructor(parts: MadeFilesParts) {
    this.#parts = parts;
  }

  /**
   * Returns the file with this tag. Several callers wait for one making, which goes on when they leave.
   * @param make - Writes the file, and returns what is logged of it.
   */
  async get(file: FileToMake, make: (path: string) => Promise<object>): Promise<MadeFile> {
    const path = join(await this.folder(), `${file.name}.${file.tag}.${file.extension}`);
    const made = await stat(path).catch(() => null);
    if (made !== null) return { path, bytes: made.size };
    const key = `${file.name}.${file.extension}`;
    const known = this.#making.get(key);
    if (known !== undefined) return known;
    const making = this.#make(file, path, make).finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #make(
    file: FileToMake,
    path: string,
    make: (path: string) => Promise<object>,
  ): Promise<MadeFile> {
    const since = performance.now();
    const facts = await make(path);
    await removeOthers(file, path);
    const { size: bytes } = await stat(path);
    this.#parts.log.info({ file: file.name, ...facts, bytes, ms: msSince(since) }, 'file made');
    return { path, bytes };
  }

  /** Returns the folder of all files, which exists. */
  folder(): Promise<string> {
    const { folder } = this.#parts;
    this.#folder ??=
      folder === null
        ? mkdtemp(join(tmpdir(), 'patch-repository-formats-'))
        : mkdir(folder, { recursive: true, mode: 0o700 }).then(() => folder);
    return this.#folder;
  }
}

/** Writes pieces to a file, which is there when all are written. */
export const writePieces = (
  path: string,
  pieces: AsyncIterable<Buffer | string> | Iterable<string>,
): Promise<number> => writeAtomically(path, (file) => pipeline(Readable.from(pieces), file));

/** Removes files of earlier states; a caller that still reads one reads it to its end. */
async function removeOthers({ name, extension }: FileToMake, path: string): Promise<void> {
  const folder = dirname(path);
  for (const other of await readdir(folder))
    if (
      other.startsWith(`${name}.`) &&
      other.endsWith(`.${extension}`) &&
      join(folder, other) !== path
    )
      await rm(join(folder, other), { force: true });
}

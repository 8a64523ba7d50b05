/** Files that are made when they are fetched after a change of what they contain, and then served until the next change. */
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SharedRead } from '../database/shared-read.ts';
import type { Log } from '../logging/logging.ts';
import { msSince } from '../logging/ms-since.ts';
import { writeAtomically } from './atomic-file.ts';

export interface FileName {
  /** Letters, digits and hyphens. */
  readonly name: string;
  readonly extension: string;
}

export interface FileState {
  /** Identifies the content: letters, digits and dots. */
  readonly tag: string;
  /** Writes the file with this content or newer, and returns what is logged of it. */
  readonly make: (path: string) => Promise<object>;
}

export interface MadeFile {
  readonly path: string;
  readonly bytes: number;
  /** Of the state that was read before the content, so that the content may be newer but never older. */
  readonly tag: string;
}

export interface MadeFilesParts {
  /** Null: a temporary folder. */
  readonly folder: string | null;
  readonly log: Pick<Log, 'info'>;
}

export class MadeFiles {
  readonly #parts: MadeFilesParts;
  #folder: Promise<string> | null = null;
  /** By name and extension: at most one file of each is being made. */
  readonly #reads = new Map<string, SharedRead<MadeFile>>();

  constructor(parts: MadeFilesParts) {
    this.#parts = parts;
  }

  /**
   * Returns the file of a state that was read after this call. Concurrent callers share one making, which goes on when they leave;
   * who calls while a file is being made waits for its end, and then for that of the state at that time.
   * @param readState - Reads the current state. That of the first caller serves all callers of the name.
   */
  get(name: FileName, readState: () => Promise<FileState>): Promise<MadeFile> {
    const key = `${name.name}.${name.extension}`;
    const known = this.#reads.get(key);
    if (known !== undefined) return known.now();
    const added = new SharedRead(async () => this.#find(name, await readState()));
    this.#reads.set(key, added);
    return added.now();
  }

  async #find(file: FileName, { tag, make }: FileState): Promise<MadeFile> {
    const path = join(await this.folder(), `${file.name}.${tag}.${file.extension}`);
    const made = await stat(path).catch(() => null);
    if (made !== null) return { path, bytes: made.size, tag };
    const since = performance.now();
    const facts = await make(path);
    await removeOthers(file, path);
    const { size: bytes } = await stat(path);
    this.#parts.log.info({ file: file.name, ...facts, bytes, ms: msSince(since) }, 'file made');
    return { path, bytes, tag };
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
async function removeOthers({ name, extension }: FileName, path: string): Promise<void> {
  const folder = dirname(path);
  for (const other of await readdir(folder))
    if (
      other.startsWith(`${name}.`) &&
      other.endsWith(`.${extension}`) &&
      join(folder, other) !== path
    )
      await rm(join(folder, other), { force: true });
}

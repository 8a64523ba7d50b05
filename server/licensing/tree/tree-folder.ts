/** The folders of a published tree: what everybody may fetch, and what only the publisher reads. */
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { errorCode } from '@patch/contract/base/error-code.ts';
import { treeFilePath } from '@patch/contract/tree/tree-index.ts';
import { writeAtomically } from '../../platform/files/atomic-file.ts';

/** Files and folders that a web server with another account may read. */
const publicModes = { file: 0o644, folder: 0o755 } as const;
const privateModes = { file: 0o600, folder: 0o700 } as const;

export class TreeFolder {
  /** The tree: paths of docs/catalogue-format.md. */
  readonly published: string;
  /** The states of lists, which only the publisher reads. */
  readonly own: string;

  readonly #modes: typeof publicModes | typeof privateModes;

  /** @param isPrivate - Nobody but the service reads the tree. */
  constructor(published: string, own: string, isPrivate = false) {
    this.published = published;
    this.own = own;
    this.#modes = isPrivate ? privateModes : publicModes;
  }

  /** Returns null when the file does not exist. */
  readPublished(path: string): Promise<Buffer | null> {
    return readIfThere(join(this.published, path));
  }

  readOwn(name: string): Promise<Buffer | null> {
    return readIfThere(join(this.own, name));
  }

  writeOwn(name: string, pieces: readonly Uint8Array[]): Promise<void> {
    return write(join(this.own, name), pieces, privateModes);
  }

  writePublished(path: string, bytes: Uint8Array): Promise<void> {
    return write(join(this.published, path), [bytes], this.#modes);
  }

  /** Writes a file whose path follows from its content. */
  async addPublished<Written>(
    work: (file: Writable) => Promise<Written>,
    pathOf: (written: Written) => string,
  ): Promise<Written> {
    const unnamed = join(this.published, 'segment.new');
    await makeFolder(this.published, this.#modes.folder);
    const results: Written[] = [];
    await writeAtomically(unnamed, async (file) => results.push(await work(file)), {
      mode: this.#modes.file,
    });
    const [written] = results;
    if (written === undefined) throw new Error('A file was written without a result');
    const path = join(this.published, pathOf(written));
    await makeFolder(dirname(path), this.#modes.folder);
    await rename(unnamed, path);
    await syncFolder(dirname(path));
    return written;
  }

  async *streamPublished(path: string): AsyncGenerator<Buffer> {
    const file = await open(join(this.published, path));
    yield* file.createReadStream({ highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.published, path), { force: true });
  }

  /** Returns the paths of files in folders of epochs that were last changed before a time. */
  async filesBefore(time: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (const path of await this.files())
      if ((await stat(join(this.published, path))).mtimeMs < time) found.push(path);
    return found;
  }

  /** Returns the paths of segments and indexes: the folder may have files of others. */
  async files(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const epoch of await namesIn(this.published))
      for (const list of await namesIn(join(this.published, epoch)))
        for (const name of await namesIn(join(this.published, epoch, list)))
          found.push(`${epoch}/${list}/${name}`);
    return found.filter((path) => treeFilePath.test(path));
  }

  /** Returns the names of the roots. */
  roots(): Promise<readonly string[]> {
    return namesIn(join(this.published, 'root'));
  }

  async bytesOf(path: string): Promise<number> {
    return (await stat(join(this.published, path))).size;
  }

  /** Returns whether the tree has a file of this length. */
  async has(path: string, bytes: number): Promise<boolean> {
    try {
      return (await this.bytesOf(path)) === bytes;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
      throw error;
    }
  }
}

/** Creates a folder and those above it with a mode that the process's umask does not narrow. */
async function makeFolder(path: string, mode: number): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, mode);
}

async function write(
  path: string,
  pieces: readonly Uint8Array[],
  modes: { readonly file: number; readonly folder: number },
): Promise<void> {
  await makeFolder(dirname(path), modes.folder);
  await writeAtomically(
    path,
    (file) =>
      new Promise<void>((settle, fail) => {
        file.on('error', fail);
        file.on('finish', settle);
        for (const piece of pieces) file.write(piece);
        file.end();
      }),
    { mode: modes.file },
  );
  await syncFolder(dirname(path));
}

async function readIfThere(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Returns no names for a file. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR' || errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Makes renames outlast a loss of power. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

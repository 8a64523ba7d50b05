/** A file that is there only when it is whole: written under another name, forced to the disk, then given its own. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** The file would take more room than it may. */
export class OutOfSpaceError extends Error {
  override readonly name = 'OutOfSpaceError';
}

export interface WholeFileOptions {
  /** Bytes that it may have. */
  readonly room?: number;
  readonly onBytes?: (bytes: number) => void;
}

export const partialFileSuffix = '.unfinished';

/** `work` ends the stream that it is given. Answers the size. */
export async function writeWholeFile(
  path: string,
  work: (file: Writable) => Promise<unknown>,
  { room = Number.POSITIVE_INFINITY, onBytes }: WholeFileOptions = {},
): Promise<number> {
  const unfinished = `${path}${partialFileSuffix}`;
  // For the owner alone: there is nothing in it that everybody on the machine should read.
  const handle = await open(unfinished, 'w', 0o600);
  const file = new CountedFile(handle, room, onBytes);
  try {
    await work(file);
    await handle.sync();
    await handle.close();
    await rename(unfinished, path);
    return file.bytes;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

class CountedFile extends Writable {
  bytes = 0;
  readonly #handle: FileHandle;
  readonly #room: number;
  readonly #onBytes: ((bytes: number) => void) | undefined;

  constructor(handle: FileHandle, room: number, onBytes: ((bytes: number) => void) | undefined) {
    super({ highWaterMark: 256 * 1024 });
    this.#handle = handle;
    this.#room = room;
    this.#onBytes = onBytes;
  }

  override _write(
    chunk: Buffer,
    _encoding: BufferEncoding,
    taken: (error?: Error | null) => void,
  ): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#room) {
      taken(new OutOfSpaceError('The file takes more room than it may'));
      return;
    }
    this.#onBytes?.(this.bytes);
    this.#handle.writeFile(chunk).then(
      () => taken(),
      (error: unknown) => taken(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

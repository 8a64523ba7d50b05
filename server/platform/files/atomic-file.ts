/** Writes a file atomically: under a temporary name, synced to the disk, then renamed. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Writable } from 'node:stream';

/** The file would exceed its size limit. */
export class OutOfSpaceError extends Error {
  override readonly name = 'OutOfSpaceError';
}

export interface AtomicFileOptions {
  /** Size limit in bytes. */
  readonly room?: number;
  readonly onBytes?: (bytes: number) => void;
  /** Private to the owner without one: other accounts of the machine must not read the file. */
  readonly mode?: number;
}

export const partialFileSuffix = '.unfinished';

/**
 * Runs `work`, which writes to the stream and ends it. Returns the size in bytes.
 * @throws OutOfSpaceError when the file would exceed its size limit.
 */
export async function writeAtomically(
  path: string,
  work: (file: Writable) => Promise<unknown>,
  { room = Number.POSITIVE_INFINITY, onBytes, mode = 0o600 }: AtomicFileOptions = {},
): Promise<number> {
  const unfinished = `${path}${partialFileSuffix}`;
  const handle = await open(unfinished, 'w', mode);
  await handle.chmod(mode);
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
    onWritten: (error?: Error | null) => void,
  ): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#room) {
      onWritten(new OutOfSpaceError('The file exceeds its size limit'));
      return;
    }
    this.#onBytes?.(this.bytes);
    this.#handle.writeFile(chunk).then(
      () => onWritten(),
      (error: unknown) => onWritten(error instanceof Error ? error : new Error(String(error))),
    );
  }
}

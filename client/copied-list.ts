/**
 * The local copy of a list: `<list>.jsonl`, one record per line, where the last line of an id counts; and next to it the state of the
 * fetch. Lines are appended first and count once the state includes them: a client killed between the two steps finds lines past
 * the end in the state and truncates them. Until a copy is complete for the first time, it is a `.part`.
 */
import { open, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '@patch/contract/base/error-code.ts';
import { ClientFailure } from './client-failure.ts';
import { replaceFile, syncFolder } from './client-folder.ts';

/** The part of each state that the copy itself depends on. */
export interface CopyExtent {
  /** Length of the lines that count. */
  readonly bytes: number;
  /** The copy was complete at least once. */
  readonly whole: boolean;
}

const stateEndings = ['.state.json', '.state'] as const;

/** How a protocol stores its state. One cannot go on with the state of the other. */
export interface StateFormat<State extends CopyExtent> {
  /** End of the file's name. */
  readonly ending: (typeof stateEndings)[number];
  /** The state before anything was fetched. */
  readonly nothing: State;
  /** Returns null for a damaged state: everything is fetched again. */
  readonly read: (bytes: Buffer) => State | null;
  readonly write: (state: State) => string | readonly Uint8Array[];
}

export class ListCopy<State extends CopyExtent> {
  readonly #path: string;
  readonly #statePath: string;
  readonly #format: StateFormat<State>;
  #state: State;

  private constructor(base: string, format: StateFormat<State>) {
    this.#path = `${base}.jsonl`;
    this.#statePath = `${base}${format.ending}`;
    this.#format = format;
    this.#state = format.nothing;
  }

  static async open<State extends CopyExtent>(
    folder: string,
    list: string,
    format: StateFormat<State>,
  ): Promise<ListCopy<State>> {
    const base = join(folder, list);
    for (const ending of stateEndings)
      if (ending !== format.ending) await rm(`${base}${ending}`, { force: true });
    const copy = new ListCopy(base, format);
    copy.#state = await readState(copy.#statePath, format);
    await copy.#settle();
    return copy;
  }

  get state(): State {
    return this.#state;
  }

  /** Path of the lines that count. */
  get path(): string {
    return this.#state.whole ? this.#path : this.#part;
  }

  get #part(): string {
    return `${this.#path}.part`;
  }

  /** The existing copy stays until the new one is complete. */
  async beginAgain(): Promise<void> {
    await this.#saveState(this.#format.nothing);
  }

  /**
   * Appends all lines or none.
   * @param batches - Lines without line feeds.
   * @param next - Called after the last line. When it throws, nothing is appended.
   */
  async append(
    batches: AsyncIterable<readonly string[]> | Iterable<readonly string[]>,
    next: () => Omit<State, 'bytes'>,
  ): Promise<void> {
    const { bytes, whole } = this.#state;
    let end = bytes;
    const file = await open(this.path, bytes === 0 ? 'w' : 'r+');
    try {
      await file.truncate(bytes);
      for await (const lines of batches) {
        const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        // A disk that is nearly full writes only a part, and reports that only through the byte count.
        for (let written = 0; written < text.length; )
          written += (await file.write(text, written, text.length - written, end + written))
            .bytesWritten;
        end += text.length;
      }
      const state = { ...next(), bytes: end } as State;
      await file.datasync();
      await this.#saveState(state);
    } catch (error) {
      await file.truncate(bytes).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    if (!whole) await this.#settle();
  }

  async #saveState(state: State): Promise<void> {
    await replaceFile(this.#statePath, this.#format.write(state));
    this.#state = state;
  }

  /** Renames a copy that is now complete to its final name, and truncates what lies past the state's end. */
  async #settle(): Promise<void> {
    const { whole, bytes } = this.#state;
    if (whole && (await getSize(this.#part)) !== null) {
      await rename(this.#part, this.#path);
      await syncFolder(dirname(this.#path));
    }
    const size = (await getSize(this.path)) ?? 0;
    // Lines that the state counts are missing: the file was edited by someone else.
    if (size < bytes) await this.beginAgain();
    else if (size > bytes) await truncate(this.path, bytes);
  }
}

async function readState<State extends CopyExtent>(
  path: string,
  { read, nothing }: StateFormat<State>,
): Promise<State> {
  try {
    return read(await readFile(path)) ?? nothing;
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw new ClientFailure('folder', `${path} cannot be read: ${String(error)}`, { cause: error });
  }
}

async function getSize(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

const isMissing = (error: unknown) => errorCode(error) === 'ENOENT';

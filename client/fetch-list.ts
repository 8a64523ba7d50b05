/**
 * Updates the local copy of a list, page by page: `<list>.jsonl`, one record per line, where the last line of an id counts; and next
 * to it the state of the fetch. A page is appended first and counts once the state includes it: a client killed between the two steps
 * finds lines past the end in the state and truncates them. Until a copy is complete for the first time, it is a `.part`.
 */

import { open, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ClientChanges } from '@patch/contract/client-protocol-endpoints.ts';
import { errorCode } from '@patch/contract/error-code.ts';
import { z } from 'zod';
import { type RequestContext, requestRepository } from './ask-repository.ts';
import { ClientFailure, RepositoryRefusal } from './client-failure.ts';
import { replaceFile, syncFolder } from './client-folder.ts';

export interface FetchList {
  readonly run: RequestContext;
  readonly token: string;
  readonly folder: string;
  readonly list: string;
  readonly size: number;
  readonly fresh: boolean;
}

export interface Fetched {
  /** Listed and withdrawn records among the lines that were added. */
  readonly records: number;
  readonly withdrawn: number;
  readonly pages: number;
  /** The repository no longer knew the cursor, so the copy was fetched again from the start. */
  readonly begunAgain: boolean;
}

export async function fetchList({
  run,
  token,
  folder,
  list,
  size,
  fresh,
}: FetchList): Promise<Fetched> {
  const copy = await ListCopy.open(folder, list);
  if (fresh) await copy.beginAgain();
  let [records, withdrawn, pages, begunAgain] = [0, 0, 0, false];
  for (let more = true; more; ) {
    run.signal.throwIfAborted();
    const { cursor, tag } = copy.state;
    const query = new URLSearchParams({
      list,
      size: String(size),
      ...(cursor !== null && { since: cursor }),
    });
    try {
      const reply = await requestRepository(run, {
        method: 'GET',
        path: `/client/changes?${query.toString()}`,
        token,
        ...(cursor !== null && tag !== null && { tag }),
      });
      if (reply.json === undefined) break;
      const page = ClientChanges.parse(reply.json);
      // The tag belongs to the page after the requested cursor; it can be reused only if the cursor did not move.
      const same = page.rows.length === 0 && page.nextCursor === cursor;
      await copy.append(
        page.rows.map((row) => JSON.stringify(row)),
        { cursor: page.nextCursor, tag: same ? reply.tag : null, more: page.more },
      );
      withdrawn += page.rows.filter((row) => row.withdrawnTime !== null).length;
      records += page.rows.filter((row) => row.withdrawnTime === null).length;
      pages += 1;
      more = page.more;
    } catch (error) {
      const ended =
        error instanceof RepositoryRefusal &&
        (error.code === 'cursor_ended' || error.code === 'bad_cursor');
      if (!ended || begunAgain) throw error;
      begunAgain = true;
      await copy.beginAgain();
    }
  }
  return { records, withdrawn, pages, begunAgain };
}

const CopyState = z.object({
  /** Null: nothing has been fetched. */
  cursor: z.string().nullable(),
  /** ETag of the last reply that had nothing new. */
  tag: z.string().nullable(),
  bytes: z.number().int().min(0),
  /** The copy was complete at least once. */
  whole: z.boolean(),
});
type CopyState = z.infer<typeof CopyState>;

const nothing: CopyState = { cursor: null, tag: null, bytes: 0, whole: false };

class ListCopy {
  readonly #path: string;
  #state: CopyState;

  private constructor(path: string, state: CopyState) {
    this.#path = path;
    this.#state = state;
  }

  static async open(folder: string, list: string): Promise<ListCopy> {
    const path = join(folder, `${list}.jsonl`);
    const copy = new ListCopy(path, await readState(path));
    await copy.#settle();
    return copy;
  }

  get state(): CopyState {
    return this.#state;
  }

  /** The existing copy stays until the new one is complete. */
  async beginAgain(): Promise<void> {
    await this.#saveState(nothing);
  }

  async append(
    lines: readonly string[],
    next: { readonly cursor: string; readonly tag: string | null; readonly more: boolean },
  ): Promise<void> {
    const { bytes, whole } = this.#state;
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    if (text.length > 0 || !whole) {
      const file = await open(whole ? this.#path : this.#part, bytes === 0 ? 'w' : 'r+');
      try {
        await file.truncate(bytes);
        // A disk that is nearly full writes only a part, and reports that only through the byte count.
        for (let written = 0; written < text.length; )
          written += (await file.write(text, written, text.length - written, bytes + written))
            .bytesWritten;
        await file.datasync();
      } finally {
        await file.close();
      }
    }
    await this.#saveState({
      cursor: next.cursor,
      tag: next.tag,
      bytes: bytes + text.length,
      whole: whole || !next.more,
    });
    if (!whole && !next.more) await this.#settle();
  }

  get #part(): string {
    return `${this.#path}.part`;
  }

  async #saveState(state: CopyState): Promise<void> {
    await replaceFile(statePath(this.#path), `${JSON.stringify(state)}\n`);
    this.#state = state;
  }

  /** Renames a copy that is now complete to its final name, and truncates what lies past the state's end. */
  async #settle(): Promise<void> {
    const { whole, bytes } = this.#state;
    if (whole && (await getSize(this.#part)) !== null) {
      await rename(this.#part, this.#path);
      await syncFolder(dirname(this.#path));
    }
    const size = await getSize(whole ? this.#path : this.#part);
    // Lines that the state counts are missing: the file was edited by someone else.
    if ((size ?? 0) < bytes) await this.#saveState(nothing);
  }
}

const statePath = (path: string) => path.replace(/\.jsonl$/, '.state.json');

async function readState(path: string): Promise<CopyState> {
  try {
    return CopyState.parse(JSON.parse(await readFile(statePath(path), 'utf8')));
  } catch (error) {
    // An unreadable state counts as missing: everything is fetched again.
    if (error instanceof z.ZodError || error instanceof SyntaxError || isMissing(error))
      return nothing;
    throw new ClientFailure('folder', `${statePath(path)} cannot be read: ${String(error)}`, {
      cause: error,
    });
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

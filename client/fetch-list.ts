/** Updates the local copy of a list from the repository, page by page, with a cursor. */
import { ClientChanges } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { z } from 'zod';
import { type RequestContext, requestRepository } from './ask-repository.ts';
import { RepositoryRefusal } from './client-failure.ts';
import { ListCopy, type StateFormat } from './copied-list.ts';
import type { FetchedAmounts } from './format-result.ts';

export interface FetchList {
  readonly run: RequestContext;
  readonly token: string;
  readonly folder: string;
  readonly list: string;
  readonly size: number;
  readonly fresh: boolean;
}

interface Fetched extends FetchedAmounts {
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
  const copy = await ListCopy.open(folder, list, cursorFormat);
  if (fresh) await copy.beginAgain();
  let [records, withdrawn, pieces, begunAgain] = [0, 0, 0, false];
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
      await copy.append([page.rows.map((row) => JSON.stringify(row))], () => ({
        cursor: page.nextCursor,
        tag: same ? reply.tag : null,
        whole: copy.state.whole || !page.more,
      }));
      withdrawn += page.rows.filter((row) => row.withdrawnTime !== null).length;
      records += page.rows.filter((row) => row.withdrawnTime === null).length;
      pieces += 1;
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
  return { records, withdrawn, pieces, begunAgain };
}

const CursorState = z.object({
  /** Null: nothing has been fetched. */
  cursor: z.string().nullable(),
  /** ETag of the last reply that had nothing new. */
  tag: z.string().nullable(),
  bytes: z.number().int().min(0),
  whole: z.boolean(),
});

const cursorFormat: StateFormat<z.infer<typeof CursorState>> = {
  ending: '.state.json',
  nothing: { cursor: null, tag: null, bytes: 0, whole: false },
  read(bytes) {
    try {
      return CursorState.parse(JSON.parse(bytes.toString()));
    } catch {
      return null;
    }
  },
  write: (state) => `${JSON.stringify(state)}\n`,
};

/** Updates the local copy of a list, page by page. */
import { ClientChanges } from '@patch/contract/client-protocol-endpoints.ts';
import { type RequestContext, requestRepository } from './ask-repository.ts';
import { RepositoryRefusal } from './client-failure.ts';
import { ListCopy } from './list-copy.ts';

export interface FetchList {
  readonly context: RequestContext;
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
  context,
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
    context.signal.throwIfAborted();
    const { cursor, tag } = copy.state;
    const query = new URLSearchParams({
      list,
      size: String(size),
      ...(cursor !== null && { since: cursor }),
    });
    try {
      const reply = await requestRepository(context, {
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

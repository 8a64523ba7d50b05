/** One page of a list's changes for a licensed client. Records how far the client has fetched the list. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { readerOf } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { JsonText, Unchanged } from '../../platform/http/route.ts';
import { type ChangeCursor, readCursor, wholeRevision, writeCursor } from './change-cursor.ts';
import { changesSince, type ListChangeState } from './change-store.ts';
import { recordRequest } from './client-contact.ts';
import type { ProtocolContext } from './client-context.ts';
import { fetchableLists, unknownClient } from './client-state.ts';
import type { StoredClient } from './licensed-client-store.ts';

export interface ChangesQuery {
  readonly list: string;
  /** Where the previous page ended; absent: from the beginning. */
  readonly since?: string | undefined;
  /** Records. */
  readonly size: number;
}

/**
 * `knows` tells whether the client already has the page with a given ETag. Throws an AppError for a client that has been
 * removed, for a list that the licence does not cover and for a cursor that cannot be continued.
 */
export async function changesPage(
  context: ProtocolContext,
  clientId: number,
  { list: key, since, size }: ChangesQuery,
  knows: (tag: string) => boolean,
): Promise<JsonText | Unchanged> {
  const { lists, clock, clients, positions } = context;
  const client = await clients.ofId(clientId);
  if (client === null) throw unknownClient();
  const list = licensedList(client, key);
  await recordRequest(context, client);
  const state = await clients.stateOf(list.key);
  const cursor = changeCursor(list, since, state);
  const tag = pageTag(cursor, state, size);
  const positionAt = (reached: ChangeCursor) => ({
    id: clientId,
    list: list.key,
    revision: wholeRevision(reached),
    now: clock(),
  });
  if (knows(tag)) {
    positions.noteNothingNew(positionAt(cursor));
    return new Unchanged(tag);
  }
  const { rows, next, more } = await changesSince(readerOf(lists, list), list, cursor, size);
  await positions.note(positionAt(next));
  return new JsonText(`{"rows":[${rows}],"nextCursor":"${writeCursor(next)}","more":${more}}`, tag);
}

/** Throws an AppError `family_not_licensed` that names the lists which the licence covers. */
export function licensedList(
  client: Pick<StoredClient, 'families' | 'clientName'>,
  key: string,
): CatalogueList {
  const allowed = fetchableLists(client);
  const list = allowed.find((one) => one.key === key);
  if (list !== undefined) return list;
  const names = allowed.map((one) => one.key).join(', ');
  throw new AppError(
    'family_not_licensed',
    `The licence of ${client.clientName} does not cover a list '${key}'. It covers: ${names}.`,
  );
}

/**
 * The cursor that `since` contains, or the beginning of the list without it. Throws an AppError `cursor_ended` when the
 * database has been restored since the cursor was written, and `bad_cursor` for any other text.
 */
export function changeCursor(
  { key }: Pick<CatalogueList, 'key'>,
  since: string | undefined,
  { epoch, revision }: ListChangeState,
): ChangeCursor {
  if (since === undefined) return { list: key, epoch, revision: 0, id: 0, begunAt: revision };
  const cursor = readCursor(key, since);
  if (cursor.epoch === epoch && cursor.revision <= revision) return cursor;
  throw new AppError(
    'cursor_ended',
    'The repository was restored from a backup: what follows this cursor is not known. Begin again without one.',
  );
}

/** The ETag of a page: what follows a cursor stays the same until the list changes. */
function pageTag(cursor: ChangeCursor, { epoch, revision }: ListChangeState, size: number): string {
  return [epoch, revision, cursor.revision, cursor.id, size].join('.');
}

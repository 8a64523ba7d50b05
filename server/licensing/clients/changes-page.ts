/** Answers one page of a list's changes for a licensed client and records how far the client has fetched the list. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { selectReader } from '../../platform/database/database.ts';
import { isIndexed } from '../../platform/database/records/record-index-row.ts';
import { epochOf } from '../../platform/database/rows/epoch-store.ts';
import { riskRevision } from '../../platform/database/searched-relation.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { JsonText, Unchanged } from '../../platform/http/route.ts';
import {
  type ChangeCursor,
  completeCursor,
  completeRevision,
  type PassRevisions,
  readCursor,
  writeCursor,
} from './change-cursor.ts';
import { type ChangePage, type ListChangeState, readChanges } from './change-store.ts';
import { recordRequest } from './client-contact.ts';
import type { ProtocolContext } from './client-context.ts';
import { fetchableLists, unknownClient } from './client-state.ts';
import type { ClientRing, StoredClient } from './licensed-client-store.ts';
import {
  dropNews,
  enterRing,
  hasHeardAll,
  heardPasses,
  hearNews,
  leaveRing,
} from './ring-passes.ts';
import { isAtTarget, toPlainCursor, toRingCursor } from './ring-scan.ts';

export interface ChangesQuery {
  readonly list: string;
  /** The cursor of the previous page; absent: from the beginning. */
  readonly since?: string | undefined;
  /** The number of records. */
  readonly size: number;
}

/**
 * @param knows Returns true when the client already has the page with a given ETag.
 * @throws AppError when the client was removed, when the licence does not cover the list, and when
 * the cursor cannot be continued.
 */
export async function readChangesPage(
  context: ProtocolContext,
  clientId: number,
  { list: key, since, size }: ChangesQuery,
  knows: (tag: string) => boolean,
): Promise<JsonText | Unchanged> {
  const { database, lists, clock, clients, positions } = context;
  const client = await clients.findById(clientId);
  if (client === null) throw unknownClient();
  const list = licensedList(client, key);
  await recordRequest(context, client);
  const state = await clients.listState(list.key);
  const positionAt = (reached: ChangeCursor) => ({
    id: clientId,
    list: list.key,
    revision: completeRevision(reached),
    passes: heardPasses(reached),
    now: clock(),
  });
  const { ring } = client;
  // Vulnerabilities are in no checkpoint.
  if (ring !== null && isIndexed(list)) {
    const { revision: risk } = await clients.listState(riskRevision);
    const now = { decisions: ring.decisionRevision, list: state.revision, risk };
    const cursor = ringCursor(list, since, state, ring, now);
    const isComplete = (reached: ChangeCursor) =>
      isAtTarget(reached, targetOf(ring, list)) && hasHeardAll(reached, ring, now);
    if (isComplete(cursor)) {
      const tag = ['ring', writeCursor(cursor), size].join('.');
      // Who begins again where the checkpoint has nothing has nothing any more.
      if (since === undefined) await positions.note(positionAt(cursor));
      else positions.noteNothingNew(positionAt(cursor));
      return knows(tag)
        ? new Unchanged(tag)
        : pageText({ rows: '', next: cursor, more: false }, state, tag);
    }
    // From the database itself, since a replica may not have the checkpoint yet.
    const page = await readChanges(database, list, cursor, size);
    await positions.note(positionAt(page.next));
    const tag = ['ring', writeCursor(cursor), size, ...Object.values(now)].join('.');
    return pageText({ ...page, more: page.more || !isComplete(page.next) }, state, tag);
  }
  const cursor = toPlainCursor(leaveRing(changeCursor(list, since, state), state.revision));
  const tag = pageETag(cursor, state, size);
  if (knows(tag)) {
    positions.noteNothingNew(positionAt(cursor));
    return new Unchanged(tag);
  }
  const page = await readChanges(selectReader(lists, list), list, cursor, size);
  await positions.note(positionAt(page.next));
  return pageText(page, state, tag);
}

function pageText({ rows, next, more }: ChangePage, { epochs }: ListChangeState, tag: string) {
  const cursor = writeCursor({ ...next, epoch: epochOf(epochs, next.list, next.revision) });
  return new JsonText(`{"rows":[${rows}],"nextCursor":"${cursor}","more":${more}}`, tag);
}

/** Returns the revision at which the ring has the list. */
const targetOf = ({ revisions }: ClientRing, list: CatalogueList): number =>
  revisions[list.key] ?? 0;

/** Returns where the client of a ring continues; without a scan and news if it has what it is to have. */
function ringCursor(
  list: CatalogueList,
  since: string | undefined,
  { epochs }: ListChangeState,
  ring: ClientRing,
  now: PassRevisions,
): ChangeCursor {
  // The client may have been promoted after the state of the list was read, so that any revision is accepted.
  const anyRevision = { epochs, revision: Number.MAX_SAFE_INTEGER };
  const given =
    since === undefined
      ? completeCursor({ list: list.key, epoch: epochOf(epochs, list.key, 0) }, 0)
      : changeCursor(list, since, anyRevision);
  const cursor = enterRing(given, ring, now);
  const target = targetOf(ring, list);
  if (!isAtTarget(cursor, target)) return toRingCursor(dropNews(cursor), target);
  return hasHeardAll(cursor, ring, now) ? cursor : hearNews(cursor, now);
}

/** @throws AppError `family_not_licensed`, with the lists that the licence covers. */
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
 * Returns the cursor that `since` contains, or the beginning of the list when it is absent.
 * @throws AppError `cursor_ended` when the database or its folder was restored after the cursor was written, and
 * `bad_cursor` for any other text.
 */
export function changeCursor(
  { key }: Pick<CatalogueList, 'key'>,
  since: string | undefined,
  { epochs, revision }: ListChangeState,
): ChangeCursor {
  if (since === undefined)
    return { list: key, epoch: epochOf(epochs, key, 0), revision: 0, id: 0, begunAt: revision };
  const cursor = readCursor(key, since);
  if (cursor.epoch === epochOf(epochs, key, cursor.revision) && cursor.revision <= revision)
    return cursor;
  throw new AppError(
    'cursor_ended',
    'The repository was restored from a backup or a copy, so this cursor has become invalid. Leave out since to begin again.',
  );
}

/** Returns the ETag of a page: the rows after a cursor stay the same until the list changes. */
function pageETag(
  cursor: ChangeCursor,
  { epochs, revision }: ListChangeState,
  size: number,
): string {
  return [epochOf(epochs, cursor.list, revision), revision, cursor.revision, cursor.id, size].join(
    '.',
  );
}

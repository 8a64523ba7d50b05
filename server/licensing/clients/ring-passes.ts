/**
 * How a client of a ring learns which records pass the ring, and which are declined. Beside the scan to the checkpoint, its cursor says up to
 * which revisions of the decisions, the list and the risk it has heard of them. What is newer is given when the scan has ended, in the order
 * of ids, up to the revisions at its begin. See docs/decisions/098.
 */
import {
  type ChangeCursor,
  completeCursor,
  completeRevision,
  type PassRevisions,
} from './change-cursor.ts';
import type { HeardPasses } from './client-position-store.ts';
import type { ClientRing } from './licensed-client-store.ts';

/** Returns the cursor of the ring's client, which has heard of nothing if it comes from elsewhere. */
export function enterRing(
  cursor: ChangeCursor,
  { id, decisionRevision }: ClientRing,
  { list, risk }: PassRevisions,
): ChangeCursor {
  const own = cursor.passes?.ring === id ? cursor : leaveRing(cursor, list);
  if (own.passes !== undefined || decisionRevision === 0) return own;
  // Records whose risk changes from now on are looked at again: the scan may have left them out.
  return { ...own, passes: { ring: id, decisions: 0, list: 0, risk, lacks: false } };
}

/**
 * Returns the cursor of a client that has left its ring: it has records of any revision after its checkpoint, and may lack declined ones of
 * any revision.
 * @param newest - The list's revision.
 */
export function leaveRing(cursor: ChangeCursor, newest: number): ChangeCursor {
  const { passes } = cursor;
  if (passes === undefined) return cursor;
  const low = passes.lacks ? 0 : completeRevision(cursor);
  const high = Math.max(newest, cursor.revision, cursor.scan?.high ?? 0, cursor.scan?.target ?? 0);
  return { ...completeCursor(cursor, low), scan: { low, high, target: low } };
}

/** Returns true when a client at its checkpoint has heard of everything. */
export function hasHeardAll(
  { passes }: ChangeCursor,
  { passesAny }: ClientRing,
  now: PassRevisions,
): boolean {
  if (passes === undefined) return true;
  if (passes.decisions !== now.decisions) return false;
  return !passesAny || (passes.list === now.list && passes.risk === now.risk);
}

/** Returns the cursor of a client at its checkpoint that begins or continues to hear of what is new. */
export function hearNews(cursor: ChangeCursor, now: PassRevisions): ChangeCursor {
  const { passes } = cursor;
  if (passes === undefined || passes.news !== undefined) return cursor;
  return { ...cursor, passes: { ...passes, news: { ...now, id: 0 } } };
}

/** Returns the cursor of a client that has heard of the news. */
export function endNews(cursor: ChangeCursor): ChangeCursor {
  const { passes } = cursor;
  if (passes?.news === undefined) return cursor;
  const { ring, lacks, news } = passes;
  const { decisions, list, risk } = news;
  return { ...cursor, passes: { ring, lacks, decisions, list, risk } };
}

/** Returns the part of the cursor that is noted with the client's position. */
export function heardPasses({ passes }: ChangeCursor): HeardPasses | undefined {
  if (passes === undefined) return undefined;
  const { news: _news, ...heard } = passes;
  return heard;
}

/** A client that moves to another checkpoint hears of the news again afterwards. */
export function dropNews(cursor: ChangeCursor): ChangeCursor {
  if (cursor.passes?.news === undefined) return cursor;
  const { news: _news, ...passes } = cursor.passes;
  return { ...cursor, passes };
}

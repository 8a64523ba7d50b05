/**
 * How a client of a ring comes from what it has to the list at the ring's checkpoint. What a client has lies between two revisions: each of
 * its records has the version of one of them. To reach the target it needs each record that changed between the lowest and the highest of
 * all three revisions, in the version of the target. See docs/decisions/093.
 */
import {
  type ChangeCursor,
  completeCursor,
  completeRevision,
  endOfRevision,
  type RingScan,
} from './change-cursor.ts';

/** A client that has what it is to have needs nothing. */
export const isAtTarget = ({ revision, id, scan }: ChangeCursor, target: number): boolean =>
  scan === undefined && revision === target && id === endOfRevision;

/** Returns where the client of a ring continues. */
export function toRingCursor(
  cursor: ChangeCursor,
  target: number,
): ChangeCursor & { scan: RingScan } {
  const { scan } = cursor;
  if (scan?.target === target) return { ...cursor, scan };
  const { low, high } = scan === undefined ? boundsOf(cursor) : widen(scan);
  const from = Math.min(low, target);
  return {
    ...cursor,
    revision: from,
    id: endOfRevision,
    scan: { low, high, target },
  };
}

/** Returns where a client continues that has left its ring: after the last revision of which it has all rows. */
export function toPlainCursor(cursor: ChangeCursor): ChangeCursor {
  if (cursor.scan === undefined) return cursor;
  return completeCursor(cursor, completeRevision(cursor));
}

/** A page of the list as it is leaves rows at former versions that changed behind the cursor, so that nothing is known of the lowest. */
const boundsOf = ({ revision, id }: ChangeCursor): Pick<RingScan, 'low' | 'high'> => ({
  low: id === endOfRevision ? revision : 0,
  high: revision,
});

/** An interrupted scan has brought some records to its target. */
const widen = ({ low, high, target }: RingScan): Pick<RingScan, 'low' | 'high'> => ({
  low: Math.min(low, target),
  high: Math.max(high, target),
});

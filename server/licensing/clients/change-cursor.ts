/** The position of a client in the changes of a list. Clients treat it as opaque text and send it back. */
import { AppError } from '../../platform/errors/app-error.ts';

/** The revisions of what the client of a ring has, and the one that it is to have: see ring-scan.ts. */
export interface RingScan {
  /** Each record of the client has the version of a revision from `low` to `high`; 0: none. */
  readonly low: number;
  readonly high: number;
  readonly target: number;
}

export interface ChangeCursor {
  readonly list: string;
  /** The epoch of the database: see change_epoch. */
  readonly epoch: string;
  /** Revision and id identify the last row that the client has, in the order of changes. */
  readonly revision: number;
  readonly id: number;
  /** Rows withdrawn up to this revision were never sent to the client, so their withdrawal is not sent. */
  readonly begunAt: number;
  /** While the client of a ring is on its way to a checkpoint. */
  readonly scan?: RingScan;
}

/** Sorts after every row of a revision. */
export const endOfRevision = Number.MAX_SAFE_INTEGER;

export function writeCursor({ list, epoch, revision, id, begunAt, scan }: ChangeCursor): string {
  const way = scan === undefined ? [] : [scan.low, scan.high, scan.target];
  return Buffer.from(
    [list, epoch, revision, id === endOfRevision ? '' : id, begunAt, ...way].join(' '),
  ).toString('base64url');
}

export function readCursor(list: string, text: string): ChangeCursor {
  const [, cursorList, epoch = '', revision, id = '', begunAt, low, high, target] =
    /^(\w{1,63}) (\w{1,40}) (\d{1,15}) (\d{0,15}) (\d{1,15})(?: (\d{1,15}) (\d{1,15}) (\d{1,15}))?$/.exec(
      Buffer.from(text, 'base64url').toString('latin1'),
    ) ?? [];
  if (cursorList !== list) {
    const why =
      cursorList === undefined
        ? 'Invalid value of since: it is not a cursor of this repository.'
        : `Invalid value of since: it is a cursor of the list ${cursorList}.`;
    throw new AppError('bad_cursor', `${why} Leave it out to begin again.`);
  }
  return {
    list,
    epoch,
    revision: Number(revision),
    id: id === '' ? endOfRevision : Number(id),
    begunAt: Number(begunAt),
    ...(target !== undefined && {
      scan: { low: Number(low), high: Number(high), target: Number(target) },
    }),
  };
}

/** Returns the highest revision of which the client has all rows. */
export function completeRevision({ revision, id, scan }: ChangeCursor): number {
  if (scan !== undefined) return Math.min(scan.low, scan.target);
  return id === endOfRevision ? revision : revision - 1;
}

/** Returns the cursor of a client that has the list as it was at a revision. */
export const completeCursor = (
  { list, epoch }: Pick<ChangeCursor, 'list' | 'epoch'>,
  revision: number,
): ChangeCursor => ({ list, epoch, revision, id: endOfRevision, begunAt: revision });

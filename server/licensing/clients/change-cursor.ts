/** The position of a client in the changes of a list. Clients treat it as opaque text and send it back. */
import { AppError } from '../../platform/errors/app-error.ts';

export interface ChangeCursor {
  readonly list: string;
  /** The epoch of the database: see change_epoch. */
  readonly epoch: string;
  /** Revision and id identify the last row that the client has, in the order of changes. */
  readonly revision: number;
  readonly id: number;
  /** Rows withdrawn up to this revision were never sent to the client, so their withdrawal is not sent. */
  readonly begunAt: number;
}

/** Sorts after every row of a revision. */
export const endOfRevision = Number.MAX_SAFE_INTEGER;

export function writeCursor({ list, epoch, revision, id, begunAt }: ChangeCursor): string {
  return Buffer.from(
    [list, epoch, revision, id === endOfRevision ? '' : id, begunAt].join(' '),
  ).toString('base64url');
}

export function readCursor(list: string, text: string): ChangeCursor {
  const [, cursorList, epoch = '', revision, id = '', begunAt] =
    /^(\w{1,63}) (\w{1,40}) (\d{1,15}) (\d{0,15}) (\d{1,15})$/.exec(
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
  };
}

/** Returns the highest revision of which the client has all rows. */
export const completeRevision = ({ revision, id }: ChangeCursor) =>
  id === endOfRevision ? revision : revision - 1;

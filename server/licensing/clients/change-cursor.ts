/** Where a client has come to in the changes of a list. To the client it is one word, which it keeps and sends back. */
import { AppError } from '../../platform/errors/app-error.ts';

export interface ChangeCursor {
  readonly list: string;
  /** Of the database: see change_epoch. */
  readonly epoch: string;
  /** The last row that it has, in the order of changes. */
  readonly revision: number;
  readonly id: number;
  /** What was withdrawn up to this revision it has never had, and need not be told. */
  readonly begunAt: number;
}

/** Behind every row of its revision. */
export const endOfRevision = Number.MAX_SAFE_INTEGER;

export function writeCursor({ list, epoch, revision, id, begunAt }: ChangeCursor): string {
  return Buffer.from(
    [list, epoch, revision, id === endOfRevision ? '' : id, begunAt].join(' '),
  ).toString('base64url');
}

export function readCursor(list: string, text: string): ChangeCursor {
  const [, ofList, epoch = '', revision, id = '', begunAt] =
    /^(\w{1,63}) (\w{1,40}) (\d{1,15}) (\d{0,15}) (\d{1,15})$/.exec(
      Buffer.from(text, 'base64url').toString('latin1'),
    ) ?? [];
  if (ofList !== list) {
    const why =
      ofList === undefined ? 'is none that this repository gave' : `is of the list ${ofList}`;
    throw new AppError('bad_cursor', `since ${why}. Leave it out to begin again.`);
  }
  return {
    list,
    epoch,
    revision: Number(revision),
    id: id === '' ? endOfRevision : Number(id),
    begunAt: Number(begunAt),
  };
}

/** Up to here nothing is missing. */
export const wholeRevision = ({ revision, id }: ChangeCursor) =>
  id === endOfRevision ? revision : revision - 1;

/** The position of a client in the changes of a list. Clients treat it as opaque text and send it back. */
import { AppError } from '../../platform/errors/app-error.ts';

/** The revisions of what the client of a ring has, and the one that it is to have: see ring-scan.ts. */
export interface RingScan {
  /** Each record of the client has the version of a revision from `low` to `high`; 0: none. */
  readonly low: number;
  readonly high: number;
  readonly target: number;
}

/** Revisions up to which the records that pass a ring or are declined were given: see ring-passes.ts. */
export interface PassRevisions {
  /** Revision of the ring's decisions. */
  readonly decisions: number;
  /** Revision of the list. */
  readonly list: number;
  /** Revision of the risk of records. */
  readonly risk: number;
}

export interface RingPasses extends PassRevisions {
  readonly ring: number;
  /** Whether the client may lack records that were declined. */
  readonly lacks: boolean;
  /** While the client gets what is new, in the order of ids. */
  readonly news?: PassRevisions & { readonly id: number };
}

export interface ChangeCursor {
  readonly list: string;
  /** The epoch of the revision: see epoch-store.ts. */
  readonly epoch: string;
  /** Revision and id identify the last row that the client has, in the order of changes. */
  readonly revision: number;
  readonly id: number;
  /** Rows withdrawn up to this revision were never sent to the client, so their withdrawal is not sent. */
  readonly begunAt: number;
  /** While the client of a ring is on its way to a checkpoint. */
  readonly scan?: RingScan;
  /** Present for a client of a ring that has or had decisions. */
  readonly passes?: RingPasses;
}

/** Sorts after every row of a revision. */
export const endOfRevision = Number.MAX_SAFE_INTEGER;

export function writeCursor(cursor: ChangeCursor): string {
  const { list, epoch, revision, id, begunAt, scan, passes } = cursor;
  const words = [list, epoch, revision, id === endOfRevision ? '' : id, begunAt];
  if (scan !== undefined) words.push(scan.low, scan.high, scan.target);
  if (passes !== undefined) {
    const { news } = passes;
    words.push('ring', passes.ring, passes.decisions, passes.list, passes.risk);
    words.push(passes.lacks ? 1 : 0);
    if (news !== undefined) words.push(news.decisions, news.list, news.risk, news.id);
  }
  return Buffer.from(words.join(' ')).toString('base64url');
}

const number = String.raw`(\d{1,15})`;
const numbers = (count: number) => Array.from({ length: count }, () => ` ${number}`).join('');
const written = new RegExp(
  `^(\\w{1,63}) (\\w{1,40}) ${number} (\\d{0,15}) ${number}(?:${numbers(3)})?(?: ring${numbers(5)}(?:${numbers(4)})?)?$`,
);

export function readCursor(list: string, text: string): ChangeCursor {
  const [, cursorList, epoch = '', revision, id = '', begunAt, ...more] =
    written.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (cursorList !== list) {
    const why =
      cursorList === undefined
        ? 'Invalid value of since: it is not a cursor of this repository.'
        : `Invalid value of since: it is a cursor of the list ${cursorList}.`;
    throw new AppError('bad_cursor', `${why} Leave it out to begin again.`);
  }
  const [low, high, target] = more.slice(0, 3).map(Number) as [number, number, number];
  const passes = more[3] === undefined ? null : readPasses(more.slice(3).map(Number));
  return {
    list,
    epoch,
    revision: Number(revision),
    id: id === '' ? endOfRevision : Number(id),
    begunAt: Number(begunAt),
    ...(more[0] !== undefined && { scan: { low, high, target } }),
    ...(passes !== null && { passes }),
  };
}

/** @param words - NaN where the cursor has nothing. */
function readPasses(words: readonly number[]): RingPasses {
  const [ring = 0, decisions = 0, list = 0, risk = 0, lacks, ...news] = words;
  const [newDecisions = Number.NaN, newList = 0, newRisk = 0, id = 0] = news;
  return {
    ring,
    decisions,
    list,
    risk,
    lacks: lacks === 1,
    ...(!Number.isNaN(newDecisions) && {
      news: { decisions: newDecisions, list: newList, risk: newRisk, id },
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

/**
 * States that a vendor could publish after another, made of that one by chance: well formed, with right sums and signatures, and proven
 * by a first reading of both to differ in the way they say.
 */
import type { Feed } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import type { Chance } from '../chance.ts';
import { openBytesOf, sumOf } from './packed-content.ts';
import { pathsRead, type ReadableState } from './readable-state.ts';
import { sealed } from './seals.ts';
import { type Draft, drafts, type SuccessorKind } from './state-drafts.ts';
import {
  differenceOf,
  faultsOf,
  readState,
  recordsOf,
  type StateDifference,
  type StateReading,
} from './state-reading.ts';
import { openingsIn, withOtherVersions } from './version-words.ts';

export interface Successor extends ReadableState {
  readonly kind: SuccessorKind;
  /** What was done, for the one who reads a failure. */
  readonly done: string;
  readonly difference: StateDifference;
}

const day = 24 * 60 * 60 * 1000;
const maxTries = 250;

/** Published a day later. Null when chance has found none. */
export async function successorOf(
  feed: Feed,
  before: ReadableState,
  kind: SuccessorKind,
  chance: Chance,
): Promise<Successor | null> {
  const now = before.now + day;
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const draft = drafts[kind](before, chance);
    if (draft === null) continue;
    const successor = await provenSuccessor(feed, before, { ...draft, kind, now });
    if (successor !== null) return successor;
  }
  return null;
}

async function provenSuccessor(
  feed: Feed,
  before: ReadableState,
  { files, done, kind, now }: Draft & { readonly kind: SuccessorKind; readonly now: number },
): Promise<Successor | null> {
  const drafted = await sealed(before.state, files);
  const state = await withOtherVersions(feed, openingsIn(before.reading), drafted, now).catch(
    brokenIsNone,
  );
  if (state === null) return null;
  const reading = await readState(feed, state, now, before.reading);
  if (faultsOf(before.reading, reading).length > 0) return null;
  const difference = differenceOf(before.reading, reading);
  if (!proofs[kind](difference, before, { state, reading })) return null;
  return {
    state,
    reading,
    now,
    earlier: [...before.earlier, before.state],
    kind,
    done,
    difference,
  };
}

/** Chance has made an index that cannot be read. */
function brokenIsNone(error: unknown): null {
  if (error instanceof BrokenDocument) return null;
  throw error;
}

type Proof = (
  difference: StateDifference,
  before: ReadableState,
  after: Pick<ReadableState, 'state' | 'reading'>,
) => boolean;

// A state without a record leads nowhere: it has nothing that can change, move or be removed.
const hasRecords = ({ reading }: Pick<ReadableState, 'reading'>) => recordsOf(reading).size > 0;

const proofs: Readonly<Record<SuccessorKind, Proof>> = {
  changed: ({ added, removed, changed }) =>
    changed.length > 0 && added.length === 0 && removed.length === 0,
  removed: ({ added, removed }, _before, after) =>
    removed.length > 0 && added.length === 0 && hasRecords(after),
  grown: ({ added, removed }) => added.length > 0 && removed.length === 0,
  shrunk: ({ added, removed, changed }, { reading }, after) =>
    added.length === 0 &&
    hasRecords(after) &&
    (removed.length >= Math.max(2, recordsOf(reading).size / 5) ||
      (removed.length === 0 && changed.length > 0)),
  moved: ({ added, removed }, before, after) =>
    added.length + removed.length === 0 && hasMoved(before, after),
};

/** What was read at one address is read at another one, where nothing was read before. */
function hasMoved(before: ReadableState, after: Pick<ReadableState, 'state' | 'reading'>): boolean {
  const [was, is] = [new Set(pathsRead(before)), new Set(pathsRead(after))];
  const arrived = new Set([...is.difference(was)].map((path) => contentSum(after, path)));
  return [...was.difference(is)].some((path) => arrived.has(contentSum(before, path)));
}

function contentSum({ state }: Pick<ReadableState, 'state'>, path: string): string {
  const file = state.files.get(path);
  return file === undefined ? '' : sumOf(openBytesOf(file.content), 'sha256');
}

/** Whether the feed asks for the same addresses whatever its documents say; then none of its documents can move. */
export async function hasFixedAddresses(
  feed: Feed,
  before: ReadableState,
  chance: Chance,
): Promise<boolean> {
  const asked = (reading: StateReading) =>
    new Set([...reading.values()].flatMap(({ openings }) => openings.map(({ url }) => url)));
  for (let attempt = 0; attempt < 20; attempt++) {
    const draft = drafts.moved(before, chance);
    if (draft === null) continue;
    const { files } = await sealed(before.state, draft.files);
    const reading = await readState(
      feed,
      { ...before.state, files },
      before.now + day,
      before.reading,
    );
    if (asked(reading).difference(asked(before.reading)).size > 0) return false;
  }
  return true;
}

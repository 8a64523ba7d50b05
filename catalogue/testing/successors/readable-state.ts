/** A published state and what a feed reads from it the first time. */
import type { Feed } from '../../definition/feed.ts';
import type { PublishedState } from './published-state.ts';
import { readState, type StateReading } from './state-reading.ts';

/** A published state with what its first reading gives. */
export interface ReadableState {
  readonly state: PublishedState;
  readonly reading: StateReading;
  /** When it is published, epoch milliseconds. */
  readonly now: number;
  /** What was published before it, oldest first: a vendor may publish that again. */
  readonly earlier: readonly PublishedState[];
}

/** The files that are read, each once. */
export function pathsRead({ reading }: Pick<ReadableState, 'reading'>): string[] {
  const paths = [...reading.values()].flatMap(({ openings }) =>
    openings.flatMap(({ path }) => path ?? []),
  );
  return [...new Set(paths)];
}

/** What the feed reads of the fixtures, or of any other folder that is laid out like a mirror. */
export async function readableState(
  feed: Feed,
  state: PublishedState,
  now: number,
): Promise<ReadableState> {
  return { state, reading: await readState(feed, state, now), now, earlier: [] };
}

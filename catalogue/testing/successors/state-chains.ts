/** Chains of states that a vendor could publish one after the other, beginning with a feed's fixtures. */
import type { Feed } from '../../definition/feed.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { fixtureKeys, fixturesOf } from '../vendor-fixtures.ts';
import { publishedIn } from './published-state.ts';
import { type ReadableState, readableState } from './readable-state.ts';
import { type SuccessorKind, successorKinds } from './state-drafts.ts';
import { type Successor, successorOf } from './successors.ts';

export interface StateChain {
  /** With which the chain comes out the same. */
  readonly seed: number;
  readonly first: ReadableState;
  readonly successors: readonly Successor[];
}

/** When the fixtures are published, epoch milliseconds: far enough from the ends of months and years. */
export const fixtureDay = Date.UTC(2026, 10, 12, 9);

export async function fixtureState(feed: Feed): Promise<ReadableState> {
  const folder = fixturesOf(feed);
  return readableState(feed, await publishedIn(folder, fixtureKeys(folder)), fixtureDay);
}

/** Each has all kinds of successors, in an order of its own: what has grown is likely to shrink later. */
export async function stateChains(
  feed: Feed,
  {
    seed,
    chains,
    successors,
  }: { readonly seed: number; readonly chains: number; readonly successors: number },
): Promise<StateChain[]> {
  const first = await fixtureState(feed);
  const made: StateChain[] = [];
  for (let chain = 0; chain < chains; chain++) {
    const own = seed + chain * 1000;
    made.push(await chainOfKinds(feed, first, kindsInAnyOrder(successors, chanceOf(own)), own));
  }
  return made;
}

/** One successor of each kind, in that order; what chance does not find of a kind becomes a change of a record, or a record more. */
export async function chainOfKinds(
  feed: Feed,
  first: ReadableState,
  kinds: readonly SuccessorKind[],
  seed: number,
): Promise<StateChain> {
  const chance = chanceOf(seed);
  const successors: Successor[] = [];
  for (const kind of kinds) {
    const before = successors.at(-1) ?? first;
    let successor: Successor | null = null;
    for (const wanted of new Set([kind, 'changed', 'grown'] as const))
      successor ??= await successorOf(feed, before, wanted, chance);
    if (successor === null)
      throw new Error(`Nothing comes after ${successors.length} states of seed ${seed}`);
    successors.push(successor);
  }
  return { seed, first, successors };
}

/** Each kind once, then again. */
function kindsInAnyOrder(count: number, chance: Chance): SuccessorKind[] {
  const kinds: SuccessorKind[] = [];
  while (kinds.length < count) {
    const order = successorKinds
      .map((kind) => ({ kind, place: chance() }))
      .toSorted((a, b) => a.place - b.place);
    kinds.push(...order.map(({ kind }) => kind));
  }
  return kinds.slice(0, count);
}

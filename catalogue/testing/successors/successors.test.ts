/** The generated states are what they say: each kind occurs for each feed, well formed, and the same again for the same seed. */
import { describe, expect, test } from 'vitest';
import type { Feed } from '../../definition/feed.ts';
import { vendorFeeds } from '../../feeds.ts';
import type { SourceKey } from '../../sources.ts';
import { chanceOf } from '../chance.ts';
import { brokenSeals } from './broken-seals.ts';
import { bytesOf, openBytesOf } from './packed-content.ts';
import type { PublishedState } from './published-state.ts';
import type { ReadableState } from './readable-state.ts';
import { fixtureState } from './state-chains.ts';
import type { SuccessorKind } from './state-drafts.ts';
import { recordsOf } from './state-reading.ts';
import { hasFixedAddresses, type Successor, successorOf } from './successors.ts';

const seed = Number(process.env['STATES_SEED'] ?? 1);
const sources = Object.entries(vendorFeeds) as [SourceKey, Feed][];

/** After the fixtures, or after a state that has lost records. */
async function anySuccessor(
  feed: Feed,
  first: ReadableState,
  kind: SuccessorKind,
): Promise<{ before: ReadableState; successor: Successor }> {
  const chance = chanceOf(seed);
  const successor = await successorOf(feed, first, kind, chance);
  if (successor !== null) return { before: first, successor };
  const smaller = await successorOf(feed, first, 'removed', chance);
  const later = smaller && (await successorOf(feed, smaller, kind, chance));
  if (later === null) throw new Error(`There is none (STATES_SEED=${seed})`);
  return { before: smaller ?? first, successor: later };
}

/** Files that are not the same, and those that only one of the two has. */
function filesThatDiffer(one: PublishedState, other: PublishedState): string[] {
  const paths = new Set([...one.files.keys(), ...other.files.keys()]);
  return [...paths].filter((path) => {
    const [mine, yours] = [one.files.get(path), other.files.get(path)];
    return mine === undefined || yours === undefined || !bytesOf(mine).equals(bytesOf(yours));
  });
}

describe.each(sources)('%s', { timeout: 300_000 }, (_source, feed) => {
  test('the fixtures themselves are well formed', async () => {
    expect(await brokenSeals((await fixtureState(feed)).state)).toEqual([]);
  });

  test.each<[SuccessorKind, (successor: Successor) => void]>([
    [
      'changed',
      ({ difference: { added, removed, changed } }) =>
        expect([added, removed, changed.length > 0]).toEqual([[], [], true]),
    ],
    [
      'removed',
      ({ difference: { added, removed } }) =>
        expect([added, removed.length > 0]).toEqual([[], true]),
    ],
    [
      'grown',
      ({ difference: { added, removed } }) =>
        expect([added.length > 0, removed]).toEqual([true, []]),
    ],
    [
      'shrunk',
      ({ difference: { added, removed, changed } }) =>
        expect([added, removed.length + changed.length > 0]).toEqual([[], true]),
    ],
  ])('a state with something %s', async (kind, prove) => {
    const first = await fixtureState(feed);
    const { before, successor } = await anySuccessor(feed, first, kind);
    prove(successor);
    expect(filesThatDiffer(before.state, successor.state), successor.done).not.toEqual([]);
    expect(await brokenSeals(successor.state), successor.done).toEqual([]);
    expect(successor.now).toBeGreaterThan(before.now);
    const again = await anySuccessor(feed, first, kind);
    expect(again.successor.done).toBe(successor.done);
    expect([...recordsOf(again.successor.reading)]).toEqual([...recordsOf(successor.reading)]);
  });

  test('a state with something moved, unless the feed asks for the same addresses whatever its documents say', async () => {
    const first = await fixtureState(feed);
    const successor = await successorOf(feed, first, 'moved', chanceOf(seed));
    const cannotMove = successor === null && (await hasFixedAddresses(feed, first, chanceOf(seed)));
    const contents = ({ state }: ReadableState, paths: Iterable<string>) =>
      [...paths]
        .flatMap((path) => state.files.get(path) ?? [])
        .map(({ content }) => openBytesOf(content).toString('latin1'));
    const [was, is] = [first, successor ?? first].map(
      ({ state }) => new Set(state.files.keys()),
    ) as [Set<string>, Set<string>];
    const arrived = contents(successor ?? first, is.difference(was));
    const moved = contents(first, was.difference(is)).filter((content) =>
      arrived.includes(content),
    );
    expect(moved.length > 0, successor?.done).toBe(!cannotMove);
    expect(await brokenSeals((successor ?? first).state), successor?.done).toEqual([]);
  });
});

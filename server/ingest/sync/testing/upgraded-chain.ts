/** Syncs a chain of states one after the other, and each of them from scratch, and reports where the two differ. */
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { type Chance, chanceOf } from '@patch/catalogue/testing/chance.ts';
import type { ReadableState } from '@patch/catalogue/testing/successors/readable-state.ts';
import type { StateChain } from '@patch/catalogue/testing/successors/state-chains.ts';
import { recordsOfTwoParts } from '@patch/catalogue/testing/successors/state-reading.ts';
import type { Database } from '../../../platform/database/database.ts';
import { acceptHeld, type HeldOfSource, heldOfSource, isAnythingHeld } from './held-of-source.ts';
import { contentDifferences, type ListedContents, listedContents } from './listed-content.ts';
import { stateUpstream } from './state-upstream.ts';
import { SyncBench } from './sync-bench.ts';
import { forgetRows } from './synced-rows.ts';
import type { ToldRun } from './told-run.ts';

interface Walk {
  readonly database: Database;
  readonly source: SourceKey;
  readonly feed: Feed;
}

/** One complaint for each difference, with the steps that led to it. */
export async function complaintsAbout(
  database: Database,
  source: SourceKey,
  feed: Feed,
  chain: StateChain,
): Promise<string[]> {
  const walk = { database, source, feed };
  const twice = chain.successors.flatMap(({ reading }) => recordsOfTwoParts(reading));
  if (twice.length > 0)
    return twice.map((name) => `${source}, chain ${chain.seed}: ${name} is listed by two parts`);
  const fresh: ListedContents[] = [];
  for (const state of chain.successors) fresh.push(await fromNothing(walk, state));
  await forgetRows(database, feed);
  const bench = await SyncBench.open(database);
  try {
    await synced(walk, bench, chain.first);
    const chance = chanceOf(chain.seed);
    for (const [place, state] of chain.successors.entries()) {
      const complaints = await complaintsAfter(
        walk,
        bench,
        state,
        fresh[place] ?? new Map(),
        chance,
      );
      // Everything after a first difference differs because of that one.
      if (complaints.length > 0)
        return complaints.map((complaint) => `${toldChain(source, chain, place)}\n  ${complaint}`);
    }
    return [];
  } finally {
    await bench.close();
  }
}

async function fromNothing(walk: Walk, state: ReadableState): Promise<ListedContents> {
  await forgetRows(walk.database, walk.feed);
  const bench = await SyncBench.open(walk.database);
  try {
    await synced(walk, bench, state);
    return await listedContents(walk.database, walk.feed);
  } finally {
    await bench.close();
  }
}

async function synced(
  { source, feed }: Walk,
  bench: SyncBench,
  { state, now }: ReadableState,
): Promise<ToldRun> {
  const run = await bench.sync(feed, {
    source,
    upstream: stateUpstream(state),
    trustedKeys: state.trustedKeys,
    now,
    fetching: { tries: 1 },
  });
  const [error] = bench.errors;
  if (error !== undefined) throw new Error('This program failed', { cause: error });
  if (run.state === 'failed')
    throw new Error(`The sync failed: ${run.message} ${run.warnings.join(' ')}`);
  return run;
}

/** How often one decision may lead to another question: about a list, then about a part derived from it. */
const maxDecisions = 4;

async function complaintsAfter(
  walk: Walk,
  bench: SyncBench,
  state: ReadableState,
  fresh: ListedContents,
  chance: Chance,
): Promise<string[]> {
  const { database, source, feed } = walk;
  const before = await listedContents(database, feed);
  await synced(walk, bench, state);
  let held = await heldOfSource(database, source, feed);
  const upgraded = await listedContents(database, feed);
  const complaints = complaintsWhileHeld({ before, upgraded, fresh, held });
  if (!isAnythingHeld(held) || complaints.length > 0 || chance() < 0.3) return complaints;
  for (let decision = 0; decision < maxDecisions && isAnythingHeld(held); decision++) {
    await acceptHeld(database, source, held);
    await synced(walk, bench, state);
    held = await heldOfSource(database, source, feed);
  }
  return [...contentDifferences(await listedContents(database, feed), fresh)].map(
    ([name, difference]) => `${name}, after all that was held was accepted: ${told(difference)}`,
  );
}

interface Compared {
  /** What was listed before the sync. */
  readonly before: ListedContents;
  readonly upgraded: ListedContents;
  readonly fresh: ListedContents;
  readonly held: HeldOfSource;
}

/** The two differ in the records that are held, in all of them and in no others; without held records they are equal. */
function complaintsWhileHeld({ before, upgraded, fresh, held }: Compared): string[] {
  const differences = contentDifferences(upgraded, fresh);
  const complaints: string[] = [];
  for (const { part, list, missing } of held.withdrawals) {
    const kept = [...differences.keys()].filter(
      (name) =>
        name.startsWith(`${list} `) && !fresh.has(name) && upgraded.get(name)?.part === part,
    );
    if (kept.length !== missing)
      complaints.push(`${missing} records of ${part} are held in ${list}, ${kept.length} are kept`);
  }
  const asked = held.contents.reduce((sum, { records }) => sum + records, 0);
  if (asked !== held.contentNames.size)
    complaints.push(`${asked} records are asked about, ${held.contentNames.size} are held`);
  for (const name of held.contentNames) {
    if (fresh.has(name) && !differences.has(name))
      complaints.push(`${name} is held, and is as the vendor says`);
    const [was, is] = [before.get(name), upgraded.get(name)];
    if (JSON.stringify(was) !== JSON.stringify(is))
      complaints.push(`${name} is held, and is not as it was: ${told([was, is])}`);
  }
  const partsOfWithdrawals = new Set(held.withdrawals.map(({ part }) => part));
  for (const [name, difference] of differences) {
    const part = (upgraded.get(name) ?? fresh.get(name))?.part ?? '';
    const isHeld = fresh.has(name) ? held.contentNames.has(name) : partsOfWithdrawals.has(part);
    if (!isHeld && !held.partsThatFollow.has(part)) complaints.push(`${name}: ${told(difference)}`);
  }
  return complaints;
}

const told = (difference: unknown) => JSON.stringify(difference).slice(0, 1500);

function toldChain(source: string, { seed, successors }: StateChain, place: number): string {
  const done = successors
    .slice(0, place + 1)
    .map(({ kind, done: words }, step) => `  ${step + 1}. ${kind}: ${words}`);
  return `${source}, chain ${seed}\n${done.join('\n')}`;
}

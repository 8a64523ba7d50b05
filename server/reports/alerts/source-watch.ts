/** Finds sources that fell silent, or were not synced for two days, and makes an event of each. */
import { freshnessText, getFreshness } from '@patch/contract/sources/source-freshness.ts';
import { readSourceStates, type SourceStates } from '../../ingest/sources/source-states.ts';
import type { Database } from '../../platform/database/database.ts';
import { addEvent } from '../../platform/events/event-store.ts';
import { readWatchedSources, writeWatchedSource } from './watch-store.ts';

const reported: readonly string[] = ['silent', 'stale'];

/** Freshness changes with time, by the day. */
const minGapMs = 15 * 60_000;

type Parts = SourceStates & { readonly database: Database };

export class SourceWatch {
  readonly #parts: Parts;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Does nothing within a quarter of an hour after a check. */
  async check(): Promise<void> {
    const now = this.#parts.clock();
    // A time in the future was stored before the clock was set back.
    if (now >= this.#checkedAt && now - this.#checkedAt < minGapMs) return;
    this.#checkedAt = now;
    await watchSources(this.#parts);
  }
}

/** A source that was never checked before causes no event. */
async function watchSources(parts: Parts): Promise<void> {
  const now = parts.clock();
  const watched = await readWatchedSources(parts.database);
  for (const state of await readSourceStates(parts)) {
    const { source, label } = state;
    const freshness = getFreshness(state, now);
    const before = watched.get(source);
    if (before === freshness) continue;
    await parts.database.transaction(async (tx) => {
      const isNews = (await writeWatchedSource(tx, source, freshness)) && before !== undefined;
      if (!isNews || !reported.includes(freshness) || reported.includes(before)) return;
      await addEvent(
        tx,
        {
          type: 'source.silent',
          title: freshness === 'silent' ? `${label} fell silent` : `${label} is not up to date`,
          path: `/patch-repository/sync?source=${source}`,
          subject: { source, freshness },
          items: [{ name: label, about: freshnessText(state, now), path: null }],
          totalCount: 1,
        },
        now,
      );
    });
  }
}

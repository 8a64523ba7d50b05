/** Answers summaries: asks the database for what is not held in memory, counts the rest there, and keeps replies while nothing changes. */
import type { SearchSummary } from '@patch/contract/search-summary-endpoint.ts';
import type { Search } from '../criteria/search-request.ts';
import { rowsThatMeet } from '../memory/held-search.ts';
import { isHeld } from '../memory/held-searches.ts';
import type { ListMemories } from '../memory/list-memories.ts';
import { heldFields } from '../memory/list-memory.ts';
import type { ListStamp } from '../memory/list-memory-store.ts';
import { isSameStamp } from '../memory/list-stamps.ts';
import { StampedCache } from '../memory/stamped-cache.ts';
import type { SearchCaller, SearchDesk } from '../search/search-desk.ts';
import { searchKey } from '../search/search-key.ts';
import { rowsNamed } from './failed-groups.ts';
import { summarize } from './search-summary.ts';
import type { SummaryRequest } from './summary-request.ts';

/** Numbers of rows that are kept together, of searches by words: a person who presses one facet presses another. */
const maxNamed = 2_000_000;
const maxReplies = 500;
/** A list that is written to all the time is answered as of a moment ago. */
const maxAttempts = 3;

interface Summarized {
  readonly stamp: ListStamp;
  readonly summary: SearchSummary;
}

export interface SummaryDeskParts {
  readonly desk: SearchDesk;
  readonly memories: ListMemories;
  readonly clock?: () => number;
}

export class SummaryDesk {
  readonly #desk: SearchDesk;
  readonly #memories: ListMemories;
  readonly #clock: () => number;
  readonly #replies = new StampedCache<string>({ maxSize: maxReplies, sizeOf: () => 1 });
  /** Numbers of the rows that meet what the memory does not hold. */
  readonly #named = new StampedCache<readonly number[]>({
    maxSize: maxNamed,
    sizeOf: (ids) => ids.length + 1,
  });

  constructor({ desk, memories, clock = Date.now }: SummaryDeskParts) {
    this.#desk = desk;
    this.#memories = memories;
    this.#clock = clock;
  }

  /** The reply as JSON. Throws an AppError as a search does. */
  async summary(caller: SearchCaller, request: SummaryRequest): Promise<string> {
    const { search, facets, histogram, timeZone } = request;
    const key = JSON.stringify([searchKey(search), facets, histogram, timeZone]);
    const stamp = await this.#memories.stamps.of(search.list);
    const kept = this.#replies.get(key, stamp);
    if (kept !== undefined) return kept;
    const answer = async () =>
      (await this.#fromMemory(request)) ?? (await this.#withDatabase(caller, request));
    const work = async () => {
      const { stamp: answeredAt, summary } = await answer();
      const reply = JSON.stringify(summary satisfies SearchSummary);
      this.#replies.set(key, answeredAt, reply);
      return reply;
    };
    const rest = isHeld(this.#memories, search) ? null : databasePart(search);
    return rest === null
      ? this.#desk.runLight(caller, key, work)
      : this.#desk.run(caller, rest, work);
  }

  /** Null: not everything that the search asks for is held. */
  async #fromMemory(request: SummaryRequest): Promise<Summarized | null> {
    const { search } = request;
    if (!isHeld(this.#memories, search)) return null;
    const { memory, stamp } = await this.#memories.of(search.list);
    const ofKeyword = { list: search.list, conditions: [], keyword: search.keyword };
    const named = search.keyword === '' ? null : rowsThatMeet(memory, ofKeyword);
    if (named === null && search.keyword !== '') return null;
    const { conditions } = search;
    const summary = summarize(memory, request, { conditions, named, now: this.#clock() });
    return summary === null ? null : { stamp, summary };
  }

  /** The database says which rows meet what is not held. */
  async #withDatabase(caller: SearchCaller, request: SummaryRequest): Promise<Summarized> {
    const { search } = request;
    const rest = databasePart(search);
    const held = new Set(heldFields(search.list));
    const conditions = search.conditions.filter(({ name }) => held.has(name));
    for (let attempt = 1; ; attempt += 1) {
      const named = rest === null ? null : await this.#namedBy(caller, rest);
      caller.signal.throwIfAborted();
      const { memory, stamp } = await this.#memories.of(search.list);
      if (named !== null && !isSameStamp(named.stamp, stamp) && attempt < maxAttempts) continue;
      const summary = summarize(memory, request, {
        conditions,
        named: named === null ? null : rowsNamed(memory, named.value),
        now: this.#clock(),
      });
      if (summary === null) throw new Error(`${search.list.key} does not hold its own fields`);
      return { stamp, summary };
    }
  }

  #namedBy(caller: SearchCaller, rest: Search) {
    const of = { list: rest.list, key: searchKey(rest) };
    return this.#named.find(this.#memories.stamps, of, () =>
      this.#desk.rows.matching(rest, caller.signal),
    );
  }
}

/** Conditions on fields that are not held, and the keyword; null when there are none. */
function databasePart(search: Search): Search | null {
  const held = new Set(heldFields(search.list));
  const conditions = search.conditions.filter(({ name }) => !held.has(name));
  return conditions.length === 0 && search.keyword === ''
    ? null
    : { ...search, conditions, sort: [{ field: 'id', descending: false }], ownOrder: false };
}

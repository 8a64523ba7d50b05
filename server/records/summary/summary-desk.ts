/** Answers summaries: asks the database for what is not held in memory, counts the rest there, and keeps replies while nothing changes. */
import type { SearchSummary } from '@patch/contract/search-summary-endpoint.ts';
import type { Search } from '../criteria/search-request.ts';
import type { ListMemories } from '../memory/list-memories.ts';
import { fieldsInMemory } from '../memory/list-memory.ts';
import { isSameStamp } from '../memory/list-stamps.ts';
import { isInMemory, rowsThatMeet } from '../memory/memory-search.ts';
import { RevisionCache } from '../memory/revision-cache.ts';
import type { SearchDesk } from '../search/search-desk.ts';
import { searchKey } from '../search/search-key.ts';
import type { SearchCaller } from '../search/search-limit.ts';
import { rowsNamed } from './failed-groups.ts';
import { summarize } from './search-summary.ts';
import type { SummaryRequest } from './summary-request.ts';

const maxReplies = 500;

export interface SummaryDeskParts {
  readonly desk: SearchDesk;
  readonly memories: ListMemories;
  readonly clock?: () => number;
}

export class SummaryDesk {
  readonly #desk: SearchDesk;
  readonly #memories: ListMemories;
  readonly #clock: () => number;
  readonly #replies: RevisionCache<string>;

  constructor({ desk, memories, clock = Date.now }: SummaryDeskParts) {
    this.#desk = desk;
    this.#memories = memories;
    this.#clock = clock;
    this.#replies = new RevisionCache(memories.stamps, { maxSize: maxReplies, sizeOf: () => 1 });
  }

  /** The reply as JSON. Throws an AppError as a search does. */
  summary(caller: SearchCaller, request: SummaryRequest): Promise<string> {
    const { search, facets, histogram, timeZone } = request;
    const key = JSON.stringify([searchKey(search), facets, histogram, timeZone]);
    return this.#replies.find([search.list], key, () =>
      this.#desk.run(caller, async () => {
        const summary =
          (await this.#fromMemory(request)) ?? (await this.#withDatabase(caller, request));
        return JSON.stringify(summary satisfies SearchSummary);
      }),
    );
  }

  /** Null: not everything that the search compares is in memory. */
  async #fromMemory(request: SummaryRequest): Promise<SearchSummary | null> {
    const { search } = request;
    if (!isInMemory(this.#memories, search)) return null;
    const { memory } = await this.#memories.of(search.list);
    const { list, keyword, conditions } = search;
    const named = keyword === '' ? null : rowsThatMeet(memory, { list, conditions: [], keyword });
    if (named === null && keyword !== '') return null;
    return summarize(memory, request, { conditions, named, now: this.#clock() });
  }

  /** The database says which rows meet what is not in memory. */
  async #withDatabase(caller: SearchCaller, request: SummaryRequest): Promise<SearchSummary> {
    const { search } = request;
    const rest = databasePart(search);
    const held = new Set(fieldsInMemory(search.list));
    const conditions = search.conditions.filter(({ name }) => held.has(name));
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.#memories.stamps.of(search.list);
      const ids = rest === null ? null : await this.#desk.rows.matching(rest, caller.signal);
      const { memory, stamp } = await this.#memories.of(search.list);
      if (ids !== null && !isSameStamp(before, stamp) && attempt < maxAttempts) continue;
      const summary = summarize(memory, request, {
        conditions,
        named: ids === null ? null : rowsNamed(memory, ids),
        now: this.#clock(),
      });
      if (summary === null) throw new Error(`${search.list.key} does not hold its own fields`);
      return summary;
    }
  }
}

/** A list that is written to all the time is answered as of a moment ago. */
const maxAttempts = 3;

/** Conditions on fields that are not held, and the keyword; null when there are none. */
function databasePart(search: Search): Search | null {
  const held = new Set(fieldsInMemory(search.list));
  const conditions = search.conditions.filter(({ name }) => !held.has(name));
  return conditions.length === 0 && search.keyword === ''
    ? null
    : { ...search, conditions, sort: [{ field: 'id', descending: false }], ownOrder: false };
}

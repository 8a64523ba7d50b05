/** Summarizes searches: counts in memory, queries the database for conditions that memory cannot evaluate, and caches replies by revision. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import {
  type SearchSummary,
  searchSummaryEndpoint,
} from '@patch/contract/records/search-summary-endpoint.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { JsonText, type RouteRegistrar } from '../../platform/http/route.ts';
import { usesComputedCriteria } from '../criteria/computed-criteria.ts';
import { getSearchKey, type Search } from '../criteria/search-request.ts';
import type { ListMemories } from '../memory/list-memories.ts';
import { fieldsInMemory } from '../memory/list-memory.ts';
import { canRunInMemory, findRows } from '../memory/memory-search.ts';
import { isSameStamp, RevisionCache } from '../memory/revision-cache.ts';
import type { SearchCaller } from '../search/search-limit.ts';
import { getSearchCaller, type SearchService } from '../search/search-service.ts';
import { countCriterionFacets, splitFacets } from './criterion-facets.ts';
import { toRowSet } from './failed-groups.ts';
import { summarize } from './search-summary.ts';
import { readSummary, type SummaryRequest } from './summary-request.ts';

export function summaryRoutes(
  route: RouteRegistrar,
  parts: {
    readonly database: Queryable;
    readonly searchService: SearchService;
    readonly memories: ListMemories;
  },
): void {
  const summaries = new SummaryService(parts);
  for (const list of catalogueLists)
    route(searchSummaryEndpoint(list), async (request) => {
      const summaryRequest = readSummary(list, request.body, request.sight);
      return new JsonText(await summaries.summary(getSearchCaller(request), summaryRequest));
    });
}

const maxReplies = 500;

interface SummaryServiceParts {
  readonly searchService: SearchService;
  readonly memories: ListMemories;
  readonly clock?: () => number;
}

export class SummaryService {
  readonly #searchService: SearchService;
  readonly #memories: ListMemories;
  readonly #clock: () => number;
  readonly #replies: RevisionCache<string>;

  constructor({ searchService, memories, clock = Date.now }: SummaryServiceParts) {
    this.#searchService = searchService;
    this.#memories = memories;
    this.#clock = clock;
    this.#replies = new RevisionCache(memories.stamps, { maxSize: maxReplies, measure: () => 1 });
  }

  /** Returns the reply as JSON. @throws AppError as `SearchService.run` and `runStatement` do. */
  summary(caller: SearchCaller, request: SummaryRequest): Promise<string> {
    const { search, facets, histogram, timeZone } = request;
    const key = JSON.stringify([getSearchKey(search), facets, histogram, timeZone]);
    const { fields, criteria } = splitFacets(search.list, facets);
    const { store } = this.#searchService;
    const summarizeNow = () =>
      this.#searchService.run(caller, async () => {
        const resolved = { ...request, search: await store.resolve(search), facets: fields };
        const summary =
          (await this.#summarizeInMemory(resolved)) ??
          (await this.#summarizeWithDatabase(caller, resolved));
        const counted = { search, facets: criteria };
        const computed = await countCriterionFacets(store, counted, caller.signal);
        const all = { ...summary, facets: { ...summary.facets, ...computed } };
        return JSON.stringify(all satisfies SearchSummary);
      });
    return criteria.length > 0 || usesComputedCriteria(search)
      ? summarizeNow()
      : this.#replies.find([search.list], key, summarizeNow);
  }

  /** Returns null when values that the search compares are not in memory. */
  async #summarizeInMemory(request: SummaryRequest): Promise<SearchSummary | null> {
    const { search } = request;
    if (!canRunInMemory(this.#memories, search)) return null;
    const { memory } = await this.#memories.load(search.list);
    const { list, keyword, conditions } = search;
    const restRows = keyword === '' ? null : findRows(memory, { list, conditions: [], keyword });
    if (restRows === null && keyword !== '') return null;
    return summarize(memory, request, { conditions, restRows, now: this.#clock() });
  }

  /** Evaluates the keyword and the conditions that are not in memory in the database. */
  async #summarizeWithDatabase(
    caller: SearchCaller,
    request: SummaryRequest,
  ): Promise<SearchSummary> {
    const { search } = request;
    const rest = getDatabasePart(search);
    const conditions = search.conditions.filter(isInMemory(search));
    for (let attempt = 1; ; attempt += 1) {
      const before = await this.#memories.stamps.read(search.list);
      const ids =
        rest === null ? null : await this.#searchService.store.findIds(rest, caller.signal);
      const { memory, stamp } = await this.#memories.load(search.list);
      if (ids !== null && !isSameStamp(before, stamp) && attempt < maxAttempts) continue;
      const summary = summarize(memory, request, {
        conditions,
        restRows: ids === null ? null : toRowSet(memory, ids),
        now: this.#clock(),
      });
      if (summary === null) throw new Error(`${search.list.key} lacks its own fields in memory`);
      return summary;
    }
  }
}

/** Attempts to read rows and memory at one revision. A list that is written continuously is summarized in a slightly older state. */
const maxAttempts = 3;

const isInMemory =
  ({ list }: Search) =>
  ({ name }: Condition) =>
    fieldsInMemory(list).includes(name);

/** Returns the search with only its keyword and its conditions on fields that are not in memory; null when it has none of both. */
function getDatabasePart(search: Search): Search | null {
  const conditions = search.conditions.filter((condition) => !isInMemory(search)(condition));
  return conditions.length === 0 && search.keyword === ''
    ? null
    : {
        ...search,
        conditions,
        sort: [{ field: 'id', descending: false }],
        usesDefaultSort: false,
        ranksMatches: false,
      };
}

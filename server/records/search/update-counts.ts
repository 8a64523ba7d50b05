/** Counts the distinct updates that searches find. Caches counts by the revisions of the lists. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import { z } from 'zod';
import { type ListSource, selectReader } from '../../platform/database/database.ts';
import { usesComputedCriteria } from '../criteria/computed-criteria.ts';
import { createSearch, getSearchKey, type Search } from '../criteria/search-request.ts';
import { ListStamps, RevisionCache } from '../memory/revision-cache.ts';
import { runStatement } from './search-sql.ts';
import { SearchStore } from './search-store.ts';
import { updateCountSql } from './update-sql.ts';

const UpdatesRow = z.object({ updates: z.number() });

const maxCounts = 500;

export class UpdateCounts {
  readonly #database: ListSource;
  readonly #store: SearchStore;
  readonly #cache: RevisionCache<number>;

  constructor(
    database: ListSource,
    store = new SearchStore(database),
    stamps = new ListStamps(database),
  ) {
    this.#database = database;
    this.#store = store;
    this.#cache = new RevisionCache(stamps, { maxSize: maxCounts, measure: () => 1 });
  }

  /**
   * Counts the distinct updates of all searches together. Their lists must have the same source.
   *
   * @throws AppError as `SearchStore.find` does.
   */
  async count(searches: readonly Search[], signal?: AbortSignal): Promise<number> {
    const [only] = searches;
    if (only === undefined) return 0;
    // Without `countedBy` every record counts, so that the total of the search is the count.
    if (searches.length === 1 && only.list.countedBy === undefined)
      return this.#countRecords(only, signal);
    return this.#findCached('updates', searches, async () => {
      const reader = selectReader(this.#database, ...searches.map(({ list }) => list));
      const resolved = await Promise.all(searches.map((search) => this.#store.resolve(search)));
      const answer = await runStatement(reader, UpdatesRow, updateCountSql(resolved), signal);
      return answer.updates;
    });
  }

  /** Counts the records that match the criteria, and their updates. */
  async countFigure(list: ListDefinition, criteria: FieldCriterion[], when: When): Promise<Figure> {
    const search = createCriteriaSearch(list, criteria, when);
    return { list: list.key, criteria, ...(await this.countBoth(search)) };
  }

  /** @throws AppError as `SearchStore.find` does. */
  async countBoth(
    search: Search,
    signal?: AbortSignal,
  ): Promise<Pick<Figure, 'totalCount' | 'updateCount'>> {
    const total = await this.#countRecords(search, signal);
    // Without records there are no updates, and one record is one update.
    return {
      totalCount: total,
      updateCount:
        search.list.countedBy === undefined || total < 2
          ? total
          : await this.count([search], signal),
    };
  }

  #countRecords(search: Search, signal: AbortSignal | undefined): Promise<number> {
    return this.#findCached(
      'total',
      [search],
      async () => (await this.#store.find({ ...search, offset: 0, size: 1 }, signal)).total,
    );
  }

  #findCached(
    what: string,
    searches: readonly Search[],
    count: () => Promise<number>,
  ): Promise<number> {
    if (searches.some(usesComputedCriteria)) return count();
    const lists = searches.map(({ list }) => list);
    return this.#cache.find(lists, `${what} ${JSON.stringify(searches.map(getSearchKey))}`, count);
  }
}

/** Creates the search that the link of a figure opens. */
export function createCriteriaSearch(
  list: ListDefinition,
  criteria: readonly FieldCriterion[],
  when: When,
  { size = 1, sort }: { readonly size?: number; readonly sort?: string } = {},
): Search {
  const conditions = criteriaConditions(list, criteria, when);
  return createSearch(list, { offset: 0, size, ...(sort && { sort }) }, { conditions });
}

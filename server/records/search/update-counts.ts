/** Counts the updates that searches find, each once, and keeps the number while nothing is written to the lists. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { z } from 'zod';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { createSearch, type Search } from '../criteria/search-request.ts';
import { ListStamps } from '../memory/list-stamps.ts';
import { RevisionCache } from '../memory/revision-cache.ts';
import { answerStatement } from './answer-statement.ts';
import { searchKey } from './search-key.ts';
import { SearchStore } from './search-store.ts';
import { updateCountSql } from './update-sql.ts';

const UpdatesRow = z.object({ updates: z.number() });

const maxCounts = 500;

export class UpdateCounts {
  readonly #database: ListSource;
  readonly #store: SearchStore;
  readonly #kept: RevisionCache<number>;

  constructor(
    database: ListSource,
    store = new SearchStore(database),
    stamps = new ListStamps(database),
  ) {
    this.#database = database;
    this.#store = store;
    this.#kept = new RevisionCache(stamps, { maxSize: maxCounts, sizeOf: () => 1 });
  }

  /**
   * The updates that the searches find together; their lists are of one source.
   *
   * @throws AppError as `SearchStore.find` does.
   */
  async count(searches: readonly Search[], signal?: AbortSignal): Promise<number> {
    const [only] = searches;
    if (only === undefined) return 0;
    // Where each record counts, its total is found as the list's own is.
    if (searches.length === 1 && only.list.countedBy === undefined)
      return this.#total(only, signal);
    return this.#keep('updates', searches, async () => {
      const reader = readerOf(this.#database, ...searches.map(({ list }) => list));
      const answer = await answerStatement(reader, UpdatesRow, updateCountSql(searches), signal);
      return answer.updates;
    });
  }

  /** The records that meet the criteria and the updates that they are about. */
  async figure(list: ListDefinition, criteria: FieldCriterion[], when: When): Promise<Figure> {
    const search = criteriaSearch(list, criteria, when);
    return { list: list.key, criteria, ...(await this.both(search)) };
  }

  /** @throws AppError as `SearchStore.find` does. */
  async both(
    search: Search,
    signal?: AbortSignal,
  ): Promise<Pick<Figure, 'totalCount' | 'updateCount'>> {
    const total = await this.#total(search, signal);
    // Nothing found is no update, and one record is one.
    return {
      totalCount: total,
      updateCount:
        search.list.countedBy === undefined || total < 2
          ? total
          : await this.count([search], signal),
    };
  }

  #total(search: Search, signal: AbortSignal | undefined): Promise<number> {
    return this.#keep(
      'total',
      [search],
      async () => (await this.#store.find({ ...search, offset: 0, size: 1 }, signal)).total,
    );
  }

  #keep(what: string, searches: readonly Search[], count: () => Promise<number>): Promise<number> {
    const lists = searches.map(({ list }) => list);
    return this.#kept.find(lists, `${what} ${JSON.stringify(searches.map(searchKey))}`, count);
  }
}

/** As the list is asked when a figure's link is followed. */
export function criteriaSearch(
  list: ListDefinition,
  criteria: readonly FieldCriterion[],
  when: When,
  { size = 1, sort }: { readonly size?: number; readonly sort?: string } = {},
): Search {
  const conditions = criteriaConditions(list, criteria, when);
  return createSearch(list, { offset: 0, size, ...(sort && { sort }) }, { conditions });
}

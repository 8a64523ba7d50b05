/** Counts the updates that searches find, each once, and keeps the number while nothing is written to the lists. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Figure } from '@patch/contract/dashboard-call.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { Queryable } from '../database/database.ts';
import { type Known, KnownTotals } from './known-totals.ts';
import { readSearch, type Search } from './search-request.ts';
import type { Statement } from './search-sql.ts';
import { SearchStore, searchKey } from './search-store.ts';
import { revisionsSql, updateCountSql } from './update-sql.ts';

export class UpdateCounts {
  readonly #database: Queryable;
  readonly #store: SearchStore;
  readonly #kept = new KnownTotals();

  constructor(database: Queryable, store = new SearchStore(database)) {
    this.#database = database;
    this.#store = store;
  }

  /** Over all searches together; their lists are of one source. */
  async count(searches: readonly Search[]): Promise<number> {
    if (searches.length === 0) return 0;
    const [only] = searches;
    // Where each record counts, its total is found as the list's own is.
    if (searches.length === 1 && only !== undefined && only.list.countedBy === undefined) return this.#total(only);
    return this.#counted(searches);
  }

  /** The records that meet the criteria and the updates that they are about. */
  async figure(list: ListDefinition, criteria: FieldCriterion[], when: When): Promise<Figure> {
    const search = criteriaSearch(list, criteria, when);
    return { list: list.key, criteria, ...(await this.both(search)) };
  }

  async both(search: Search): Promise<Pick<Figure, 'totalCount' | 'updateCount'>> {
    const total = await this.#total(search);
    // Nothing found is no update, and one record is one.
    return { totalCount: total, updateCount: search.list.countedBy === undefined || total < 2 ? total : await this.count([search]) };
  }

  async #total(search: Search): Promise<number> {
    return (await this.#store.find({ ...search, offset: 0, size: 1 })).total;
  }

  async #counted(searches: readonly Search[]): Promise<number> {
    const key = JSON.stringify(searches.map(searchKey));
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      if ((await this.#ask<{ revisions: number }>(revisionsSql(searches))).revisions === kept.revision) return kept.total;
      this.#kept.forget(key);
    }
    const { total } = await this.#kept.count(key, async (): Promise<Known> => {
      const { updates, revisions } = await this.#ask<{ updates: number; revisions: number }>(updateCountSql(searches));
      return { revision: revisions, total: updates, listed: 0, fewCandidates: false };
    });
    return total;
  }

  async #ask<Answer>({ text, values }: Statement): Promise<Answer> {
    const [answer] = (await this.#database.query<Answer>(text, values)).rows;
    if (answer === undefined) throw new Error('A count was not answered');
    return answer;
  }
}

/** As the list is asked when a figure's link is followed. */
export function criteriaSearch(list: ListDefinition, criteria: readonly FieldCriterion[], when: When): Search {
  return readSearch(list, { offset: 0, size: 1 }, { filter: filterText(list, criteria, when) });
}

/** Counts the updates that searches find, each once, and keeps the number while nothing is written to the lists. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { z } from 'zod';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { createSearch, type Search } from '../criteria/search-request.ts';
import { CountCache, type Known } from './count-cache.ts';
import { callerLeft } from './fair-gate.ts';
import { searchKey } from './search-key.ts';
import type { Statement } from './search-sql.ts';
import { SearchStore } from './search-store.ts';
import { revisionsSql, updateCountSql, updateKeysSql } from './update-sql.ts';

/** Rows whose updates are asked for at once. */
const rowsAtOnce = 5_000;
const staying = new AbortController().signal;

const RevisionsRow = z.object({ revisions: z.number() });
const UpdatesRow = RevisionsRow.extend({ updates: z.number() });
const UpdateKeysRow = z.object({ named: z.array(z.string()), single: z.number() });

export class UpdateCounts {
  readonly #database: ListSource;
  readonly #store: SearchStore;
  readonly #kept = new CountCache();

  constructor(database: ListSource, store = new SearchStore(database)) {
    this.#database = database;
    this.#store = store;
  }

  /** Over all searches together; their lists are of one source. */
  async count(searches: readonly Search[], signal: AbortSignal = staying): Promise<number> {
    if (searches.length === 0) return 0;
    const [only] = searches;
    // Where each record counts, its total is found as the list's own is.
    if (searches.length === 1 && only !== undefined && only.list.countedBy === undefined)
      return this.#total(only, signal);
    return this.#counted(searches, signal);
  }

  /** The records that meet the criteria and the updates that they are about. */
  async figure(list: ListDefinition, criteria: FieldCriterion[], when: When): Promise<Figure> {
    const search = criteriaSearch(list, criteria, when);
    return { list: list.key, criteria, ...(await this.both(search)) };
  }

  /** Ends with an AppError soon after `signal` is aborted, and when the search is too expensive. */
  async both(
    search: Search,
    signal: AbortSignal = staying,
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

  async #total(search: Search, signal: AbortSignal): Promise<number> {
    return (await this.#store.find({ ...search, offset: 0, size: 1 }, signal)).total;
  }

  async #counted(searches: readonly Search[], signal: AbortSignal): Promise<number> {
    const key = JSON.stringify(searches.map(searchKey));
    const kept = this.#kept.get(key);
    if (kept !== undefined) {
      if (
        (await this.#ask(searches, RevisionsRow, revisionsSql(searches))).revisions ===
        kept.revision
      )
        return kept.total;
      this.#kept.forget(key);
    }
    const prices = await Promise.all(searches.map((search) => this.#store.price(search)));
    if (prices.some(({ inOneStatement }) => !inOneStatement))
      return this.#countedInParts(searches, key, signal);
    const { total } = await this.#kept.count(key, async (): Promise<Known> => {
      const { updates, revisions } = await this.#ask(
        searches,
        UpdatesRow,
        updateCountSql(searches),
      );
      return { revision: revisions, total: updates, listed: 0, fewCandidates: false };
    });
    return total;
  }

  /** Not shared with others who ask for the same: it ends when its caller leaves. */
  async #countedInParts(
    searches: readonly Search[],
    key: string,
    signal: AbortSignal,
  ): Promise<number> {
    const { revisions: revision } = await this.#ask(searches, RevisionsRow, revisionsSql(searches));
    const named = new Set<string>();
    let total = 0;
    for (const search of searches) {
      const ids = await this.#store.matching(search, signal);
      for (let from = 0; from < ids.length; from += rowsAtOnce) {
        if (signal.aborted) throw callerLeft();
        const part = await this.#ask(
          [search],
          UpdateKeysRow,
          updateKeysSql(search.list, ids.slice(from, from + rowsAtOnce)),
        );
        for (const update of part.named) named.add(update);
        total += part.single;
      }
    }
    total += named.size;
    // A sync may have written meanwhile: kept under the revision from before, the number is then asked for again.
    this.#kept.keep(key, { revision, total, listed: 0, fewCandidates: false });
    return total;
  }

  async #ask<Answer>(
    about: readonly Pick<Search, 'list'>[],
    schema: z.ZodType<Answer>,
    { text, values }: Statement,
  ): Promise<Answer> {
    const reader = readerOf(this.#database, ...about.map(({ list }) => list));
    const [answer] = await queryRows(reader, schema, text, values);
    if (answer === undefined) throw new Error('A count was not answered');
    return answer;
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

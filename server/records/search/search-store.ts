/** Answers a search: a page of rows, as JSON text, and the exact total. Chooses the way by how many rows there are, which the planner can only guess. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { isWhole, type Search } from '../criteria/search-request.ts';
import type { HeldSearches } from '../memory/held-searches.ts';
import { askList } from './ask-list.ts';
import { CountCache, type Known } from './count-cache.ts';
import { callerLeft } from './fair-gate.ts';
import { selectivePattern } from './keyword-sql.ts';
import { ListSamples } from './list-sample-store.ts';
import {
  isPlainPage,
  OrderScan,
  type ScanLimits,
  type ScannedPage,
  staying,
} from './order-scan.ts';
import { searchKey } from './search-key.ts';
import { measuredLimits, type PriceLimits, priceOf, type SearchPrice } from './search-price.ts';
import {
  CandidateScanResult,
  candidateScanSql,
  estimateSql,
  matchesSubstring,
  PlanRow,
  RowsAnswer,
  Stamp,
  type Statement,
  stampSql,
} from './search-sql.ts';
import { type Counted, measuredWindows, type WindowLimits, WindowSearch } from './window-search.ts';
import { firstRowsSql, NamedAnswer, namedSql, rowsSql } from './window-sql.ts';

export interface FoundPage {
  /** JSON objects joined by commas; may be empty. */
  readonly rows: string;
  readonly total: number;
}

/** Where one way of finding a page becomes slower than another; set otherwise only in tests, which take every way with few rows. */
export interface Thresholds extends ScanLimits {
  /** Rows that are gathered and put in order at once. With more, the order is scanned and the rows that match are picked. */
  readonly fewRows: number;
  /** With more candidates by the planner's guess, the index of words is not asked: naming them all would be time lost. */
  readonly manyCandidates: number;
  readonly price: PriceLimits;
  readonly windows: WindowLimits;
}

const measured: Thresholds = {
  fewRows: 1_500,
  manyCandidates: 20_000,
  nearOffset: 2_000,
  hop: 50_000,
  price: measuredLimits,
  windows: measuredWindows,
};

export class SearchStore {
  readonly #database: ListSource;
  readonly #thresholds: Thresholds;
  readonly #totals = new CountCache();
  readonly #scan: OrderScan;
  readonly #windows: WindowSearch;
  /** Null: everything is asked of the database. */
  readonly #searches: HeldSearches | null;
  readonly #counted = new CountCache<Counted>(500);
  readonly samples: ListSamples;

  constructor(
    database: ListSource,
    thresholds: Partial<Thresholds> = {},
    searches: HeldSearches | null = null,
  ) {
    this.#database = database;
    this.#searches = searches;
    this.#thresholds = { ...measured, ...thresholds };
    this.#scan = new OrderScan(database, this.#thresholds, this.#totals);
    this.#windows = new WindowSearch(database, this.#thresholds.windows, this.#thresholds.fewRows);
    this.samples = new ListSamples(database);
  }

  /** Throws an AppError for a search that is too expensive. */
  async price(search: Search): Promise<SearchPrice> {
    const { price: limits, fewRows } = this.#thresholds;
    return priceOf(
      readerOf(this.#database, search.list),
      search,
      await this.samples.of(search.list),
      { limits, fewRows },
    );
  }

  /** A first page of a whole list by one field: nothing is to be counted or put in order. */
  isPlain(search: Search): boolean {
    return isPlainPage(search, this.#thresholds.nearOffset);
  }

  /** Whether the search can be answered from memory, at a price of milliseconds. */
  isHeld(search: Search): boolean {
    return !isWhole(search) && this.#searches?.holds(search) === true;
  }

  /** As `find`. Null: not everything that the search asks for is held in memory any longer. */
  async findHeld(search: Search, signal: AbortSignal = staying): Promise<FoundPage | null> {
    const key = searchKey(search);
    const most = this.#thresholds.fewRows;
    const asksNames = namedSql(search, most);
    const { ids: named, candidates } =
      asksNames === null
        ? { ids: [], candidates: 0 }
        : await askList(this.#database, search.list, NamedAnswer, asksNames);
    // There may be more of them, and all come first.
    if (candidates >= most) return null;
    const held = (await this.#searches?.find(search, { key, most, named })) ?? null;
    if (held === null) return null;
    if (signal.aborted) throw callerLeft();
    const { total, ids, page, stamp } = held;
    if (search.offset >= total) return { rows: '', total };
    if (page !== null) return { rows: await this.#rows(search.list, rowsSql(search, page)), total };
    if (ids !== null)
      return { rows: await this.#rows(search.list, firstRowsSql(search, ids)), total };
    const counted = { revision: stamp.revision + stamp.risk, listed: stamp.listed, total, ids };
    const { oneRow } = await this.price(search);
    return { rows: await this.#windows.page(search, key, counted, { signal, oneRow }), total };
  }

  async #rows(list: ListDefinition, statement: Statement): Promise<string> {
    return (await askList(this.#database, list, RowsAnswer, statement)).rows ?? '';
  }

  /** Ends with an AppError soon after `signal` is aborted, and when the search is too expensive. */
  async find(search: Search, signal: AbortSignal = staying): Promise<FoundPage> {
    const key = searchKey(search);
    if (isWhole(search) && search.sort.length === 1) return this.#findInWhole(search, key, signal);
    const price = await this.price(search);
    if (signal.aborted) throw callerLeft();
    if (isWhole(search) && price.inOneStatement) return this.#findInWhole(search, key, signal);
    if (price.isSmall) return this.#findAtOnce(search, key);
    // Meanwhile what searches like this one ask for is read into memory.
    if (!isWhole(search)) void this.#searches?.prepare(search);
    // What was counted already has too many rows to be named by words.
    if (price.rarePattern !== null && !price.isHeavy && this.#counted.get(key) === undefined) {
      const gathered = await this.#gather(search, key, price.rarePattern);
      if (gathered !== null) return { rows: gathered.rows ?? '', total: gathered.total };
    }
    return this.#findInWindows(search, key, price, signal);
  }

  /** All rows as JSON, in pages that take the database only shortly. The search is sorted by one field. */
  async *pages(
    search: Search,
    size: number,
    signal: AbortSignal = staying,
  ): AsyncGenerator<string> {
    const { oneRow } = await this.price(search);
    yield* this.#windows.pages(search, size, { signal, oneRow });
  }

  /** The numbers of all matching rows, found in windows. */
  async matching(search: Search, signal: AbortSignal = staying): Promise<readonly number[]> {
    const { oneRow } = await this.price(search);
    return this.#windows.matching(search, { signal, oneRow });
  }

  async #findInWindows(
    search: Search,
    key: string,
    price: SearchPrice,
    signal: AbortSignal,
  ): Promise<FoundPage> {
    const work = { signal, oneRow: price.oneRow };
    const stamp = await askList(this.#database, search.list, Stamp, stampSql(search));
    const kept = this.#counted.get(key);
    let counted: Counted | undefined = kept?.revision === stamp.revision ? kept : undefined;
    if (counted === undefined && isWhole(search))
      counted = { ...stamp, total: stamp.listed, ids: null };
    if (counted === undefined && price.inOneStatement) {
      const known = matchesSubstring(search) ? null : await this.#scan.count(search, null);
      const gathered =
        known === null || known.total <= this.#thresholds.fewRows
          ? await this.#gather(search, key, null)
          : null;
      if (gathered !== null) return { rows: gathered.rows ?? '', total: gathered.total };
      const many = known ?? this.#totals.get(key);
      if (many !== undefined) counted = { ...many, ids: null };
    }
    counted ??= await this.#windows.count(search, price.rarePattern, work);
    this.#counted.keep(key, counted);
    return { rows: await this.#windows.page(search, key, counted, work), total: counted.total };
  }

  async #findAtOnce(search: Search, key: string): Promise<FoundPage> {
    const kept = this.#totals.get(key);
    if (kept !== undefined) {
      const { rows, stamp } = await this.#page(search, key, kept);
      if (stamp.revision === kept.revision) return { rows, total: kept.total };
      this.#totals.forget(key);
    }
    if (matchesSubstring(search)) {
      const pattern = await this.#selectivePattern(search);
      const gathered =
        (pattern !== null && (await this.#guess(search, pattern)) <= this.#thresholds.manyCandidates
          ? await this.#gather(search, key, pattern)
          : null) ?? (await this.#gather(search, key, null));
      if (gathered !== null) return { rows: gathered.rows ?? '', total: gathered.total };
    }
    const counted =
      this.#totals.get(key) ??
      (await this.#totals.count(key, () => this.#scan.count(search, null)));
    // A sync may write between the two statements; each is exact at its moment.
    const { rows } = await this.#scan.page(search, key, counted);
    return { rows, total: counted.total };
  }

  /** The number of listed rows is kept with the revision and comes with every answer. */
  async #findInWhole(search: Search, key: string, signal: AbortSignal): Promise<FoundPage> {
    if (search.offset <= this.#thresholds.nearOffset) {
      const { rows, stamp } = await this.#scan.page(search, key, null, signal);
      return { rows, total: stamp.listed };
    }
    for (let attempt = 1; ; attempt += 1) {
      const stamp = await askList(this.#database, search.list, Stamp, stampSql(search));
      const page = await this.#scan.page(
        search,
        key,
        { ...stamp, total: stamp.listed, fewCandidates: false },
        signal,
      );
      if (page.stamp.revision === stamp.revision || attempt === 3)
        return { rows: page.rows, total: page.stamp.listed };
    }
  }

  async #page(search: Search, key: string, known: Known): Promise<ScannedPage> {
    if (search.offset >= known.total)
      return {
        rows: '',
        stamp: await askList(this.#database, search.list, Stamp, stampSql(search)),
      };
    if (matchesSubstring(search) && known.total <= this.#thresholds.fewRows) {
      const way = wayToGather(search, known);
      const pattern = way === 'words' ? await this.#selectivePattern(search) : null;
      const gathered = way === null ? null : await this.#gather(search, key, pattern);
      if (gathered !== null) return { rows: gathered.rows ?? '', stamp: gathered };
    }
    return this.#scan.page(search, key, known);
  }

  /** Good to a percent or two of the list, which is enough to tell the common from the rare, and takes no reading. */
  async #guess(search: Search, pattern: string): Promise<number> {
    const plan = await askList(
      this.#database,
      search.list,
      PlanRow,
      estimateSql(search.list, pattern),
    );
    return Number(/ rows=(\d+)/.exec(plan['QUERY PLAN'])?.[1] ?? 0);
  }

  async #selectivePattern(search: Search): Promise<string | null> {
    return selectivePattern(search, await this.samples.of(search.list));
  }

  /** Among the rows that the index of words names for the pattern, or among all. Null when there are too many; of all, how many is then known. */
  async #gather(
    search: Search,
    key: string,
    pattern: string | null,
  ): Promise<CandidateScanResult | null> {
    const answer = await askList(
      this.#database,
      search.list,
      CandidateScanResult,
      candidateScanSql(search, pattern, this.#thresholds.fewRows),
    );
    const { revision, listed, candidates } = answer;
    const many = candidates > this.#thresholds.fewRows;
    if (many && pattern !== null) return null;
    this.#totals.keep(key, {
      revision,
      listed,
      total: many ? candidates : answer.total,
      fewCandidates: pattern !== null,
    });
    return many ? null : answer;
  }
}

/** Null: scanning the order finds the page sooner. */
function wayToGather(
  search: Search,
  { total, listed, fewCandidates }: Known,
): 'words' | 'rows' | null {
  if (fewCandidates) return 'words';
  const scanned = ((Math.min(search.offset, total) + search.size) * listed) / Math.max(1, total);
  // Reading a narrow index through takes a quarter of the time that the rows themselves take.
  return scanned > listed / 4 ? 'rows' : null;
}

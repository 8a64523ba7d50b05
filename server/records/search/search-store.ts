/** Answers a search: a page of rows, as JSON text, and the exact total. Chooses the way by how many rows there are, which the planner can only guess. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { type ListSource, type Pace, readerOf } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { isWhole, type Search } from '../criteria/search-request.ts';
import type { HeldSearches } from '../memory/held-searches.ts';
import { CountCache, type Known } from './count-cache.ts';
import { callerLeft } from './fair-gate.ts';
import { type KeysetBookmark, KeysetCache } from './keyset-cache.ts';
import { selectivePattern } from './keyword-sql.ts';
import { ListSamples } from './list-sample-store.ts';
import { measuredLimits, type PriceLimits, priceOf, type SearchPrice } from './search-price.ts';
import {
  bookmarkSql,
  CandidateScanResult,
  candidateScanSql,
  countSql,
  estimateSql,
  hasBookmarks,
  type IndexScan,
  indexScanSql,
  matchesSubstring,
  type OrderSegment,
  orderSegmentsOf,
  PlanRow,
  RowsAnswer,
  Stamp,
  type Statement,
  stampSql,
} from './search-sql.ts';
import { type Counted, measuredWindows, type WindowLimits, WindowSearch } from './window-search.ts';
import { firstRowsSql, namedSql, rowsSql } from './window-sql.ts';

export interface FoundPage {
  /** JSON objects joined by commas; may be empty. */
  readonly rows: string;
  readonly total: number;
}

/** Where in a segment a page begins, and what is known of the segment. */
interface Place {
  readonly segment: OrderSegment;
  readonly skip: number;
  readonly wanted: number;
  readonly length: number | null;
  readonly revision: number | null;
  readonly signal: AbortSignal;
}

interface Page {
  readonly rows: string;
  readonly stamp: Stamp;
}

/** Where one way of finding a page becomes slower than another; set otherwise only in tests, which take every way with few rows. */
export interface Thresholds {
  /** Rows that are gathered and put in order at once. With more, the order is scanned and the rows that match are picked. */
  readonly fewRows: number;
  /** With more candidates by the planner's guess, the index of words is not asked: naming them all would be time lost. */
  readonly manyCandidates: number;
  /** To a place nearer than this it is scanned from the beginning, without asking how far it is from the end. */
  readonly nearOffset: number;
  /** Rows between two marks. */
  readonly hop: number;
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

/** Rows of a page that is no work to send. */
const plainSize = 100;

/** What a scan has passed; no id: the scan ended before. */
const MarkRow = Stamp.extend({ value: z.unknown(), id: z.number().nullable() });
const NamedRow = z.object({ ids: z.array(z.number()), candidates: z.number() });
const CountRow = Stamp.extend({ total: z.number() });

/** Of those who cannot leave: work that the service does by itself. */
const staying = new AbortController().signal;

export class SearchStore {
  readonly #database: ListSource;
  readonly #thresholds: Thresholds;
  readonly #totals = new CountCache();
  readonly #marks = new KeysetCache();
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
  isPlain({ conditions, keyword, sort, offset, size }: Search): boolean {
    return (
      conditions.length === 0 &&
      keyword === '' &&
      sort.length === 1 &&
      offset <= this.#thresholds.nearOffset &&
      size <= plainSize
    );
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
        : await this.#ask(search.list, NamedRow, asksNames);
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
    return (await this.#ask(list, RowsAnswer, statement)).rows ?? '';
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
    const stamp = await this.#ask(search.list, Stamp, stampSql(search));
    const kept = this.#counted.get(key);
    let counted: Counted | undefined = kept?.revision === stamp.revision ? kept : undefined;
    if (counted === undefined && isWhole(search))
      counted = { ...stamp, total: stamp.listed, ids: null };
    if (counted === undefined && price.inOneStatement) {
      const known = matchesSubstring(search) ? null : await this.#count(search, null);
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
      this.#totals.get(key) ?? (await this.#totals.count(key, () => this.#count(search, null)));
    // A sync may write between the two statements; each is exact at its moment.
    const { rows } = await this.#scan(search, key, counted);
    return { rows, total: counted.total };
  }

  /** The number of listed rows is kept with the revision and comes with every answer. */
  async #findInWhole(search: Search, key: string, signal: AbortSignal): Promise<FoundPage> {
    if (search.offset <= this.#thresholds.nearOffset) {
      const { rows, stamp } = await this.#scan(search, key, null, signal);
      return { rows, total: stamp.listed };
    }
    for (let attempt = 1; ; attempt += 1) {
      const stamp = await this.#ask(search.list, Stamp, stampSql(search));
      const page = await this.#scan(
        search,
        key,
        { ...stamp, total: stamp.listed, fewCandidates: false },
        signal,
      );
      if (page.stamp.revision === stamp.revision || attempt === 3)
        return { rows: page.rows, total: page.stamp.listed };
    }
  }

  async #page(search: Search, key: string, known: Known): Promise<Page> {
    if (search.offset >= known.total)
      return { rows: '', stamp: await this.#ask(search.list, Stamp, stampSql(search)) };
    if (matchesSubstring(search) && known.total <= this.#thresholds.fewRows) {
      const way = wayToGather(search, known);
      const pattern = way === 'words' ? await this.#selectivePattern(search) : null;
      const gathered = way === null ? null : await this.#gather(search, key, pattern);
      if (gathered !== null) return { rows: gathered.rows ?? '', stamp: gathered };
    }
    return this.#scan(search, key, known);
  }

  /** Good to a percent or two of the list, which is enough to tell the common from the rare, and takes no reading. */
  async #guess(search: Search, pattern: string): Promise<number> {
    const plan = await this.#ask(search.list, PlanRow, estimateSql(search.list, pattern));
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
    const answer = await this.#ask(
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

  /** Segment by segment, each from its nearer end. */
  async #scan(search: Search, key: string, known: Known | null, signal = staying): Promise<Page> {
    const segments = orderSegmentsOf(search);
    const parts: string[] = [];
    let stamp: Stamp | null = null;
    let skip = search.offset;
    let wanted = search.size;
    let passed = 0;
    for (const [place, segment] of segments.entries()) {
      const isLast = place === segments.length - 1;
      const length =
        skip <= this.#thresholds.nearOffset || known === null
          ? null
          : await this.#lengthOf(search, key, segment, known, isLast ? passed : null);
      if (length !== null && skip >= length) {
        skip -= length;
        passed += length;
        continue;
      }
      const revision = known?.revision ?? null;
      const answer = await this.#scanSegment(search, key, {
        segment,
        skip,
        wanted,
        length,
        revision,
        signal,
      });
      stamp = answer;
      if (answer.rows !== null) parts.push(answer.rows);
      wanted -= answer.found;
      if (wanted <= 0 || isLast) break;
      // The segment has ended. How long it was must be counted only when not even its end was reached.
      const ended =
        answer.found > 0 || skip === 0
          ? skip + answer.found
          : (await this.#count(search, segment)).total;
      skip = Math.max(0, skip - ended);
      passed += ended;
    }
    return {
      rows: parts.join(','),
      stamp: stamp ?? (await this.#ask(search.list, Stamp, stampSql(search))),
    };
  }

  /** From its nearer end when its length is known, and from the last mark on the way there. */
  async #scanSegment(search: Search, key: string, at: Place): Promise<RowsAnswer> {
    const { segment, skip, wanted, length, revision, signal } = at;
    const backwards = length !== null && skip > length / 2;
    const size = backwards ? Math.min(wanted, length - skip) : wanted;
    const place = backwards ? length - skip - size : skip;
    const scan: IndexScan = { segment, backwards, from: null, skip: place };
    const from =
      revision === null || !hasBookmarks(search)
        ? null
        : await this.#markBefore(search, key, scan, revision, signal);
    return this.#ask(
      search.list,
      RowsAnswer,
      indexScanSql(search, { ...scan, from, skip: place - (from?.place ?? 0) }, size),
      this.isPlain(search) ? 'now' : 'yielding',
    );
  }

  /** A far scan goes in hops, each of which leaves a mark: others are answered between them, and none is gone twice. */
  async #markBefore(
    search: Search,
    key: string,
    scan: IndexScan,
    revision: number,
    signal: AbortSignal,
  ): Promise<KeysetBookmark | null> {
    const { hop } = this.#thresholds;
    const order = JSON.stringify([key, scan.segment, scan.backwards, search.sort]);
    let mark = this.#marks.before(order, revision, scan.skip);
    while (scan.skip - (mark?.place ?? 0) > hop) {
      if (signal.aborted) throw callerLeft();
      const hopped = await this.#ask(
        search.list,
        MarkRow,
        bookmarkSql(search, { ...scan, from: mark, skip: hop }),
      );
      if (hopped.id === null || hopped.revision !== revision) break;
      mark = { place: (mark?.place ?? 0) + hop, value: hopped.value, id: hopped.id };
      this.#marks.keep(order, revision, mark);
    }
    return mark;
  }

  /** `passed`: of the last segment, the length of all before it. */
  async #lengthOf(
    search: Search,
    key: string,
    segment: OrderSegment,
    known: Known,
    passed: number | null,
  ): Promise<number> {
    if (passed !== null) return known.total - passed;
    // Rows without a value are counted in the field's index, and are seldom many.
    const rest =
      segment.value === 'only' && segment.identity === 'any'
        ? ({ ...segment, value: 'without' } as const)
        : null;
    const counted = rest ?? segment;
    const countKey = `${key} ${JSON.stringify([counted, search.sort[0]?.field])}`;
    const kept = this.#totals.get(countKey);
    const { total } =
      kept?.revision === known.revision
        ? kept
        : await this.#totals.count(countKey, () => this.#count(search, counted));
    return rest === null ? total : known.total - total;
  }

  async #count(search: Search, segment: OrderSegment | null): Promise<Known> {
    const { revision, listed, total } = await this.#ask(
      search.list,
      CountRow,
      countSql(search, segment),
    );
    return { revision, listed, total, fewCandidates: false };
  }

  /** Only plain first pages, of which each is little work, go before all others. */
  async #ask<Answer>(
    list: ListDefinition,
    schema: z.ZodType<Answer>,
    { text, values }: Statement,
    pace: Pace = 'yielding',
  ): Promise<Answer> {
    const rows = await queryRows(readerOf(this.#database, list), schema, text, values, pace);
    const [answer] = rows;
    if (answer === undefined) throw new Error('The list has no revision: its migration is missing');
    return answer;
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

/** What the search asks for, without its page and order: equal for searches of the same rows. */
export function searchKey({ list, conditions, keyword }: Search): string {
  // The definition follows from the list and the field's name.
  return JSON.stringify([list.key, keyword, conditions], (name, value: unknown) =>
    name === 'definition' ? undefined : value,
  );
}

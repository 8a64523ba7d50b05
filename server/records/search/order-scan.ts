/** Finds a page by scanning an index in the order that is asked for: from the nearer end, and on from places that were passed before. */
import { z } from 'zod';
import type { ListSource } from '../../platform/database/database.ts';
import type { Search } from '../criteria/search-request.ts';
import { askList } from './ask-list.ts';
import type { CountCache, Known } from './count-cache.ts';
import { callerLeft } from './fair-gate.ts';
import { type KeysetBookmark, KeysetCache } from './keyset-cache.ts';
import {
  bookmarkSql,
  countSql,
  hasBookmarks,
  type IndexScan,
  indexScanSql,
  type OrderSegment,
  orderSegmentsOf,
  RowsAnswer,
  Stamp,
  stampSql,
} from './search-sql.ts';

/** Where in a segment a page begins, and what is known of the segment. */
interface Place {
  readonly segment: OrderSegment;
  readonly skip: number;
  readonly wanted: number;
  readonly length: number | null;
  readonly revision: number | null;
  readonly signal: AbortSignal;
}

export interface ScannedPage {
  readonly rows: string;
  readonly stamp: Stamp;
}

export interface ScanLimits {
  /** To a place nearer than this it is scanned from the beginning, without asking how far it is from the end. */
  readonly nearOffset: number;
  /** Rows between two marks. */
  readonly hop: number;
}

/** What a scan has passed; no id: the scan ended before. */
const MarkRow = Stamp.extend({ value: z.unknown(), id: z.number().nullable() });
const CountRow = Stamp.extend({ total: z.number() });

/** Rows of a page that is no work to send. */
const plainSize = 100;

/** Of callers that cannot leave: work that the service does by itself. */
export const staying = new AbortController().signal;

/** A first page of a whole list by one field: nothing is to be counted or put in order. */
export function isPlainPage(
  { conditions, keyword, sort, offset, size }: Search,
  nearOffset: number,
): boolean {
  return (
    conditions.length === 0 &&
    keyword === '' &&
    sort.length === 1 &&
    offset <= nearOffset &&
    size <= plainSize
  );
}

export class OrderScan {
  readonly #database: ListSource;
  readonly #limits: ScanLimits;
  readonly #totals: CountCache;
  readonly #marks = new KeysetCache();

  /** `totals`: where what is counted is kept, shared with other ways of finding a page. */
  constructor(database: ListSource, limits: ScanLimits, totals: CountCache) {
    this.#database = database;
    this.#limits = limits;
    this.#totals = totals;
  }

  /** Segment by segment, each from its nearer end. */
  async page(
    search: Search,
    key: string,
    known: Known | null,
    signal: AbortSignal = staying,
  ): Promise<ScannedPage> {
    const segments = orderSegmentsOf(search);
    const parts: string[] = [];
    let stamp: Stamp | null = null;
    let skip = search.offset;
    let wanted = search.size;
    let passed = 0;
    for (const [place, segment] of segments.entries()) {
      const isLast = place === segments.length - 1;
      const length =
        skip <= this.#limits.nearOffset || known === null
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
          : (await this.count(search, segment)).total;
      skip = Math.max(0, skip - ended);
      passed += ended;
    }
    return {
      rows: parts.join(','),
      stamp: stamp ?? (await askList(this.#database, search.list, Stamp, stampSql(search))),
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
    return askList(
      this.#database,
      search.list,
      RowsAnswer,
      indexScanSql(search, { ...scan, from, skip: place - (from?.place ?? 0) }, size),
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
    const { hop } = this.#limits;
    const order = JSON.stringify([key, scan.segment, scan.backwards, search.sort]);
    let mark = this.#marks.before(order, revision, scan.skip);
    while (scan.skip - (mark?.place ?? 0) > hop) {
      if (signal.aborted) throw callerLeft();
      const hopped = await askList(
        this.#database,
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
        : await this.#totals.count(countKey, () => this.count(search, counted));
    return rest === null ? total : known.total - total;
  }

  async count(search: Search, segment: OrderSegment | null): Promise<Known> {
    const { revision, listed, total } = await askList(
      this.#database,
      search.list,
      CountRow,
      countSql(search, segment),
    );
    return { revision, listed, total, fewCandidates: false };
  }
}

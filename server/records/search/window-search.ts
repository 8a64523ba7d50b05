/** Answers a search that would keep the database busy for long: window after window, so that others are answered in between and an abandoned search ends. */
import { setImmediate as nextRound } from 'node:timers/promises';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { isRiskField } from '../../platform/database/searched-relation.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Search } from '../criteria/search-request.ts';
import { callerLeft } from './fair-gate.ts';
import { KeysetCache } from './keyset-cache.ts';
import { RowsAnswer, Stamp, type Statement } from './search-sql.ts';
import {
  countedAlong,
  firstOfSql,
  NamedAnswer,
  namedByWordsSql,
  namedSql,
  type Part,
  partsOf,
  rowsSql,
  WindowAnswer,
  type WindowAt,
  windowSql,
} from './window-sql.ts';

export interface WindowLimits {
  /** What a window should take, in milliseconds: others wait no longer than for about one. */
  readonly window: number;
  /** Rows of one window. */
  readonly maxRows: number;
  /** A search whose windows have taken longer together ends with an AppError. Milliseconds. */
  readonly work: number;
}

export const measuredWindows: WindowLimits = { window: 15, maxRows: 100_000, work: 90_000 };

export interface WindowWork {
  readonly signal: AbortSignal;
  /** The price of a row, in microseconds: how many the first window tests. */
  readonly oneRow: number;
}

export interface Counted extends Stamp {
  readonly total: number;
  /** The numbers of all matching rows when they are few. */
  readonly ids: readonly number[] | null;
}

interface Window {
  readonly part: Part;
  readonly hits: number;
  readonly ids: readonly number[];
  readonly revision: number;
  readonly listed: number;
  readonly last: { readonly value: unknown; readonly id: number } | null;
}

interface Pass extends Pick<WindowAt, 'along' | 'maxIds'> {
  readonly from?: WindowAt['from'];
  readonly identity?: WindowAt['identity'];
  readonly among?: WindowAt['among'];
  /** Of the first window, when it is known that few are enough. */
  readonly firstRows?: number;
  /** Of each window. */
  readonly maxRows?: number;
}

/** A price is a guess: the first window should take only this part of what a window may take. */
const firstPart = 2;
const rememberedWindows = 4;
/** Milliseconds: less cannot be told from nothing. */
const leastTold = 0.5;
/** Rows of an order by several fields that are put in order at once. */
const maxOrdered = 5_000;
/** A list that changes while it is counted is counted again, but not for ever. */
const maxAttempts = 3;

const IdsRow = z.object({ ids: z.array(z.number()) });
const NamedRow = Stamp.extend(IdsRow.shape);

export class WindowSearch {
  readonly #database: ListSource;
  readonly #limits: WindowLimits;
  readonly #fewRows: number;
  readonly #marks = new KeysetCache();

  constructor(database: ListSource, limits: WindowLimits, fewRows: number) {
    this.#database = database;
    this.#limits = limits;
    this.#fewRows = fewRows;
  }

  /** The exact total at one revision of the list. `pattern`: for it the index of words names few rows; null when there is none such. */
  async count(search: Search, pattern: string | null, work: WindowWork): Promise<Counted> {
    for (let attempt = 1; ; attempt += 1) {
      const named =
        pattern === null
          ? null
          : await this.#ask(search.list, NamedRow, namedByWordsSql(search, pattern, this.#fewRows));
      const among = named !== null && named.ids.length <= this.#fewRows ? named.ids : null;
      const along =
        among === null ? countedAlong(search) : ({ field: 'id', descending: false } as const);
      const ids: number[] = [];
      let stamp: Stamp | null = among === null ? null : named;
      let total = 0;
      let isSteady = true;
      // Of none the first is asked all the same: it says at which revision.
      for await (const window of this.windows(
        search,
        { along, among, maxIds: this.#fewRows + 1 },
        work,
      )) {
        isSteady &&= stamp === null || stamp.revision === window.revision;
        stamp = window;
        total += window.hits;
        if (total <= this.#fewRows) ids.push(...window.ids);
      }
      if (stamp === null) throw new Error('A pass over a list had no window');
      const { revision, listed } = stamp;
      if (isSteady || attempt === maxAttempts)
        return {
          revision: isSteady ? revision : -1,
          listed,
          total,
          ids: total <= this.#fewRows ? ids : null,
        };
    }
  }

  /** A page's rows as JSON objects joined by commas. */
  async page(search: Search, key: string, counted: Counted, work: WindowWork): Promise<string> {
    const { offset, size } = search;
    if (offset >= counted.total) return '';
    if (counted.ids !== null)
      return this.#rows(search, await this.#firstOf(search, counted.ids, offset, size));
    if (isJoinedOrder(search))
      return this.#rows(search, await this.#firstOf(search, null, offset, size));
    if (search.sort.length > 1) return this.#rows(search, await this.#mergedPage(search, work));
    return this.#rows(search, await this.#scannedPage(search, key, counted, work));
  }

  /** The rows of all windows of a pass, in its order, until it has ended. Throws an AppError when the caller left or the work is too much. */
  async *windows(
    search: Search,
    pass: Pass,
    { signal, oneRow }: WindowWork,
  ): AsyncGenerator<Window> {
    const { along, among = null, identity = 'any', maxIds } = pass;
    const { window, work } = this.#limits;
    const maxRows = Math.min(this.#limits.maxRows, pass.maxRows ?? this.#limits.maxRows);
    const size = new WindowSize(
      Math.min(pass.firstRows ?? maxRows, (window * 1000) / firstPart / Math.max(oneRow, 0.1)),
      {
        window,
        maxRows,
      },
    );
    let spent = 0;
    const parts = partsOf(search, along);
    for (const part of parts) {
      for (let from: WindowAt['from'] = part === parts[0] ? (pass.from ?? null) : null; ; ) {
        if (signal.aborted) throw callerLeft();
        if (spent > work) throw tookTooLong(work);
        const { rows } = size;
        const answer: WindowAnswer = await this.#ask(
          search.list,
          WindowAnswer,
          windowSql(search, { along, part, identity, from, rows, among, maxIds }),
        );
        spent += answer.took;
        const { hits, ids, revision, listed, lastId, lastValue } = answer;
        const last = lastId === null ? null : { value: lastValue, id: lastId };
        yield { part, hits, ids: ids ?? [], revision, listed, last };
        if (last === null || answer.seen < rows) break;
        from = last;
        size.note(rows, answer.took);
        // What has come in meanwhile, a closed connection among it, is heard between two windows.
        await nextRound();
      }
    }
  }

  /** All rows in the order of one field, in pages of at most `size`. A list may change between two pages. */
  async *pages(search: Search, size: number, work: WindowWork): AsyncGenerator<string> {
    for await (const ids of this.#inOrder(search, work)) {
      for (let from = 0; from < ids.length; from += size) {
        if (work.signal.aborted) throw callerLeft();
        yield this.#rows(search, ids.slice(from, from + size));
      }
    }
  }

  /** The numbers of all matching rows in the order of one field. */
  async *#inOrder(search: Search, work: WindowWork): AsyncGenerator<readonly number[]> {
    const [along = { field: 'id', descending: false }] = search.sort;
    if (isJoinedOrder(search)) yield this.#firstOf(search, null, 0, null);
    else
      for await (const { ids } of this.windows(
        search,
        { along, maxIds: this.#limits.maxRows },
        work,
      ))
        yield ids;
  }

  /** The numbers of all matching rows. */
  async matching(search: Search, work: WindowWork): Promise<readonly number[]> {
    const all: number[] = [];
    const pass = { along: countedAlong(search), maxIds: this.#limits.maxRows };
    for await (const { ids } of this.windows(search, pass, work)) all.push(...ids);
    return all;
  }

  /** The numbers of the page's rows, found along the order. Records whose name is the keyword come first: few are gathered, for many the order is passed twice. */
  async #scannedPage(
    search: Search,
    key: string,
    { total, listed, revision }: Counted,
    work: WindowWork,
  ): Promise<readonly number[]> {
    const { offset, size } = search;
    const named = namedSql(search, this.#fewRows);
    const gathered = named === null ? null : await this.#ask(search.list, NamedAnswer, named);
    const isApart = gathered !== null && gathered.candidates >= this.#fewRows;
    const first = isApart || gathered === null ? [] : gathered.ids;
    const known = new Set(first);
    const ids = first.slice(offset, offset + size);
    const begin = Math.max(0, offset - first.length);
    const [along = { field: 'id', descending: false }] = search.sort;
    const segments = (isApart ? (['only', 'without'] as const) : (['any'] as const)).map(
      (identity) => {
        const order = JSON.stringify([key, along, identity, named !== null]);
        return { identity, order, mark: this.#marks.before(order, revision, begin) };
      },
    );
    const nearest = segments.findLastIndex(({ mark }) => mark !== null);
    let passed = 0;
    for (const { identity, order, mark } of segments.slice(Math.max(0, nearest))) {
      passed = mark?.place ?? passed;
      const needed = Math.max(0, begin - passed) + size;
      const pass = {
        along,
        identity,
        from: mark,
        maxIds: needed + first.length,
        firstRows: Math.ceil((needed * listed * 1.5) / Math.max(1, total)) + 50,
      };
      for await (const window of this.windows(search, pass, work)) {
        const others = window.ids.filter((id) => !known.has(id));
        const skip = Math.max(0, begin - passed);
        ids.push(...others.slice(skip, skip + size - ids.length));
        passed += window.hits - (window.ids.length - others.length);
        if (ids.length >= size) return ids;
        if (window.part !== 'unvalued' && window.last !== null)
          this.#marks.keep(order, revision, { place: passed, ...window.last });
      }
    }
    return ids;
  }

  /** By several fields no index leads to the rows: the first ones are kept while the list is passed. */
  async #mergedPage(search: Search, work: WindowWork): Promise<readonly number[]> {
    const most = search.offset + search.size;
    if (most > maxOrdered) throw tooFarByFields();
    let first: readonly number[] = [];
    const pass = { along: countedAlong(search), maxIds: maxOrdered, maxRows: maxOrdered };
    for await (const { ids } of this.windows(search, pass, work)) {
      first = [...first, ...ids];
      if (first.length > most + maxOrdered) first = await this.#firstOf(search, first, 0, most);
    }
    return this.#firstOf(search, first, search.offset, search.size);
  }

  async #firstOf(
    search: Search,
    ids: readonly number[] | null,
    offset: number,
    size: number | null,
  ): Promise<readonly number[]> {
    return (await this.#ask(search.list, IdsRow, firstOfSql(search, ids, offset, size))).ids;
  }

  async #rows(search: Search, ids: readonly number[]): Promise<string> {
    return ids.length === 0
      ? ''
      : ((await this.#ask(search.list, RowsAnswer, rowsSql(search, ids))).rows ?? '');
  }

  async #ask<Answer>(
    list: ListDefinition,
    schema: z.ZodType<Answer>,
    { text, values }: Statement,
  ): Promise<Answer> {
    const [answer] = await queryRows(readerOf(this.#database, list), schema, text, values);
    if (answer === undefined) throw new Error('A window of a search was not answered');
    return answer;
  }
}

/** No index has the order of a joined field and the rows: one statement puts all rows in order, a window would do so each time. */
const isJoinedOrder = ({ list, sort: [first] }: Search): boolean =>
  first !== undefined && isRiskField(list, first.field);

const tookTooLong = (work: number) =>
  new AppError(
    'search_too_expensive',
    `This search was ended after ${Math.round(work / 1000)} seconds of work. Use fewer conditions that look inside texts, or narrow it by a date or by a word that few records have.`,
  );

const tooFarByFields = () =>
  new AppError(
    'too_far_by_fields',
    `An order by several fields goes as far as the first ${maxOrdered} of so many records. Narrow the search, or sort by one field.`,
  );

/** How many rows the next window tests. Only the quickest of the last windows tells what a row takes: others of the machine made the rest slow. */
class WindowSize {
  readonly #limits: Pick<WindowLimits, 'window' | 'maxRows'>;
  readonly #last: number[] = [];
  #rows: number;

  constructor(rows: number, limits: Pick<WindowLimits, 'window' | 'maxRows'>) {
    this.#limits = limits;
    this.#rows = Math.max(1, Math.min(limits.maxRows, Math.floor(rows)));
  }

  get rows(): number {
    return this.#rows;
  }

  /** `took` is in milliseconds. */
  note(seen: number, took: number): void {
    const { window, maxRows } = this.#limits;
    this.#last.push(Math.max(took, leastTold) / seen);
    if (this.#last.length > rememberedWindows) this.#last.shift();
    const wanted = window / Math.min(...this.#last);
    this.#rows = Math.max(1, Math.min(maxRows, Math.floor(Math.min(wanted, this.#rows * 4))));
  }
}

/** Answers a search: a page of rows, as JSON text, and the exact total. Memory answers what it holds, one SQL statement all else. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { z } from 'zod';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { isWhole, type Search } from '../criteria/search-request.ts';
import type { ListMemories } from '../memory/list-memories.ts';
import { findInMemory, textsCompared } from '../memory/memory-search.ts';
import { answerStatement } from './answer-statement.ts';
import { callerLeft } from './search-limit.ts';
import {
  IdsAnswer,
  idsSql,
  PageAnswer,
  pageOfIdsSql,
  pageSql,
  RowsAnswer,
  rowsSql,
  type Statement,
} from './search-sql.ts';

export interface FoundPage {
  /** JSON objects joined by commas; may be empty. */
  readonly rows: string;
  readonly total: number;
}

export interface SearchStoreOptions {
  /** Absent: every search is a statement. */
  readonly memories?: ListMemories | undefined;
  /** Called when a list could not be read into memory; searches are statements until it can. */
  readonly onFailure?: (error: unknown) => void;
  /** Called after each search. */
  readonly onAnswer?: (answer: SearchAnswer) => void;
}

export interface SearchAnswer {
  readonly list: ListDefinition;
  readonly tier: 'memory' | 'database';
  /** Milliseconds. */
  readonly ms: number;
  readonly total: number;
}

const staying = new AbortController().signal;
/** Rows of one statement of an export. */
const rowsAPage = 500;

export class SearchStore {
  readonly #database: ListSource;
  readonly #memories: ListMemories | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #onAnswer: (answer: SearchAnswer) => void;

  constructor(
    database: ListSource,
    { memories, onFailure = () => undefined, onAnswer = () => undefined }: SearchStoreOptions = {},
  ) {
    this.#database = database;
    this.#memories = memories;
    this.#onFailure = onFailure;
    this.#onAnswer = onAnswer;
  }

  /**
   * @throws AppError `search_too_expensive` when PostgreSQL ended the statement, `caller_left` when `signal` was aborted.
   */
  async find(search: Search, signal: AbortSignal = staying): Promise<FoundPage> {
    if (signal.aborted) throw callerLeft();
    const begun = performance.now();
    // An index has the list's own order, and its revision the total.
    const isOwnPage = isWhole(search) && search.ownOrder;
    const inMemory = isOwnPage ? null : await this.#findInMemory(search, signal);
    const found = inMemory ?? (await this.#findInDatabase(search, signal));
    this.#onAnswer({
      list: search.list,
      tier: inMemory === null ? 'database' : 'memory',
      ms: performance.now() - begun,
      total: found.total,
    });
    return found;
  }

  async #findInDatabase(search: Search, signal: AbortSignal): Promise<FoundPage> {
    const { rows, total } = await this.#ask(search, PageAnswer, pageSql(search), signal);
    return { rows: rows ?? '', total };
  }

  /** All rows as JSON, page after page in the search's order. A row that is withdrawn meanwhile is left out. */
  async *pages(search: Search, signal: AbortSignal = staying): AsyncGenerator<string> {
    const ids = await this.matching(search, signal);
    for (let from = 0; from < ids.length; from += rowsAPage)
      yield await this.#rows(search, rowsSql(search, ids.slice(from, from + rowsAPage)), signal);
  }

  /** The numbers of all matching rows, in the search's order. */
  async matching(search: Search, signal: AbortSignal = staying): Promise<readonly number[]> {
    return (await this.#ask(search, IdsAnswer, idsSql(search), signal)).ids;
  }

  /** Null: memory does not hold what the search compares; it is then read for the next one. */
  async #findInMemory(search: Search, signal: AbortSignal): Promise<FoundPage | null> {
    const memories = this.#memories;
    if (memories === undefined) return null;
    const answer = await findInMemory(memories, search);
    if (answer === null) {
      void this.readIntoMemory(search);
      return null;
    }
    const { total, page, ids } = answer;
    if (search.offset >= total) return { rows: '', total };
    if (page !== null)
      return { rows: await this.#rows(search, rowsSql(search, page), signal), total };
    if (ids === null) return null;
    return { rows: await this.#rows(search, pageOfIdsSql(search, ids), signal), total };
  }

  /** Reads what the search compares, so that the next one like it is answered from memory. Never rejects. */
  async readIntoMemory(search: Search): Promise<void> {
    const texts = textsCompared(search);
    if (texts === null) return;
    try {
      await this.#memories?.readTexts(search.list, texts);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  async #rows(search: Search, statement: Statement, signal: AbortSignal): Promise<string> {
    return (await this.#ask(search, RowsAnswer, statement, signal)).rows ?? '';
  }

  #ask<Answer>(
    { list }: Search,
    schema: z.ZodType<Answer>,
    statement: Statement,
    signal: AbortSignal,
  ): Promise<Answer> {
    return answerStatement(readerOf(this.#database, list), schema, statement, signal);
  }
}

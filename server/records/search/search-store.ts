/** Finds a page of rows, as JSON text, and the exact total: in memory if all compared values are loaded, with one SQL statement otherwise. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RowGroup } from '@patch/contract/records/grouped-search-endpoint.ts';
import type { z } from 'zod';
import { type ListSource, selectReader } from '../../platform/database/database.ts';
import { hasSealedFields } from '../../platform/database/rows/list-columns.ts';
import {
  type CriterionEvaluators,
  isLimited,
  joinEvaluators,
  resolveCriteria,
} from '../criteria/computed-criteria.ts';
import { identifierCriteria } from '../criteria/identifier-criteria-store.ts';
import { matchesAllRows, type Search } from '../criteria/search-request.ts';
import type { ListMemories } from '../memory/list-memories.ts';
import {
  canRunInMemory,
  countInMemory,
  findCandidates,
  findInMemory,
  getComparedTexts,
  type MemoryAnswer,
} from '../memory/memory-search.ts';
import { findGroupsInMemory } from '../memory/row-groups.ts';
import { CveWords } from '../words/cve-words.ts';
import { createQueryWords, ListWords } from '../words/list-words.ts';
import type { QueryWords } from '../words/query-reading.ts';
import { createCallerLeftError } from './search-limit.ts';
import {
  IdsAnswer,
  idsSql,
  PageAnswer,
  pageOfIdsSql,
  pageSql,
  RowsAnswer,
  rowsSql,
  runStatement,
  type Statement,
} from './search-sql.ts';
import { GroupedAnswer, groupedPageSql } from './update-sql.ts';

export interface FoundPage {
  /** JSON objects joined by commas, or empty. */
  readonly rows: string;
  readonly total: number;
}

export interface FoundGroups extends FoundPage {
  /** Of each row, in the same order. */
  readonly groups: readonly RowGroup[];
  readonly updates: number;
}

export interface SearchStoreOptions {
  /** Without it, every search runs in the database. */
  readonly memories?: ListMemories | undefined;
  /** Of other modules, for criteria on fields that no row has; without them, such criteria fail. */
  readonly evaluators?: CriterionEvaluators | undefined;
  /** Called when a list could not be read into memory. Searches run in the database until it succeeds. */
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

const neverAborted = new AbortController().signal;
/** Rows that one statement of an export reads. */
const rowsPerStatement = 500;

export class SearchStore {
  readonly #database: ListSource;
  readonly #memories: ListMemories | undefined;
  readonly #evaluators: CriterionEvaluators;
  readonly #onFailure: (error: unknown) => void;
  readonly #onAnswer: (answer: SearchAnswer) => void;
  readonly #queryWords = new ListWords();
  readonly #cveWords: CveWords | undefined;

  constructor(
    database: ListSource,
    {
      memories,
      evaluators = new Map(),
      onFailure = () => undefined,
      onAnswer = () => undefined,
    }: SearchStoreOptions = {},
  ) {
    this.#database = database;
    this.#memories = memories;
    this.#cveWords = memories && new CveWords(memories);
    this.#evaluators = joinEvaluators(identifierCriteria(database), evaluators);
    this.#onFailure = onFailure;
    this.#onAnswer = onAnswer;
  }

  /** Returns a search that SQL can evaluate. The other methods resolve their searches themselves. */
  resolve(search: Search): Promise<Search> {
    return resolveCriteria(this.#evaluators, search);
  }

  /**
   * @throws AppError `search_too_expensive` when PostgreSQL ended the statement, `caller_left` when `signal` was aborted.
   */
  async find(requested: Search, signal: AbortSignal = neverAborted): Promise<FoundPage> {
    if (signal.aborted) throw createCallerLeftError();
    const begun = performance.now();
    const search = await this.resolve(requested);
    // An index has the default order, and the revision row has the total.
    const isOwnPage = matchesAllRows(search) && search.usesDefaultSort && search.sort.length === 1;
    const memory = isOwnPage ? null : await this.#askMemory(search);
    const inMemory =
      memory?.kind === 'found' ? await this.#readFound(search, memory, signal) : null;
    const candidates = memory?.kind === 'narrowed' ? memory.candidates : null;
    const found = inMemory ?? (await this.#findInDatabase(search, candidates, signal));
    this.#onAnswer({
      list: search.list,
      tier: inMemory === null ? 'database' : 'memory',
      ms: performance.now() - begun,
      total: found.total,
    });
    return found;
  }

  /**
   * Finds a page of updates, each represented by its first matching record. `total` counts records.
   * @throws AppError as `find` does.
   */
  async findGroups(requested: Search, signal: AbortSignal = neverAborted): Promise<FoundGroups> {
    const search = await this.resolve(requested);
    const memories = this.#memories;
    if (memories !== undefined && !canRunInMemory(memories, search))
      void this.readIntoMemory(search);
    const found = memories === undefined ? null : await findGroupsInMemory(memories, search);
    if (found === null) {
      const answer = await this.#query(search, GroupedAnswer, groupedPageSql(search), signal);
      return { ...answer, rows: answer.rows ?? '', groups: answer.groups ?? [] };
    }
    const ids = found.groups.flatMap(({ ids: [first] }) => first ?? []);
    const rows = ids.length === 0 ? '' : await this.#rows(search, rowsSql(search, ids), signal);
    return { ...found, rows };
  }

  async #findInDatabase(
    search: Search,
    candidates: readonly number[] | null,
    signal: AbortSignal,
  ): Promise<FoundPage> {
    const statement = pageSql(search, candidates);
    const { rows, total } = await this.#query(search, PageAnswer, statement, signal);
    return { rows: rows ?? '', total };
  }

  /** Yields all rows as JSON, page by page in the order of the search. Skips rows that are withdrawn in the meantime. */
  async *pages(search: Search, signal: AbortSignal = neverAborted): AsyncGenerator<string> {
    const ids = await this.findIds(search, signal);
    for (let from = 0; from < ids.length; from += rowsPerStatement)
      yield await this.#rows(
        search,
        rowsSql(search, ids.slice(from, from + rowsPerStatement)),
        signal,
      );
  }

  /** Returns the ids of all matching rows, in the order of the search. */
  async findIds(requested: Search, signal: AbortSignal = neverAborted): Promise<readonly number[]> {
    const search = await this.resolve(requested);
    const memories = matchesAllRows(search) ? undefined : this.#memories;
    const candidates = memories === undefined ? null : await findCandidates(memories, search);
    return (await this.#query(search, IdsAnswer, idsSql(search, candidates), signal)).ids;
  }

  /** Returns null when the list is not in memory. Starts to load compared values that are not, for the next search. */
  async #askMemory(search: Search): Promise<MemoryAnswer | null> {
    const memories = this.#memories;
    if (memories === undefined) return null;
    if (!canRunInMemory(memories, search)) void this.readIntoMemory(search);
    return findInMemory(memories, search);
  }

  /** Reads the page of an answer of memory; null when memory cannot order its rows. */
  async #readFound(
    search: Search,
    { total, page, ids, skipped }: Extract<MemoryAnswer, { readonly kind: 'found' }>,
    signal: AbortSignal,
  ): Promise<FoundPage | null> {
    if (search.offset >= total) return { rows: '', total };
    if (page !== null)
      return { rows: await this.#rows(search, rowsSql(search, page), signal), total };
    if (ids === null) return null;
    const within = { ...search, offset: search.offset - skipped };
    return { rows: await this.#rows(search, pageOfIdsSql(within, ids), signal), total };
  }

  /**
   * Returns the names and words that a query may use; none where lists are not kept in memory.
   * @param mayLoad - waits for a list that is not in memory
   */
  async readQueryWords(
    { list, sight }: Pick<Search, 'list' | 'sight'>,
    mayLoad: boolean,
  ): Promise<QueryWords> {
    const memories = this.#memories;
    // Words of rows that do not exist for the caller would tell of them.
    const isKept = memories !== undefined && !hasSealedFields(list) && !isLimited(list, sight);
    if (!isKept || !(mayLoad || memories.has(list, []))) return createQueryWords(list);
    const { memory } = await memories.load(list);
    return this.#queryWords.get(list, memory);
  }

  /**
   * Returns the CVEs that listed records name and whose texts have all words; none where lists are not kept in memory.
   * @param mayLoad - waits for the texts that are not in memory
   */
  async findCves(keyword: string, mayLoad: boolean): Promise<readonly string[]> {
    const words = this.#cveWords;
    if (words === undefined) return [];
    const read = words.read().catch(this.#onFailure);
    if (mayLoad) await read;
    return words.find(keyword);
  }

  /** Returns the number of matching rows; null when memory cannot tell. Loads what it lacks, for the next similar search. */
  async countInMemory(requested: Search): Promise<number | null> {
    const memories = this.#memories;
    if (memories === undefined) return null;
    const search = await this.resolve(requested);
    if (!canRunInMemory(memories, search)) void this.readIntoMemory(search);
    return countInMemory(memories, search);
  }

  /** Loads the values that the search compares, so that the next similar search runs in memory. Never rejects. */
  async readIntoMemory(search: Search): Promise<void> {
    const texts = getComparedTexts(search);
    if (texts === null) return;
    try {
      await this.#memories?.readTexts(search.list, texts);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  async #rows(search: Search, statement: Statement, signal: AbortSignal): Promise<string> {
    return (await this.#query(search, RowsAnswer, statement, signal)).rows ?? '';
  }

  #query<Answer>(
    { list }: Search,
    schema: z.ZodType<Answer>,
    statement: Statement,
    signal: AbortSignal,
  ): Promise<Answer> {
    return runStatement(selectReader(this.#database, list), schema, statement, signal);
  }
}

/** Answers a batch of queries of osv.dev, in slices of bounded work. */
import { readOsvQuery } from '@patch/catalogue/formats/osv-query.ts';
import type { OsvQueryBody } from '@patch/contract/formats/osv-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import {
  type AffectingAdvisory,
  advisoriesAffecting,
  type QueriedTarget,
  resolveSources,
} from './osv-answers.ts';

export interface OsvBatch {
  readonly queries: readonly OsvQueryBody[];
}

/** Returns the reply as text: results are larger than queries, and text is cheaper to pass between threads. */
export type AnswerOsvBatch = (batch: OsvBatch, signal: AbortSignal) => Promise<string>;

/** Ids in a page of a query of a batch. */
const maxIds = 1000;
/** Queries whose fixes are read and compared together. */
const slice = 50;

export const answerBatchHere =
  (database: Queryable): AnswerOsvBatch =>
  async ({ queries }, signal) => {
    const targets = resolveSources(
      queries.map((query, index) => readTarget(query, `queries[${index}]: `)),
    );
    const results: string[] = [];
    for (let from = 0; from < queries.length; from += slice) {
      const own = targets.slice(from, from + slice);
      const found = await advisoriesAffecting(database, own, signal);
      for (const [index, advisories] of found.entries())
        results.push(JSON.stringify(toResult(advisories, queries[from + index] ?? {})));
    }
    return `{"results":[${results.join()}]}`;
  };

/** A batch up to this size is answered where it arrives. */
const maxQueriesHere = 10;

export const answerBatchBySize =
  (here: AnswerOsvBatch, thread: AnswerOsvBatch): AnswerOsvBatch =>
  (batch, signal) =>
    (batch.queries.length <= maxQueriesHere ? here : thread)(batch, signal);

function toResult(advisories: readonly AffectingAdvisory[], query: OsvQueryBody) {
  const { page, next } = selectPage(advisories, query, maxIds);
  if (page.length === 0) return {};
  const vulns = page.map(({ id, modified }) => ({
    id,
    modified: new Date(modified).toISOString(),
  }));
  return { vulns, ...next };
}

/** `label` names the query in the sentence. */
export function readTarget(query: OsvQueryBody, label = ''): QueriedTarget {
  const target = readOsvQuery(query);
  if (typeof target === 'string') throw new AppError('invalid_osv_query', `${label}${target}`);
  return { ...target, label };
}

/** A token is the id after which the page begins, in base64url. */
export function selectPage(
  advisories: readonly AffectingAdvisory[],
  { page_token: token = '' }: OsvQueryBody,
  size: number,
) {
  const after = Buffer.from(token, 'base64url').toString();
  if (token !== '' && !/^[\x20-\x7e]{1,200}$/.test(after))
    throw new AppError('invalid_osv_query', 'Invalid page_token: send the one of the last reply.');
  const rest = advisories.filter(({ id }) => id > after);
  const page = rest.slice(0, size);
  const last = page.at(-1);
  const isLast = last === undefined || rest.length === page.length;
  return {
    page,
    next: isLast ? {} : { next_page_token: Buffer.from(last.id).toString('base64url') },
  };
}

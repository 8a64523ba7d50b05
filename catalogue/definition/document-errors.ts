/** Errors that the sync engine throws for a document that it cannot fetch. */
import type { DocumentFailure, FetchProblem } from './document-failure.ts';
import { documentFailureText } from './document-failure-text.ts';

/** A document that the vendor does not publish (404, 410). */
export class NotPublished extends Error {
  override readonly name = 'NotPublished';
  readonly url: string;
  constructor(url: string) {
    super(`${url} is not published (not found)`);
    this.url = url;
  }
  get failure(): DocumentFailure {
    return { code: 'not_published', params: { url: this.url } };
  }
}

/** A document that could not be fetched after all attempts. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly url: string;
  readonly failure: DocumentFailure;
  constructor(
    url: string,
    problem: FetchProblem,
    { attempts = 1, milliseconds = 0, cause }: FetchAttempts = {},
  ) {
    const failure = {
      code: 'not_fetched',
      params: { url, problem, attempts, milliseconds },
    } as const;
    super(documentFailureText(failure), { cause });
    this.url = url;
    this.failure = failure;
  }
}

export interface FetchAttempts {
  readonly attempts?: number;
  /** From the first attempt to the end of the last. */
  readonly milliseconds?: number;
  readonly cause?: unknown;
}

/** Errors of one attempt to fetch a document, and whether a retry may succeed. */

import { FetchFailed } from '@patch/catalogue/definition/document-errors.ts';
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { fetchProblemText } from '@patch/catalogue/definition/document-failure-text.ts';
import type { BrokenDocument } from '@patch/catalogue/parsers/create-document.ts';

export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly problem: FetchProblem;
  /** A retry may succeed. */
  readonly isTransient: boolean;
  /** Wait in milliseconds that the vendor requested, or null. */
  readonly requestedWaitMs: number | null;

  constructor(
    problem: FetchProblem,
    more: { isTransient: boolean; requestedWaitMs?: number | null; cause?: unknown },
  ) {
    super(fetchProblemText(problem), { cause: more.cause });
    this.problem = problem;
    this.isTransient = more.isTransient;
    this.requestedWaitMs = more.requestedWaitMs ?? null;
  }
}

export function createStatusError(status: number, requestedWaitMs: number | null): FailedAttempt {
  const isTransient = status === 408 || status === 425 || status === 429 || status >= 500;
  return new FailedAttempt(
    { code: 'status', params: { status } },
    { isTransient, requestedWaitMs },
  );
}

export function createNetworkError(error: unknown): FailedAttempt {
  const code = getErrorCode(error);
  const words = error instanceof Error ? error.message : String(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new FailedAttempt(
      { code: 'unresolved', params: {} },
      { isTransient: true, cause: error },
    );
  if (/CERT|SIGNATURE|ISSUER|TLS|SSL|ALTNAME/.test(code)) {
    const reason = `${words} (${code})`;
    return new FailedAttempt(
      { code: 'untrusted', params: { reason } },
      { isTransient: false, cause: error },
    );
  }
  const reason = `${words}${code === '' || words.includes(code) ? '' : ` (${code})`}`;
  return new FailedAttempt(
    { code: 'unreachable', params: { reason } },
    { isTransient: true, cause: error },
  );
}

export function createSilentError(milliseconds: number): FailedAttempt {
  return new FailedAttempt({ code: 'silent', params: { milliseconds } }, { isTransient: true });
}

export function createSlowError(milliseconds: number): FailedAttempt {
  return new FailedAttempt({ code: 'slow', params: { milliseconds } }, { isTransient: false });
}

export function createTruncatedError(
  received: number,
  announced: number | null,
  cause?: unknown,
): FailedAttempt {
  return new FailedAttempt(
    { code: 'truncated', params: { received, announced } },
    { isTransient: true, cause },
  );
}

export function createUnexpectedNotModifiedError(): FailedAttempt {
  return new FailedAttempt({ code: 'unasked_not_modified', params: {} }, { isTransient: true });
}

export function createUnreadableError(error: BrokenDocument): FailedAttempt {
  return new FailedAttempt(
    { code: 'unreadable', params: { problem: error.problem } },
    { isTransient: true, cause: error },
  );
}

export function createOversizedError(limit: number): FailedAttempt {
  return new FailedAttempt({ code: 'oversized', params: { limit } }, { isTransient: false });
}

export function createChecksumError(
  algorithm: string,
  expected: string,
  received: string,
): FailedAttempt {
  return new FailedAttempt(
    { code: 'checksum', params: { algorithm, received, expected } },
    { isTransient: true },
  );
}

export function createFetchFailed(
  url: string,
  last: FailedAttempt,
  attempts: number,
  milliseconds: number,
): FetchFailed {
  return new FetchFailed(url, last.problem, { attempts, milliseconds, cause: last });
}

function getErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

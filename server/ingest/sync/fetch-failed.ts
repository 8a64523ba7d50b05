/** What one attempt to fetch a document ran into, and whether another may go better. */

import { FetchFailed } from '@patch/catalogue/definition/document-errors.ts';
import {
  type FetchProblem,
  fetchProblemText,
} from '@patch/catalogue/definition/document-failure.ts';
import type { BrokenDocument } from '@patch/catalogue/parsers/document-of.ts';

export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly problem: FetchProblem;
  /** Whether another attempt may go better. */
  readonly passing: boolean;
  /** What the vendor asked to wait, in milliseconds; null when it did not. */
  readonly waitAsked: number | null;

  constructor(
    problem: FetchProblem,
    more: { passing: boolean; waitAsked?: number | null; cause?: unknown },
  ) {
    super(fetchProblemText(problem), { cause: more.cause });
    this.problem = problem;
    this.passing = more.passing;
    this.waitAsked = more.waitAsked ?? null;
  }
}

export function statusAttempt(status: number, waitAsked: number | null): FailedAttempt {
  const passing = status === 408 || status === 425 || status === 429 || status >= 500;
  return new FailedAttempt({ code: 'status', params: { status } }, { passing, waitAsked });
}

export function networkAttempt(error: unknown): FailedAttempt {
  const code = codeOf(error);
  const words = error instanceof Error ? error.message : String(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new FailedAttempt({ code: 'unresolved', params: {} }, { passing: true, cause: error });
  if (/CERT|SIGNATURE|ISSUER|TLS|SSL|ALTNAME/.test(code)) {
    const reason = `${words} (${code})`;
    return new FailedAttempt(
      { code: 'untrusted', params: { reason } },
      { passing: false, cause: error },
    );
  }
  const reason = `${words}${code === '' || words.includes(code) ? '' : ` (${code})`}`;
  return new FailedAttempt(
    { code: 'unreachable', params: { reason } },
    { passing: true, cause: error },
  );
}

export function silentAttempt(milliseconds: number): FailedAttempt {
  return new FailedAttempt({ code: 'silent', params: { milliseconds } }, { passing: true });
}

export function slowAttempt(milliseconds: number): FailedAttempt {
  return new FailedAttempt({ code: 'slow', params: { milliseconds } }, { passing: false });
}

export function truncatedAttempt(
  received: number,
  announced: number | null,
  cause?: unknown,
): FailedAttempt {
  return new FailedAttempt(
    { code: 'truncated', params: { received, announced } },
    { passing: true, cause },
  );
}

export function unaskedAttempt(): FailedAttempt {
  return new FailedAttempt({ code: 'unasked_not_modified', params: {} }, { passing: true });
}

export function brokenAttempt(error: BrokenDocument): FailedAttempt {
  return new FailedAttempt(
    { code: 'unreadable', params: { problem: error.problem } },
    { passing: true, cause: error },
  );
}

export function oversizedAttempt(limit: number): FailedAttempt {
  return new FailedAttempt({ code: 'oversized', params: { limit } }, { passing: false });
}

export function checksumAttempt(
  algorithm: string,
  expected: string,
  received: string,
): FailedAttempt {
  return new FailedAttempt(
    { code: 'checksum', params: { algorithm, received, expected } },
    { passing: true },
  );
}

export function failedAfter(
  url: string,
  last: FailedAttempt,
  attempts: number,
  milliseconds: number,
): FetchFailed {
  return new FetchFailed(url, last.problem, { attempts, milliseconds, cause: last });
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

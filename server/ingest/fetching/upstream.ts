/** The interface to the origin of documents: the vendors, the address of a mirror, or the folder of a mirror. Its errors say whether and when to retry. */
import type { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { fetchProblemText } from '@patch/catalogue/definition/document-failure-text.ts';
import { errorCode } from '@patch/contract/base/error-code.ts';

/** Validators of a copy, for a conditional request. */
export interface Validators {
  readonly etag: string | null;
  /** In the original form of the vendor. */
  readonly lastModified: string | null;
}

export type UpstreamReply =
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' }
  | ({
      readonly kind: 'body';
      readonly body: AsyncIterable<Uint8Array>;
      readonly length: number | null;
    } & Validators);

export interface RequestOptions {
  /** Hosts to which the vendor may redirect; any host by default. */
  readonly redirectHosts?: readonly string[] | undefined;
}

export interface Upstream {
  /** Identifies the origin, because validators are valid only at the same origin. */
  readonly origin: string;
  /** Makes one attempt. @throws FailedAttempt, or the reason of the signal when it is aborted; the body throws the same */
  request(
    url: string,
    cached: Validators | null,
    signal: AbortSignal,
    options?: RequestOptions,
  ): Promise<UpstreamReply>;
  close(): void;
}

/** Problems of attempts that a retry meets again. */
const lastingProblems: ReadonlySet<FetchProblem['code']> = new Set([
  'not_http',
  'not_in_mirror',
  'oversized',
  'redirect_not_encrypted',
  'redirect_to_other_host',
  'redirect_without_address',
  'slow',
  'too_many_redirects',
  'untrusted',
]);

export class FailedAttempt extends Error {
  override readonly name = 'FailedAttempt';
  readonly problem: FetchProblem;
  /** Wait in milliseconds that the vendor requested, or null. */
  readonly requestedWaitMs: number | null;

  constructor(
    problem: FetchProblem,
    { requestedWaitMs = null, cause }: { requestedWaitMs?: number | null; cause?: unknown } = {},
  ) {
    super(fetchProblemText(problem), { cause });
    this.problem = problem;
    this.requestedWaitMs = requestedWaitMs;
  }

  /** A retry may succeed. */
  get isTransient(): boolean {
    if (this.problem.code !== 'status') return !lastingProblems.has(this.problem.code);
    const { status } = this.problem.params;
    return status === 408 || status === 425 || status === 429 || status >= 500;
  }
}

export function createNetworkError(error: unknown): FailedAttempt {
  const code = errorCode(error) ?? '';
  const words = error instanceof Error ? error.message : String(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new FailedAttempt({ code: 'unresolved', params: {} }, { cause: error });
  const reason = `${words}${code === '' || words.includes(code) ? '' : ` (${code})`}`;
  return /CERT|SIGNATURE|ISSUER|TLS|SSL|ALTNAME/.test(code)
    ? new FailedAttempt(
        { code: 'untrusted', params: { reason: `${words} (${code})` } },
        { cause: error },
      )
    : new FailedAttempt({ code: 'unreachable', params: { reason } }, { cause: error });
}

const firstDelayMs = 1000;
const maxDelayMs = 30_000;
/** Maximum of the wait that a vendor may request. For a longer one, the document fails. */
export const maxRequestedWaitMs = 60_000;

/** Returns milliseconds of exponential backoff with full jitter, so that many clients do not retry at the same time. */
export function getBackoffDelay(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(maxDelayMs, firstDelayMs * 2 ** attempt));
}

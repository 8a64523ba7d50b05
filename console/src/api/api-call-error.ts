/** How a call ends when it does not end well. */

export class ApiCallError extends Error {
  override readonly name = 'ApiCallError';
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** For programs: the server's own code, or `unreachable`, `timeout`, `unexpected_reply`. */
  readonly code: string;
  /** For the person at the screen. */
  readonly userMessage: string;
  /** The same id stands in the server's log; null when the server gave none. */
  readonly requestId: string | null;
  /** Seconds after which it may be tried again, when the server says so. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    code: string,
    userMessage: string,
    more: {
      readonly requestId?: string | null;
      readonly retryAfter?: number | null;
      readonly cause?: unknown;
    } = {},
  ) {
    super(userMessage, { cause: more.cause });
    this.status = status;
    this.code = code;
    this.userMessage = userMessage;
    this.requestId = more.requestId ?? null;
    this.retryAfter = more.retryAfter ?? null;
  }
}

/** The server has answered and will not give it; what was loaded before may not be shown any longer. */
export const isRefusal = (failure: Error | null): boolean =>
  failure instanceof ApiCallError && failure.status >= 400 && failure.status < 500;

/** The caller no longer wants the answer: nothing to tell anybody. */
export class ApiCallCancelled extends Error {
  override readonly name = 'ApiCallCancelled';
}

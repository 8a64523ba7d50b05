/** Errors of API calls. */

export class ApiCallError extends Error {
  override readonly name = 'ApiCallError';
  /** HTTP status; 0 without a reply. */
  readonly status: number;
  /** The server's error code, or `unreachable`, `timeout`, `unexpected_reply`. */
  readonly code: string;
  /** Text to show to the user. */
  readonly userMessage: string;
  /** Id of the request in the server's log; null without one in the reply. */
  readonly requestId: string | null;
  /** Seconds to wait before another attempt; null when the server does not say. */
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

/** A 4xx reply: data that was loaded before must not be shown any longer. */
export const isRefusal = (failure: Error | null): boolean =>
  failure instanceof ApiCallError && failure.status >= 400 && failure.status < 500;

/** The caller aborted the call. Not shown to the user. */
export class ApiCallCancelled extends Error {
  override readonly name = 'ApiCallCancelled';
}

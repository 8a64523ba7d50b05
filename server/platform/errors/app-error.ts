/** An error that a caller can act on: a code for programs, and a sentence that says what to do. It does not know HTTP. */
import type { AppErrorCode } from './error-codes.ts';

export interface AppErrorData {
  /** The time after which the same request may succeed, if known. */
  readonly retryAfterSeconds?: number;
}

/** The message is shown to people. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: AppErrorCode;
  readonly retryAfterSeconds: number | null;

  constructor(code: AppErrorCode, userMessage: string, { retryAfterSeconds }: AppErrorData = {}) {
    super(userMessage);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

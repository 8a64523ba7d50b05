/** Limits concurrent searches of each user and of all users, so that no user blocks the others. */
import { AppError } from '../../platform/errors/app-error.ts';

export interface SearchLimits {
  /** Maximum of concurrent searches of a user. */
  readonly perUser: number;
  /** Maximum of concurrent searches of all users. Must be less than the number of connections. */
  readonly allUsers: number;
  /** Maximum of waiting searches of a user. */
  readonly maxWaiting: number;
  /** Refuses a search that has waited this long. */
  readonly waitTimeoutMs: number;
}

/** The caller of a search. `signal` aborts when the client disconnects. */
export interface SearchCaller {
  readonly user: string;
  readonly signal: AbortSignal;
}

interface WaitingSearch {
  readonly user: string;
  readonly start: () => void;
}

export class SearchLimit {
  readonly #limits: SearchLimits;
  readonly #running = new Map<string, number>();
  #runningCount = 0;
  /** In the order of arrival. */
  #waiting: WaitingSearch[] = [];

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  /**
   * Runs the work when the limits allow it. Do not nest calls: the inner one could wait for the outer one.
   *
   * @throws AppError `too_many_searches` when too many are waiting, `searches_busy` after the wait timeout, `caller_left`.
   */
  async run<T>({ user, signal }: SearchCaller, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw createCallerLeftError();
    if (this.#isFree(user)) this.#begin(user);
    else await this.#waitForTurn(user, signal);
    try {
      return await work();
    } finally {
      this.#end(user);
    }
  }

  #isFree(user: string): boolean {
    const { perUser, allUsers } = this.#limits;
    return this.#runningCount < allUsers && (this.#running.get(user) ?? 0) < perUser;
  }

  #begin(user: string): void {
    this.#running.set(user, (this.#running.get(user) ?? 0) + 1);
    this.#runningCount += 1;
  }

  #end(user: string): void {
    const running = (this.#running.get(user) ?? 1) - 1;
    if (running === 0) this.#running.delete(user);
    else this.#running.set(user, running);
    this.#runningCount -= 1;
    const next = this.#waiting.find((entry) => this.#isFree(entry.user));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((entry) => entry !== next);
    this.#begin(next.user);
    next.start();
  }

  #waitForTurn(user: string, signal: AbortSignal): Promise<void> {
    const { maxWaiting, waitTimeoutMs } = this.#limits;
    if (this.#waiting.filter((entry) => entry.user === user).length >= maxWaiting)
      return Promise.reject(createTooManyWaitingError(maxWaiting));
    return new Promise((resolve, reject) => {
      const cancel = (refusal: AppError) => {
        stop();
        this.#waiting = this.#waiting.filter((waiting) => waiting !== entry);
        reject(refusal);
      };
      const onAbort = () => cancel(createCallerLeftError());
      const timer = setTimeout(() => cancel(createWaitTimeoutError()), waitTimeoutMs);
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const entry: WaitingSearch = {
        user,
        start: () => {
          stop();
          resolve();
        },
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(entry);
    });
  }
}

export const createCallerLeftError = () =>
  new AppError('caller_left', 'The connection was closed before the search finished.');

const createTooManyWaitingError = (maxWaiting: number) =>
  new AppError(
    'too_many_searches',
    `${maxWaiting} of your searches are already waiting. Try again when some of them have finished.`,
    { retryAfterSeconds: 5 },
  );

const createWaitTimeoutError = () =>
  new AppError(
    'searches_busy',
    'Too many searches are running. Try again in a moment, or narrow the search.',
    { retryAfterSeconds: 5 },
  );

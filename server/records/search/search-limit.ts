/** Limits the searches that run at once, of each user and of all: nobody's searches keep the others waiting. */
import { AppError } from '../../platform/errors/app-error.ts';

export interface SearchLimits {
  /** Searches of one user. */
  readonly perUser: number;
  /** Searches of all users: fewer than there are connections. */
  readonly inAll: number;
  /** Searches of one user that may wait; one more is refused. */
  readonly maxWaiting: number;
  /** Milliseconds after which a search that waits is refused. */
  readonly patience: number;
}

/** The caller of a search, until the connection closes. */
export interface SearchCaller {
  readonly user: string;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly user: string;
  readonly start: () => void;
}

export class SearchLimit {
  readonly #limits: SearchLimits;
  readonly #running = new Map<string, number>();
  #runningInAll = 0;
  /** In the order in which they came. */
  #waiting: Waiting[] = [];

  constructor(limits: SearchLimits) {
    this.#limits = limits;
  }

  /**
   * Runs the work when the limits allow it. Work inside work could wait for itself: it is never limited again.
   *
   * @throws AppError `too_many_searches` when too many wait, `searches_busy` when the wait was too long, `caller_left`.
   */
  async run<T>({ user, signal }: SearchCaller, work: () => Promise<T>): Promise<T> {
    if (signal.aborted) throw callerLeft();
    if (this.#isFree(user)) this.#begin(user);
    else await this.#turn(user, signal);
    try {
      return await work();
    } finally {
      this.#end(user);
    }
  }

  #isFree(user: string): boolean {
    const { perUser, inAll } = this.#limits;
    return this.#runningInAll < inAll && (this.#running.get(user) ?? 0) < perUser;
  }

  #begin(user: string): void {
    this.#running.set(user, (this.#running.get(user) ?? 0) + 1);
    this.#runningInAll += 1;
  }

  #end(user: string): void {
    const running = (this.#running.get(user) ?? 1) - 1;
    if (running === 0) this.#running.delete(user);
    else this.#running.set(user, running);
    this.#runningInAll -= 1;
    const next = this.#waiting.find((entry) => this.#isFree(entry.user));
    if (next === undefined) return;
    this.#waiting = this.#waiting.filter((entry) => entry !== next);
    this.#begin(next.user);
    next.start();
  }

  #turn(user: string, signal: AbortSignal): Promise<void> {
    const { maxWaiting, patience } = this.#limits;
    if (this.#waiting.filter((entry) => entry.user === user).length >= maxWaiting)
      return Promise.reject(tooManyWait(maxWaiting));
    return new Promise((resolve, reject) => {
      const leave = (refusal: AppError) => {
        stop();
        this.#waiting = this.#waiting.filter((one) => one !== entry);
        reject(refusal);
      };
      const gone = () => leave(callerLeft());
      const timer = setTimeout(() => leave(waitedTooLong()), patience);
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
      };
      const entry: Waiting = {
        user,
        start: () => {
          stop();
          resolve();
        },
      };
      signal.addEventListener('abort', gone, { once: true });
      this.#waiting.push(entry);
    });
  }
}

export const callerLeft = () =>
  new AppError('caller_left', 'The connection was closed before the search finished.');

const tooManyWait = (maxWaiting: number) =>
  new AppError(
    'too_many_searches',
    `${maxWaiting} of your searches are already waiting. Try again when some of them have finished.`,
    { retryAfterSeconds: 5 },
  );

const waitedTooLong = () =>
  new AppError(
    'searches_busy',
    'Too many searches are running. Try again in a moment, or narrow the search.',
    { retryAfterSeconds: 5 },
  );

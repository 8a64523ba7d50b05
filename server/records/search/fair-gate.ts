/** Lets few searches run at a time: a bounded number of each user, users in turn, the calls of one screen one after another in one slot. */
import { AppError } from '../../platform/errors/app-error.ts';

export interface GateLimits {
  /** Slots that one user may hold. */
  readonly perUser: number;
  /** Slots of all users together. */
  readonly inAll: number;
  /** Calls of one user that may wait; one more is refused. */
  readonly maxWaiting: number;
  /** A call that has waited for so long is refused. Milliseconds. */
  readonly patience: number;
}

/** Who asks for what: calls with the same user and screen share a slot. */
export interface SlotRequest {
  readonly user: string;
  /** Equal for the calls that one screen makes about one search. */
  readonly screen: string;
  /** Aborted when the caller has left. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly screen: string;
  readonly start: () => void;
}

interface User {
  /** Of each slot, the calls of its screen that wait for it, and how many it has taken. */
  readonly slots: Map<string, { readonly next: Waiting[]; taken: number }>;
  waiting: Waiting[];
  /** The turn at which the user last got a slot; 0: not since the user has come. */
  lastTurn: number;
}

const newUser = (): User => ({ slots: new Map(), waiting: [], lastTurn: 0 });

/** A slot that served so many calls of its screen is given to others. */
const maxCallsOfSlot = 6;

export class FairGate {
  readonly #limits: GateLimits;
  readonly #users = new Map<string, User>();
  #slots = 0;
  #turns = 0;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  /** Runs the work when it is its turn. Rejects with an AppError: `too_many_searches` when too many wait, `searches_busy` when the wait was too long, `caller_left`. */
  async run<T>({ user: name, screen, signal }: SlotRequest, work: () => Promise<T>): Promise<T> {
    await this.#turn(name, screen, signal);
    try {
      return await work();
    } finally {
      this.#end(name, screen);
    }
  }

  #turn(name: string, screen: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(callerLeft());
    const user = this.#users.get(name) ?? newUser();
    this.#users.set(name, user);
    return new Promise((resolve, reject) => {
      const leave = (refusal: AppError) => {
        stop();
        this.#remove(name, entry);
        reject(refusal);
      };
      const gone = () => leave(callerLeft());
      const timer = setTimeout(() => leave(waitedTooLong()), this.#limits.patience);
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
      };
      const entry: Waiting = {
        screen,
        start: () => {
          stop();
          resolve();
        },
      };
      signal.addEventListener('abort', gone, { once: true });
      const slot = user.slots.get(screen);
      const waiting =
        user.waiting.length +
        [...user.slots.values()].reduce((sum, { next }) => sum + next.length, 0);
      const isFree =
        slot === undefined &&
        user.waiting.length === 0 &&
        user.slots.size < this.#limits.perUser &&
        this.#slots < this.#limits.inAll;
      if (!isFree && waiting >= this.#limits.maxWaiting) {
        leave(tooManyWait(this.#limits));
        return;
      }
      if (slot !== undefined && slot.taken < maxCallsOfSlot) {
        slot.taken += 1;
        slot.next.push(entry);
      } else {
        user.waiting.push(entry);
        this.#fill();
      }
    });
  }

  #end(name: string, screen: string): void {
    const user = this.#users.get(name);
    const slot = user?.slots.get(screen);
    if (user === undefined || slot === undefined)
      throw new Error('A search ended that held no slot');
    const next = slot.next.shift();
    if (next !== undefined) {
      next.start();
      return;
    }
    user.slots.delete(screen);
    this.#slots -= 1;
    this.#forgetIdle(name, user);
    this.#fill();
  }

  /** Gives free slots away, to one user after the other. */
  #fill(): void {
    while (this.#slots < this.#limits.inAll) {
      const able = [...this.#users.values()].filter(
        (one) => one.slots.size < this.#limits.perUser && this.#nextOf(one) !== undefined,
      );
      const [user] = able.toSorted((a, b) => a.lastTurn - b.lastTurn);
      const first = user === undefined ? undefined : this.#nextOf(user);
      if (user === undefined || first === undefined) return;
      this.#turns += 1;
      user.lastTurn = this.#turns;
      const joining = user.waiting
        .filter((entry) => entry !== first && entry.screen === first.screen)
        .slice(0, maxCallsOfSlot - 1);
      user.waiting = user.waiting.filter((entry) => entry !== first && !joining.includes(entry));
      user.slots.set(first.screen, { next: joining, taken: 1 + joining.length });
      this.#slots += 1;
      first.start();
    }
  }

  /** A screen has one slot: what waits for one that is taken waits for its end. */
  #nextOf(user: User): Waiting | undefined {
    return user.waiting.find(({ screen }) => !user.slots.has(screen));
  }

  #remove(name: string, entry: Waiting): void {
    const user = this.#users.get(name);
    if (user === undefined) return;
    user.waiting = user.waiting.filter((one) => one !== entry);
    for (const { next } of user.slots.values())
      if (next.includes(entry)) next.splice(next.indexOf(entry), 1);
    this.#forgetIdle(name, user);
  }

  #forgetIdle(name: string, user: User): void {
    if (user.slots.size === 0 && user.waiting.length === 0) this.#users.delete(name);
  }
}

export const callerLeft = () =>
  new AppError('caller_left', 'The connection was closed before the search finished.');

const tooManyWait = ({ maxWaiting }: GateLimits) =>
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

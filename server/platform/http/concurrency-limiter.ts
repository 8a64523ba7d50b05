/** Limits expensive work: a few tasks run at once, some wait, the rest are refused. */
import { AppError } from '../errors/app-error.ts';

export interface ConcurrencyLimits {
  readonly maxRunning: number;
  readonly maxWaiting: number;
  /** The message when too many tasks wait: 'Too many people sign in at once.' */
  readonly busy: string;
}

/** Returns a function that runs a task or throws an AppError `busy` when too many wait. */
export function createConcurrencyLimiter({
  maxRunning,
  maxWaiting,
  busy,
}: ConcurrencyLimits): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (waiting.length >= maxWaiting)
      throw new AppError('busy', `${busy} Try again in a moment.`, { retryAfterSeconds: 5 });
    if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // The next task takes over this slot.

      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

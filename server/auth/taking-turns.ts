/** For work that is heavy: a few at once, some that wait, and no more. */
import { Refusal } from '../http/refusal.ts';

export interface Turns {
  readonly mostAtOnce: number;
  readonly mostWaiting: number;
  /** What is told to whoever finds too many waiting: 'Too many people sign in at once.' */
  readonly busy: string;
}

/** What it answers refuses with 503 when too many wait. */
export function takingTurns({ mostAtOnce, mostWaiting, busy }: Turns): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (waiting.length >= mostWaiting) throw new Refusal(503, 'busy', `${busy} Try again in a moment.`, { 'retry-after': '5' });
    if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever is next takes over this place.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}

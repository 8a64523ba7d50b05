/** Times the same calls of several services in turn, so that each has the same share of what else the machine does. */
import { type Times, timedCalls, timesOf } from './measure.ts';

/** Of one service in all: one that is a thousand times slower must not end the run. */
const longestMs = 60_000;
/** Calls of each client before the next service has its turn. */
const turn = 5;

/**
 * `calls` of each service by so many clients; the n-th call is `services[i](n)` for each of them. A service that has taken its time is not asked
 * again. The times of a service are in its place.
 */
export async function measureInTurn(
  clients: number,
  calls: number,
  services: readonly ((n: number) => Promise<void>)[],
  longest = longestMs,
): Promise<readonly Times[]> {
  const taken = services.map((): number[] => []);
  const used = services.map(() => 0);
  for (let from = 0; from < calls; from += clients * turn) {
    const to = Math.min(calls, from + clients * turn);
    for (const [place, call] of services.entries()) {
      const left = longest - (used[place] ?? 0);
      if (left <= 0) continue;
      const since = performance.now();
      taken[place]?.push(...(await timedCalls(clients, { from, to, end: since + left }, call)));
      used[place] = (used[place] ?? 0) + performance.now() - since;
    }
  }
  return taken.map(timesOf);
}

/** How long to wait before the next attempt. */

const firstDelay = 1000;
const maxDelayMs = 30_000;
/** What a vendor may ask to wait within one run; asked for more, the run gives up instead. */
export const maxRequestedWaitMs = 60_000;

/** Exponential with full jitter, so that many servers that failed together do not come back together. */
export function backoffDelay(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(maxDelayMs, firstDelay * 2 ** attempt));
}

/** Retry-After, seconds or a date, as milliseconds from now; null when absent or unreadable. */
export function waitAskedBy(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  const wait = /^\s*\d+\s*$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - now;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

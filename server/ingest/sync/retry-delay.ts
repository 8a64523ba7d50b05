/** Delays before retries. */

const firstDelay = 1000;
const maxDelayMs = 30_000;
/** Maximum of the wait that a vendor may request. For a longer one, the document fails. */
export const maxRequestedWaitMs = 60_000;

/** Returns milliseconds of exponential backoff with full jitter, so that many clients do not retry at the same time. */
export function getBackoffDelay(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(maxDelayMs, firstDelay * 2 ** attempt));
}

/** Parses Retry-After, in seconds or as a date, to milliseconds from now; null when it is missing or invalid. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  const wait = /^\s*\d+\s*$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - now;
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

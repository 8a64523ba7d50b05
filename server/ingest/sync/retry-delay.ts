/** Delays before retries. */

const firstDelay = 1000;
const maxDelayMs = 30_000;
/** Maximum of the wait that a vendor may request. For a longer one, the document fails. */
export const maxRequestedWaitMs = 60_000;

/** Returns milliseconds of exponential backoff with full jitter, so that many clients do not retry at the same time. */
export function getBackoffDelay(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(maxDelayMs, firstDelay * 2 ** attempt));
}

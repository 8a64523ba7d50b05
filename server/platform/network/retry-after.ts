/** Reads the header Retry-After of replies. */

/** The three forms of a date in RFC 9110, 5.6.7. The last one has no zone and is in GMT. */
const httpDate = /^[A-Z][a-z]{2,8},? [\w :-]+$/;

/** Returns milliseconds from now, for seconds or a date; null when the header is missing or invalid. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | null {
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!httpDate.test(text)) return null;
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? null : Math.max(0, time - now);
}

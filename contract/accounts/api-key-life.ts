/** The allowed lifetime of API keys: console and server refuse the same values with the same texts. */

/** Maximum lifetime: a leap year. */
export const maxKeyLifeMs = 366 * 86_400_000;

export interface KeyLifeProblem {
  readonly code: 'expired_already' | 'expires_too_late';
  readonly words: string;
}

/** Returns the problem with an expiry, or null when it is allowed. Both times are epoch milliseconds. */
export function keyLifeProblem(expiresAt: number, now: number): KeyLifeProblem | null {
  if (expiresAt <= now)
    return { code: 'expired_already', words: 'The expiry is in the past. Choose a later time.' };
  if (expiresAt > now + maxKeyLifeMs)
    return {
      code: 'expires_too_late',
      words: 'A key is valid for at most one year. Choose an earlier time.',
    };
  return null;
}

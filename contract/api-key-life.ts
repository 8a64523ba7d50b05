/** How long an API key may be good: the console refuses what the server would, in the same words. */

/** Milliseconds that a key is good for at most: a leap year. */
export const maxKeyLifeMs = 366 * 86_400_000;

export interface KeyLifeProblem {
  readonly code: 'expired_already' | 'expires_too_late';
  readonly words: string;
}

/** What is wrong with the time a key expires at; null when a key may expire then. Both in epoch milliseconds. */
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

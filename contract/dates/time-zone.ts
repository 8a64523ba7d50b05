/** Validates names of time zones. */

/** Returns whether this machine knows the IANA name. */
export const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** Returns the zone, or UTC where this runtime no longer knows a stored one: a schedule goes on. */
export const knownTimeZone = (name: string): string => (isTimeZone(name) ? name : 'UTC');

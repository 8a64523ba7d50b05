/** Milliseconds since a moment of `performance.now`, for the log. */
export const msSince = (since: number): number => Math.round((performance.now() - since) * 10) / 10;

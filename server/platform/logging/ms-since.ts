/** Milliseconds since a moment of `performance.now`, for the log. */
export const msSince = (start: number): number => Math.round((performance.now() - start) * 10) / 10;

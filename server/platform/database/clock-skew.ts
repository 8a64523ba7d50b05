/** Maximum difference in milliseconds between clocks that share a database. A stored time further ahead means that the clock was set back. */
export const maxClockSkewMs = 5 * 60_000;

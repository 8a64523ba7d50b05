/** A stored time that lies further ahead than this is of a clock that was set back since: the clocks of processes that share a database differ by less. Milliseconds. */
export const maxClockSkewMs = 5 * 60_000;

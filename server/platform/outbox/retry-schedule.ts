/** When the outbox tries again. */

const minute = 60_000;

/** Delays between two attempts, a day in all. The attempt after the last delay is the last one. */
export const retryDelaysMs = [1, 5, 15, 60, 360, 480, 519].map((minutes) => minutes * minute);

/** The longest pause of a channel that a receiver can ask for. */
export const longestPauseMs = retryDelaysMs.reduce((sum, delay) => sum + delay, 0);

export const outboxTimes = {
  /** Something is due again after this time when its sender died. */
  leaseMs: 5 * minute,
  longestWaitMs: longestPauseMs,
};

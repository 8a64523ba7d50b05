/** Keys that seal segments. Who has the key of a period can compute those of all earlier ones. */
import { hash } from 'node:crypto';

export const periodMs = 4 * 3_600_000;
const firstTime = Date.UTC(2026, 0, 1);
/** Until the year 2040. */
export const lastPeriod = 32_767;
/** The family of lists that belong to none. */
export const noFamily = '-';

/** Returns the number of the period of a time in epoch milliseconds. */
export const periodAt = (time: number): number =>
  Math.min(Math.max(Math.floor((time - firstTime) / periodMs), 0), lastPeriod);

/** Returns the time at which a period ends, in epoch milliseconds. */
export const endOfPeriod = (period: number): number => firstTime + (period + 1) * periodMs;

/** Returns the period whose keys a client gets: it ends within 24 hours. */
export const handedPeriod = (now: number): number => periodAt(now + 5 * periodMs);

/** A key and the period that it is of. */
export interface PeriodKey {
  readonly period: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** Returns the key of a period, or null if it is later than the given one, or there is no such period. */
export function earlierKey({ period, key }: PeriodKey, wanted: number): Uint8Array | null {
  if (wanted > period || period > lastPeriod) return null;
  let found = key;
  for (let at = period; at > wanted; at -= 1) found = hash('sha256', found, 'buffer');
  return found;
}

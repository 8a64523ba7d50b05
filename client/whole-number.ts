/** Reads an option that is a whole number. */
import { ClientFailure } from './client-failure.ts';

/** Throws a ClientFailure that names the option and what it may be. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new ClientFailure('usage', `${option} must be a whole number from ${least} to ${most}.`);
  return number;
}

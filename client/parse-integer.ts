/** Parses a command-line option that is an integer. */
import { ClientFailure } from './client-failure.ts';

/** Throws a ClientFailure that names the option and the allowed values. */
export function parseInteger(option: string, text: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new ClientFailure('usage', `${option} must be a whole number from ${least} to ${most}.`);
  return number;
}

/** Rules for numbers, counts, hours and instants. */
import { type FormRule, whenGiven } from './form-rule.ts';

export const largestNumber = 2_100_000_000;

export const maxValue = (
  most: number = largestNumber,
): FormRule<number | string | null | undefined> =>
  whenGiven((value) => (Number(value) <= most ? null : `${value} must be ${most} or less`));

export const minValue = (
  least: number = -largestNumber,
): FormRule<number | string | null | undefined> =>
  whenGiven((value) => (Number(value) >= least ? null : `${value} must be ${least} or more`));

export const arrayMinLength =
  (least: number): FormRule<readonly unknown[] | null | undefined> =>
  (value, field) =>
    (value?.length ?? 0) >= least ? null : `${field} must have at least ${several(least)}`;

export const arrayMaxLength =
  (most: number): FormRule<readonly unknown[] | null | undefined> =>
  (value, field) =>
    (value?.length ?? 0) <= most ? null : `${field} may have at most ${several(most)}`;

const several = (count: number) => (count === 1 ? '1 entry' : `${count} entries`);

export const maxHour = (most: number): FormRule<number | null | undefined> =>
  whenGiven((value, field) => (value <= most ? null : `${field} must be ${hours(most)} or less`));

export const minHour = (least: number): FormRule<number | null | undefined> =>
  whenGiven((value, field) => (value >= least ? null : `${field} must be ${hours(least)} or more`));

const hours = (count: number) => (count === 1 ? '1 hour' : `${count} hours`);

/** Formats an instant (epoch milliseconds) in the reader's format and zone: DD/MM/YYYY hh:mm A. */
export type WriteInstant = (instant: number) => string;

export const minDate = (from: number, write: WriteInstant): FormRule<number | null | undefined> =>
  whenGiven((value) =>
    value > from ? null : `${write(value)} must be greater than ${write(from)}`,
  );

export const maxDate = (to: number, write: WriteInstant): FormRule<number | null | undefined> =>
  whenGiven((value) => (value < to ? null : `${write(value)} must be less than ${write(to)}`));

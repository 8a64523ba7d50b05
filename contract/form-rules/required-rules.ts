/** The rules that ask for a value at all, each for its sort of input. */
import type { FormRule } from './form-rule.ts';

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

export const required: FormRule<unknown> = (value, field) =>
  isEmpty(value) ? `${field} field is required` : null;

/** A number that must be chosen: 0 stands for none. */
export const nonzero: FormRule<number | string | null | undefined> = (value, field) =>
  isEmpty(value) || Number(value) === 0 ? `${field} is required` : null;

/** A date picker's cleared value is 0. */
export const dateRequired: FormRule<number | null | undefined> = (value, field) =>
  value ? null : `${field} is required`;

/** At least one choice; 'none' alone is no choice. */
export const requiredListWithNone: FormRule<readonly unknown[] | null | undefined> = (
  value,
  field,
) => ((value ?? []).some((choice) => !isNone(choice)) ? null : `${field} is required`);

/** A choice other than 'none'. */
export const noneValue: FormRule<unknown> = (value, field) =>
  isEmpty(value) || isNone(value) ? `${field} is required` : null;

const isNone = (value: unknown): boolean =>
  value === 0 || value === '0' || (typeof value === 'string' && value.toLowerCase() === 'none');

/** Rules that require a value, one for each sort of input. */
import type { FormRule } from './form-rule.ts';

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

export const required: FormRule<unknown> = (value, field) =>
  isEmpty(value) ? `${field} field is required` : null;

/** Requires a number, where 0 stands for no choice. */
export const nonzero: FormRule<number | string | null | undefined> = (value, field) =>
  isEmpty(value) || Number(value) === 0 ? `${field} is required` : null;

/** Requires a date; a cleared date picker has the value 0. */
export const dateRequired: FormRule<number | null | undefined> = (value, field) =>
  value ? null : `${field} is required`;

/** Requires at least one choice other than 'none'. */
export const requiredListWithNone: FormRule<readonly unknown[] | null | undefined> = (
  value,
  field,
) => ((value ?? []).some((choice) => !isNone(choice)) ? null : `${field} is required`);

/** Requires a choice other than 'none'. */
export const noneValue: FormRule<unknown> = (value, field) =>
  isEmpty(value) || isNone(value) ? `${field} is required` : null;

const isNone = (value: unknown): boolean =>
  value === 0 || value === '0' || (typeof value === 'string' && value.toLowerCase() === 'none');

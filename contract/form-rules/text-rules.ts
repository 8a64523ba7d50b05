/** Rules about words: their length and what they may be made of. Lengths are counted in characters, not in UTF-16 units. */
import { z } from 'zod';
import { type FormRule, whenGiven } from './form-rule.ts';

const lengthOf = (text: string): number => Array.from(text).length;
const asText = (value: unknown): string =>
  typeof value === 'number' ? String(value) : (value as string);

export const min = (length: number): FormRule<string | null | undefined> =>
  whenGiven((value, field) =>
    lengthOf(value) < length ? `${field} field must be at least ${length} characters` : null,
  );

export const max = (length: number): FormRule<string | null | undefined> =>
  whenGiven((value, field) =>
    lengthOf(value) > length ? `${field} field may not be greater than ${length} characters` : null,
  );

export const email: FormRule<string | null | undefined> = whenGiven((value, field) =>
  isEmail(value) ? null : `${field} field must be a valid email`,
);

/** An address may be that long in mail itself (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254;
export const isEmail = (value: string): boolean =>
  value.length <= maxAddressLength && z.email().safeParse(value).success;

export const numeric: FormRule<string | number | null | undefined> = whenGiven((value, field) =>
  /^\d+$/.test(asText(value)) ? null : `${field} field may only contain numeric characters`,
);

/** `other` is read when the rule is asked, so that a form hands on what the other field holds then. */
export const confirmed =
  (other: () => string): FormRule<string> =>
  (value, field) =>
    value === other() ? null : `${field} confirmation does not match`;

const atMost = (length: number): FormRule<string | null | undefined> =>
  whenGiven((value, field) =>
    lengthOf(value) > length ? `Size of ${field} must be less than ${length}.` : null,
  );

export const shortText = atMost(100);
export const subject = atMost(255);
export const description = atMost(4000);

/** Letters and digits only. */
export const stringWithoutSpace: FormRule<string | null | undefined> = whenGiven((value, field) =>
  /^[\p{L}\p{N}]+$/u.test(value) ? null : `${field} may not be contain spaces`,
);

export const contactNumber: FormRule<string | null | undefined> = whenGiven((value, field) =>
  /^\+?[\d\s()-]{1,20}$/.test(value) ? null : `${field} must be valid`,
);

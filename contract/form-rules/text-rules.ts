/** Rules for the length and content of texts. Lengths are counted in characters, not in UTF-16 units. */
import { z } from 'zod';
import { type FormRule, whenGiven } from './form-rule.ts';

const countCharacters = (text: string): number => Array.from(text).length;
const asText = (value: unknown): string =>
  typeof value === 'number' ? String(value) : (value as string);

export const min = (length: number): FormRule<string | null | undefined> =>
  whenGiven((value, field) =>
    countCharacters(value) < length ? `${field} field must be at least ${length} characters` : null,
  );

export const max = (length: number): FormRule<string | null | undefined> =>
  whenGiven((value, field) =>
    countCharacters(value) > length
      ? `${field} field may not be greater than ${length} characters`
      : null,
  );

export const email: FormRule<string | null | undefined> = whenGiven((value, field) =>
  isEmail(value) ? null : `${field} field must be a valid email`,
);

/** Limit of an email address (RFC 5321, 4.5.3.1.3). */
const maxAddressLength = 254;
export const isEmail = (value: string): boolean =>
  value.length <= maxAddressLength && z.email().safeParse(value).success;

export const numeric: FormRule<string | number | null | undefined> = whenGiven((value, field) =>
  /^\d+$/.test(asText(value)) ? null : `${field} field may only contain numeric characters`,
);

/** `other` is called during the check, so that it returns the other field's current value. */
export const confirmed =
  (other: () => string): FormRule<string> =>
  (value, field) =>
    value === other() ? null : `${field} confirmation does not match`;

const atMost = (length: number): FormRule<string | null | undefined> =>
  whenGiven((value, field) =>
    countCharacters(value) > length ? `Size of ${field} must be less than ${length}.` : null,
  );

export const shortText = atMost(100);
export const subject = atMost(255);
export const description = atMost(4000);

/** Only letters and digits. */
export const stringWithoutSpace: FormRule<string | null | undefined> = whenGiven((value, field) =>
  /^[\p{L}\p{N}]+$/u.test(value) ? null : `${field} may not be contain spaces`,
);

export const contactNumber: FormRule<string | null | undefined> = whenGiven((value, field) =>
  /^\+?[\d\s()-]{1,20}$/.test(value) ? null : `${field} must be valid`,
);

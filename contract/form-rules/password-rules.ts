/**
 * The requirements of the password policy as single rules: the server checks them, and the form ticks them while the person
 * types.
 */
import { z } from 'zod';

export const PasswordPolicy = z.object({
  minLength: z.number().int(),
  enableSpecialChar: z.boolean(),
  enableAlphabetAndNumber: z.boolean(),
  enableMixCase: z.boolean(),
});
export type PasswordPolicy = z.infer<typeof PasswordPolicy>;

export interface PasswordRule {
  readonly key: 'min_length' | 'special_char' | 'alphabet_and_number' | 'mix_case';
  /** Label beside its tick: 'At least 8 characters'. */
  readonly label: string;
  holds(password: string): boolean;
}

export const defaultPasswordPolicy: PasswordPolicy = {
  minLength: 8,
  enableSpecialChar: true,
  enableAlphabetAndNumber: true,
  enableMixCase: true,
};

export const specialCharacters = '~!@#$%^&*_-';

/** Returns the rules of a policy in display order. */
export function passwordRules(policy: PasswordPolicy): readonly PasswordRule[] {
  const rules: PasswordRule[] = [
    {
      key: 'min_length',
      label: `At least ${policy.minLength} characters`,
      holds: (password) => Array.from(password).length >= policy.minLength,
    },
  ];
  if (policy.enableSpecialChar)
    rules.push({
      key: 'special_char',
      label: `A special character (${specialCharacters})`,
      holds: (password) =>
        Array.from(specialCharacters).some((character) => password.includes(character)),
    });
  if (policy.enableAlphabetAndNumber)
    rules.push({
      key: 'alphabet_and_number',
      label: 'Letters and digits',
      holds: (password) => /\p{L}/u.test(password) && /\d/.test(password),
    });
  if (policy.enableMixCase)
    rules.push({
      key: 'mix_case',
      label: 'Lower and upper case',
      holds: (password) => /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password),
    });
  return rules;
}

/** Returns the rules that a password breaks; empty for a valid one. */
export function brokenPasswordRules(
  policy: PasswordPolicy,
  password: string,
): readonly PasswordRule[] {
  return passwordRules(policy).filter((rule) => !rule.holds(password));
}

/** The specification's validation rules with its messages, as far as forms use them. The standard messages come without their leading 'The'. */
import { brokenPasswordRules } from '@patch/contract/password-rules.ts';
import type { PasswordPolicy } from '@patch/contract/sign-in-calls.ts';

/** Answers what is wrong with the value, or null. */
export type Rule = (value: string) => string | null;

export const formInvalid = 'Form fields contain one or more errors, Please correct errors and try again.';

export const required =
  (field: string): Rule =>
  (value) =>
    value === '' ? `${field} field is required` : null;

export const confirmed =
  (field: string, other: string): Rule =>
  (value) =>
    value === other ? null : `${field} confirmation does not match`;

/** The message names the field: the value is a password and is never shown. */
export const goodPassword =
  (field: string, policy: PasswordPolicy): Rule =>
  (value) =>
    brokenPasswordRules(policy, value).length === 0 ? null : `${field} doesn't match the required criterias.`;

/** A rule as antd's form asks it; an empty value is the required rule's business alone. */
export function asFormRule(rule: Rule, ofEmpty = false) {
  return {
    validator: async (_: unknown, value: string | undefined) => {
      const entered = value ?? '';
      const wrong = entered === '' && !ofEmpty ? null : rule(entered);
      if (wrong !== null) throw new Error(wrong);
    },
  };
}

export const requiredRule = (field: string) => asFormRule(required(field), true);

/** The rule for a new password: all requirements of the policy. */

import { type FormRule, whenGiven } from './form-rule.ts';
import type { PasswordPolicy } from './password-rules.ts';
import { brokenPasswordRules } from './password-rules.ts';

/** The message names the field where the specification shows the value, because a password must never be shown. */
export const password = (policy: PasswordPolicy): FormRule<string | null | undefined> =>
  whenGiven((value, field) =>
    brokenPasswordRules(policy, value).length === 0
      ? null
      : `${field} doesn't match the required criterias.`,
  );

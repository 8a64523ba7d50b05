/** Form rules and their evaluation, shared by the console's forms and the server's calls. */

/** Returns a sentence about the value's problem, or null. `field` is the label in the form. */
export type FormRule<Value> = (value: Value, field: string) => string | null;

/** Returns the problem of the first broken rule; null when all hold. */
export function brokenRule<Value>(
  value: Value,
  field: string,
  rules: readonly FormRule<Value>[],
): string | null {
  for (const rule of rules) {
    const wrong = rule(value, field);
    if (wrong !== null) return wrong;
  }
  return null;
}

export const formInvalidTitle = 'Error';
export const formInvalid =
  'Form fields contain one or more errors, Please correct errors and try again.';

/** Skips the rule for an empty value, which only the required rules check. */
export function whenGiven<Value>(rule: FormRule<Value>): FormRule<Value | null | undefined | ''> {
  return (value, field) =>
    value === null || value === undefined || value === '' ? null : rule(value as Value, field);
}

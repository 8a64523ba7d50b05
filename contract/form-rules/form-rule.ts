/** What a rule is, and how a form holds a value against several: the console's forms and the server's calls use the same ones. */

/** Answers what is wrong with the value of the field, in a sentence for a person, or null. `field` is the label as the form shows it. */
export type FormRule<Value> = (value: Value, field: string) => string | null;

/** What the first broken rule says; null when all hold. */
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

/** An empty value is the business of the required rules alone: every other rule lets it pass. */
export function whenGiven<Value>(rule: FormRule<Value>): FormRule<Value | null | undefined | ''> {
  return (value, field) =>
    value === null || value === undefined || value === '' ? null : rule(value as Value, field);
}

/** What is typed into the sign-in form, held to the contract's rules: when a field is left, and while it is mended. */
import { brokenRule } from '@patch/contract/form-rules/form-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { type ChangeEvent, type FocusEvent, useRef, useState } from 'react';

/** As the rules' sentences call them, in the order of the form. */
const called = { username: 'User name', password: 'Password' } as const;
type Field = keyof typeof called;
type Entered = Readonly<Record<Field, string>>;

const fields = Object.keys(called) as readonly Field[];
const broken = (field: Field, value: string) => brokenRule(value, called[field], [required]);

export type SignInFields = ReturnType<typeof useSignInFields>;

export function useSignInFields() {
  const sent = useRef<Entered>({ username: '', password: '' });
  const [wrong, setWrong] = useState<Readonly<Partial<Record<Field, string | undefined>>>>({});

  function ask({ name, value }: HTMLInputElement): void {
    const field = fields.find((one) => one === name);
    if (field === undefined) return;
    const words = broken(field, value);
    setWrong((before) => ({ ...before, [field]: words ?? undefined }));
  }

  return {
    /** What is wrong with each field that breaks a rule. */
    wrong,
    /** What was sent last, for when the form is shown again. */
    sent: (field: Field): string => sent.current[field],
    /** For the form, which hears of each of its inputs. */
    listeners: {
      onBlur({ target }: FocusEvent<HTMLFormElement>): void {
        if (target instanceof HTMLInputElement) ask(target);
      },
      onChange({ target }: ChangeEvent<HTMLFormElement>): void {
        if (target instanceof HTMLInputElement && wrong[target.name as Field] !== undefined)
          ask(target);
      },
    },
    /** Of the inputs themselves: a browser may fill them in before anybody listens. Null when a rule is broken: the first such field has the focus then. */
    read(form: HTMLFormElement): Entered | null {
      const data = new FormData(form);
      const text = (field: Field) => String(data.get(field) ?? '');
      sent.current = { username: text('username'), password: text('password') };
      const errors = fields
        .map((field) => [field, broken(field, text(field))] as const)
        .filter(([, words]) => words !== null);
      setWrong(Object.fromEntries(errors));
      const [first] = errors;
      if (first === undefined) return sent.current;
      const input = form.elements.namedItem(first[0]);
      if (input instanceof HTMLInputElement) input.focus();
      return null;
    },
  };
}

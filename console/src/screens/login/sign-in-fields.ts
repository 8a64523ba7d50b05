/** The fields of the sign-in form with their rules. A field is validated when left, and while it shows an error. */
import { brokenRule } from '@patch/contract/form-rules/form-rule.ts';
import { required } from '@patch/contract/form-rules/required-rules.ts';
import { type ChangeEvent, type FocusEvent, useRef, useState } from 'react';

/** Field names in error messages, in the order of the form. */
const fieldLabels = { username: 'User name', password: 'Password' } as const;
type Field = keyof typeof fieldLabels;
type SignInInput = Readonly<Record<Field, string>>;

const fields = Object.keys(fieldLabels) as readonly Field[];
const validate = (field: Field, value: string) => brokenRule(value, fieldLabels[field], [required]);

export type SignInFields = ReturnType<typeof useSignInFields>;

export function useSignInFields() {
  const lastSent = useRef<SignInInput>({ username: '', password: '' });
  const [errors, setErrors] = useState<Readonly<Partial<Record<Field, string | undefined>>>>({});

  function validateInput({ name, value }: HTMLInputElement): void {
    const field = fields.find((candidate) => candidate === name);
    if (field === undefined) return;
    const message = validate(field, value);
    setErrors((before) => ({ ...before, [field]: message ?? undefined }));
  }

  return {
    /** Error messages by field. */
    errors,
    /** Returns the last sent value, for when the form is shown again. */
    sent: (field: Field): string => lastSent.current[field],
    /** Listeners for the form, to which events of its inputs bubble. */
    listeners: {
      onBlur({ target }: FocusEvent<HTMLFormElement>): void {
        if (target instanceof HTMLInputElement) validateInput(target);
      },
      onChange({ target }: ChangeEvent<HTMLFormElement>): void {
        if (target instanceof HTMLInputElement && errors[target.name as Field] !== undefined)
          validateInput(target);
      },
    },
    /**
     * Reads the inputs themselves, because a browser may fill them in before listeners exist. Returns null and
     * focuses the first invalid field when a rule is broken.
     */
    read(form: HTMLFormElement): SignInInput | null {
      const data = new FormData(form);
      const text = (field: Field) => String(data.get(field) ?? '');
      lastSent.current = { username: text('username'), password: text('password') };
      const broken = fields
        .map((field) => [field, validate(field, text(field))] as const)
        .filter(([, message]) => message !== null);
      setErrors(Object.fromEntries(broken));
      const [first] = broken;
      if (first === undefined) return lastSent.current;
      const input = form.elements.namedItem(first[0]);
      if (input instanceof HTMLInputElement) input.focus();
      return null;
    },
  };
}

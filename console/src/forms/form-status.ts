/** The state of a form, shared with its parts: invalid fields, unsaved changes and submission. */
import { createContext } from 'react';

/** A field that the server refused, with the refused value. */
export interface RefusedField {
  readonly name: string;
  readonly value: unknown;
}

export interface FormStatus {
  /** Names of the fields that show an error. */
  readonly invalid: ReadonlySet<string>;
  /** The last refusal, or undefined without one. */
  readonly refused: RefusedField | undefined;
  /** Whether the values differ from the last saved ones. */
  readonly dirty: boolean;
  readonly busy: boolean;
}

export const FormStatus = createContext<FormStatus>({
  invalid: new Set(),
  refused: undefined,
  dirty: false,
  busy: false,
});

/** What the parts of a form know of the whole: which fields are wrong, whether anything was changed, whether it is being sent. */
import { createContext } from 'react';

/** A field whose value the server did not take, with that value. */
export interface Refused {
  readonly name: string;
  readonly value: unknown;
}

export interface FormStanding {
  /** Names of the fields that show an error now. */
  readonly wrong: ReadonlySet<string>;
  /** The last one; undefined when there was none. */
  readonly refused: Refused | undefined;
  /** Something differs from what was last saved. */
  readonly dirty: boolean;
  readonly busy: boolean;
}

export const FormStanding = createContext<FormStanding>({
  wrong: new Set(),
  refused: undefined,
  dirty: false,
  busy: false,
});

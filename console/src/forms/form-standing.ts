/** What the parts of a form know of the whole: which fields are wrong, whether anything was changed, whether it is being sent. */
import { createContext } from 'react';

export interface FormStanding {
  /** Names of the fields that show an error now. */
  readonly wrong: ReadonlySet<string>;
  /** Something differs from what was last saved. */
  readonly dirty: boolean;
  readonly busy: boolean;
}

export const FormStanding = createContext<FormStanding>({ wrong: new Set(), dirty: false, busy: false });

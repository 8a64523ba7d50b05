/** What an erratum of an RPM distribution suggests to do once it is installed, of the whole or of a package. */
import { fold } from '../definition/fold.ts';

/** Null where the vendor does not say. */
export interface Suggestions {
  readonly rebootSuggested: boolean | null;
  /** To start again what is running: the package manager itself in openSUSE, the updated application elsewhere. */
  readonly restartSuggested: boolean | null;
  /** To log in again. */
  readonly reloginSuggested: boolean | null;
}

/** What they are called in updateinfo.xml, and in what is made like it. */
export type SuggestionName = 'reboot_suggested' | 'restart_suggested' | 'relogin_suggested';

/** `valueOf` answers what the vendor wrote under a name; undefined or null where it wrote nothing. */
export function suggestionsOf(valueOf: (name: SuggestionName) => unknown): Suggestions {
  return {
    rebootSuggested: suggests(valueOf('reboot_suggested')),
    restartSuggested: suggests(valueOf('restart_suggested')),
    reloginSuggested: suggests(valueOf('relogin_suggested')),
  };
}

/** One package that needs it is enough. */
export function anySuggestions(said: readonly Suggestions[]): Suggestions {
  const any = (name: keyof Suggestions) => {
    if (said.some((one) => one[name] === true)) return true;
    return said.some((one) => one[name] === false) ? false : null;
  };
  return {
    rebootSuggested: any('rebootSuggested'),
    restartSuggested: any('restartSuggested'),
    reloginSuggested: any('reloginSuggested'),
  };
}

/** For a vendor that suggests nothing anywhere. */
export const noSuggestions: Suggestions = {
  rebootSuggested: null,
  restartSuggested: null,
  reloginSuggested: null,
};

/** An empty element, 1 and True all mean yes; only 0 and false mean no; null is not said. */
export function suggests(value: unknown): boolean | null {
  if (value === null || value === undefined) return null;
  return !meaningNo.includes(typeof value === 'string' ? fold(value).trim() : value);
}

const meaningNo: readonly unknown[] = [0, false, '0', 'false', 'no'];

/** Steps that an erratum of an RPM distribution suggests after installation, for the erratum or for a package. */
import { fold } from '../definition/fold.ts';

/** Each is null when the vendor does not state it. */
export interface Suggestions {
  readonly rebootSuggested: boolean | null;
  /** Restart what is running: the package manager itself in openSUSE, the updated application elsewhere. */
  readonly restartSuggested: boolean | null;
  /** Log in again. */
  readonly reloginSuggested: boolean | null;
}

/** Their names in updateinfo.xml and in formats derived from it. */
export type SuggestionName = 'reboot_suggested' | 'restart_suggested' | 'relogin_suggested';

/** @param getValue returns the vendor's value of a name; undefined or null if none exists. */
export function readSuggestions(getValue: (name: SuggestionName) => unknown): Suggestions {
  return {
    rebootSuggested: suggests(getValue('reboot_suggested')),
    restartSuggested: suggests(getValue('restart_suggested')),
    reloginSuggested: suggests(getValue('relogin_suggested')),
  };
}

/** Combines suggestions: one package that needs a step is enough. */
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

/** The suggestions of a vendor that never makes any. */
export const noSuggestions: Suggestions = {
  rebootSuggested: null,
  restartSuggested: null,
  reloginSuggested: null,
};

/** Interprets a value: an empty element, 1 and True mean yes, only 0 and false mean no, and null means not stated. */
export function suggests(value: unknown): boolean | null {
  if (value === null || value === undefined) return null;
  return !meaningNo.includes(typeof value === 'string' ? fold(value).trim() : value);
}

const meaningNo: readonly unknown[] = [0, false, '0', 'false', 'no'];

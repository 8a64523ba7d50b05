/** Quotes words for commands that a root shell will run: each must match a fixed form, and is quoted nevertheless. */

/**
 * Matches names and versions of packages, and names of advisories, of every vendor. Excludes every character that is special to a
 * shell or a package manager.
 */
const wordForm = /^[A-Za-z0-9][A-Za-z0-9._+~^:=-]{0,199}$/;

/** Quotes a word for a POSIX shell; returns null for an invalid name, which is shown but never run. */
export function posixWord(text: string): string | null {
  if (!wordForm.test(text)) return null;
  return /^[A-Za-z0-9._+:=-]+$/.test(text) ? text : `'${text}'`;
}

/** Quotes a word for PowerShell, where single quotes would have to be doubled; valid names contain none. */
export function powershellWord(text: string): string | null {
  return wordForm.test(text) ? `'${text}'` : null;
}

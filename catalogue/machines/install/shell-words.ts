/** Words of commands that a root shell will run: of a fixed form first, and quoted all the same. */

/** Names and versions of packages, and names of advisories, of every vendor; nothing that a shell or a package manager gives a meaning to. */
const wordForm = /^[A-Za-z0-9][A-Za-z0-9._+~^:=-]{0,199}$/;

/** For a POSIX shell; null for a text that can be no name: it is shown, never run. */
export function posixWord(text: string): string | null {
  if (!wordForm.test(text)) return null;
  return /^[A-Za-z0-9._+:=-]+$/.test(text) ? text : `'${text}'`;
}

/** For PowerShell, where a single quote inside of quotes would be doubled; no name has one. */
export function powershellWord(text: string): string | null {
  return wordForm.test(text) ? `'${text}'` : null;
}

/** Installed packages as `apt list --installed` prints them. */
import { isDebArchitecture } from './architectures.ts';
import { debPackage } from './dpkg-lines.ts';
import type { LineReader } from './line-reader.ts';

const row =
  /^([a-z0-9][a-z0-9+.-]{1,200})\/(\S{1,300}) (\S{1,200}) (\S{1,20})(?: \[(.{1,300})\])?$/;

/**
 * The suite `now` says that a package is installed; the words in brackets are of the shell's language. A line without it is of
 * `apt list --upgradable`, where the brackets end with the installed version.
 */
export const readAptList: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const text = line?.text ?? '';
  if (line === undefined) return 0;
  if (/^(?:Listing|WARNING: apt does not have|N: There )/.test(text)) {
    draft.understood('apt list');
    return 1;
  }
  const [, name, suites, version, architecture, state] = row.exec(text) ?? [];
  if (name === undefined || suites === undefined || version === undefined) return 0;
  if (architecture === undefined || !isDebArchitecture(architecture)) return 0;
  const installed = suites.split(',').includes('now') ? version : /: (\S+)$/.exec(state ?? '')?.[1];
  draft.understood('apt list');
  if (installed === undefined) return 1;
  const found = debPackage(name, installed, architecture, null, true);
  if (state?.includes('residual') === true) draft.addRemoved(found);
  else draft.addPackage(found);
  return 1;
};

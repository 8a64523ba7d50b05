/** Reads installed packages as dpkg prints them: `dpkg -l`, and `dpkg-query -W` by default or with a custom format. */
import type { InstalledPackage } from '../machine.ts';
import { isDebArchitecture } from './architectures.ts';
import { inventoryFields } from './inventory-fields.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';
import type { MachineDraft } from './machine-draft.ts';

const maxFieldsLength = 1024;

/** https://www.debian.org/doc/debian-policy/ch-controlfields.html */
const nameForm = /^[a-z0-9][a-z0-9+.-]+$/;
const versionForm = /^(?:\d{1,9}:)?\d[A-Za-z0-9.+~:-]*$/;
/** Desired state, state and error flag. */
const statusForm = /^[uihrp][ncHUFWti]R?$/;

/** `install ok installed`, printed by `${Status}`; it is converted to the abbreviation of the other formats. */
const longStatus =
  /\b(unknown|install|hold|deinstall|purge) (?:ok|reinstreq) (installed|config-files|not-installed|half-installed|half-configured|unpacked|triggers-awaited|triggers-pending)\b/;

/** Returns whether a field is a state. A package can have the name of one (ii, rc), which its version follows. */
function isState(field: string, index: number, fields: readonly string[]): boolean {
  if (!statusForm.test(field)) return false;
  if (index > 0) return true;
  const [, second = '', third = ''] = fields;
  return fields.length > 2 && (!versionForm.test(second) || versionForm.test(third));
}

/** Returns whether a line that could be of rpm has a state, which only dpkg prints. */
export const hasDpkgState = (text: string, fields: readonly string[]): boolean =>
  longStatus.test(text) || fields.some(isState);

/** A package that only other packages mention: `un  mail-reader  <none>  <none>  (no description available)`. */
const neverInstalled =
  /^(?:[uihrp]n[R ]? {0,2}[a-z0-9][a-z0-9+.:-]{1,200}\s+<\S+>.*|[uhp]n[ \t|,;]+[a-z][a-z0-9+.:-]{1,200}|[a-z0-9][a-z0-9+.:-]{1,200}\s+[uhp]n(?:\s+[a-z][a-z0-9+.-]*)?)$/;

export const readDpkgLine: LineReader = (lines, at, draft) => {
  const line = lines[at];
  if (line === undefined || line.text.length > maxFieldsLength) return 0;
  if (headingPart.test(line.text) || neverInstalled.test(line.text)) {
    draft.countUnderstood('dpkg -l');
    return 1;
  }
  if (readDpkgList(line, draft) || readDpkgQuery(line, draft)) return 1;
  const heading = headingLines(lines, at);
  if (heading > 0) draft.countUnderstood('dpkg -l', heading);
  return heading;
};

const headingPart = /^(?:Desired=|\| Status=|\|\/ |\|\|\/ |\+\+\+-)/;

/** Limit of legend lines; Vietnamese has five above the column names. */
const maxLegendLines = 6;

/** Counts the lines of the legend of states, in any language: choices separated by slashes above the column names. */
function headingLines(lines: readonly InventoryLine[], at: number): number {
  const columns = lines
    .slice(at, at + maxLegendLines + 1)
    .findIndex(({ text }) => text.startsWith('||/ '));
  if (columns < 1 || lines[at + columns + 1]?.text.startsWith('+++-') !== true) return 0;
  const legend = lines.slice(at, at + columns);
  const isLegend = legend.every(({ text }) => /^(?:\d\. )?[^\d]{1,200}$/.test(text));
  return isLegend && legend.some(({ text }) => /=.*\/.*\//.test(text)) ? columns : 0;
}

/** Reads a row of `dpkg -l`, whose description can contain anything. Versions of dpkg before 1.16.2 print no architecture. */
function readDpkgList({ text }: InventoryLine, draft: MachineDraft): boolean {
  const [, status, fullName, version, word, rest] =
    /^([uihrp][ncHUFWti][R ]) {1,2}(\S+) +(\S+) +(\S+)(?: +(.*))?$/.exec(text) ?? [];
  if (status === undefined || fullName === undefined || version === undefined) return false;
  if (text.includes('\t') || !versionForm.test(version)) return false;
  // A row without a description is a dpkg-query line that begins with the state; its further fields are the source.
  if (rest === undefined || versionForm.test(rest)) return false;
  const { name, architecture } = splitQualifiedName(fullName);
  if (!nameForm.test(name)) return false;
  const found = debPackage(name, version, architecture ?? toArchitecture(word), null, true);
  draft.countUnderstood('dpkg -l');
  const cut = isCut({ text, fullName, version, hasArchitecture: architecture !== null });
  addFound(cut ? { ...found, cut } : found, status.trim(), draft);
  return true;
}

/** Width on a screen of 120 columns. Elsewhere columns are as wide as the longest name. */
const maxWidthBefore119 = 24;

/**
 * Returns whether the screen cut the name or the version. On a screen dpkg makes both columns equally wide, at least 14 letters;
 * before 1.19 the version column has two letters less. A name that ends with its architecture is complete.
 */
function isCut({
  text,
  fullName,
  version,
  hasArchitecture,
}: {
  readonly text: string;
  readonly fullName: string;
  readonly version: string;
  readonly hasArchitecture: boolean;
}): boolean {
  const nameAt = text.indexOf(fullName, 3);
  const versionAt = text.indexOf(version, nameAt + fullName.length);
  const next = versionAt + version.length + text.slice(versionAt + version.length).search(/\S/);
  const width = versionAt - nameAt - 1;
  const versionWidth = next - versionAt - 1;
  const isBefore119 = versionWidth === width - 2 && width <= maxWidthBefore119;
  if (width < 14 || (versionWidth !== width && !isBefore119)) return false;
  return version.length === versionWidth || (fullName.length === width && !hasArchitecture);
}

const toArchitecture = (word: string | undefined) =>
  word !== undefined && isDebArchitecture(word) ? word : null;

/**
 * Reads a line with name and version in this order; state, architecture, source and its version are optional and may stand
 * anywhere.
 */
function readDpkgQuery(line: InventoryLine, draft: MachineDraft): boolean {
  const written = line.text.replace(
    longStatus,
    (_, wanted: string, state: string) =>
      `${wanted === 'deinstall' ? 'r' : wanted[0]}${stateLetters[state] ?? 'U'}`,
  );
  const parts = splitFields(inventoryFields(written));
  if (parts === null) return false;
  const { name, architecture } = splitQualifiedName(parts.fullName);
  if (!nameForm.test(name) || !versionForm.test(parts.version)) return false;
  const bare = parts.status === null && parts.architecture === null && !line.text.includes('\t');
  if (bare && parts.rest.length > 0) return false;
  if (bare) {
    draft.addUndecided({ line, name, version: parts.version, architecture });
    return true;
  }
  const source = readSource(parts.rest);
  if (source === 'no source') return false;
  draft.countUnderstood('dpkg-query');
  const found = debPackage(
    name,
    parts.version,
    architecture ?? parts.architecture,
    source,
    parts.status !== null,
  );
  addFound(found, parts.status ?? 'ii', draft);
  return true;
}

const stateLetters: Readonly<Record<string, string>> = {
  installed: 'i',
  'config-files': 'c',
  'not-installed': 'n',
  'half-installed': 'H',
  'half-configured': 'F',
  unpacked: 'U',
  'triggers-awaited': 'W',
  'triggers-pending': 't',
};

/**
 * Splits the fields. A package can have the name of a state (ii) or of an architecture, so the first of two fields is always a
 * name.
 */
function splitFields(fields: readonly string[]) {
  const statusAt = fields.findIndex(isState);
  const status = fields[statusAt] ?? null;
  const others = fields.filter((_, index) => index !== statusAt || status === null);
  const architectureAt = others.findIndex((field, index) => index > 0 && isDebArchitecture(field));
  const architecture = others[architectureAt] ?? null;
  const [fullName, version, ...rest] = others.filter(
    (_, index) => index !== architectureAt || architecture === null,
  );
  if (fullName === undefined || version === undefined) return null;
  return { status, fullName, version, architecture, rest };
}

/** Parses the source: `lvm2`, `lvm2 2.03.11-2.1` or `lvm2 (2:1.02.175-2.1)`; empty fields mean that it has the binary's name. */
function readSource(rest: readonly string[]): InstalledPackage['source'] | 'no source' {
  const [name = '', version = ''] = rest
    .flatMap((field) => field.split(' '))
    .filter((field) => field !== '')
    .map((field) => field.replace(/^\((.*)\)$/, '$1'));
  if (name === '') return null;
  if (!nameForm.test(name) || (version !== '' && !versionForm.test(version))) return 'no source';
  return { name, version: version === '' ? null : version };
}

/** Splits a qualified name: `libc6:amd64`. */
function splitQualifiedName(fullName: string): {
  readonly name: string;
  readonly architecture: string | null;
} {
  const colon = fullName.lastIndexOf(':');
  const architecture = colon === -1 ? null : toArchitecture(fullName.slice(colon + 1));
  return architecture === null
    ? { name: fullName, architecture: null }
    : { name: fullName.slice(0, colon), architecture };
}

export function debPackage(
  name: string,
  version: string,
  architecture: string | null,
  source: InstalledPackage['source'],
  stateKnown: boolean,
): InstalledPackage {
  return {
    format: 'deb',
    name,
    version,
    epoch: null,
    architecture,
    module: { kind: 'none' },
    source,
    stateKnown,
  };
}

/** Adds the package, as removed when it is not installed or only its configuration remains: such a package needs no fix. */
function addFound(found: InstalledPackage, status: string, draft: MachineDraft): void {
  if ('nc'.includes(status[1] ?? '')) draft.addRemoved(found);
  else draft.addPackage(found);
}

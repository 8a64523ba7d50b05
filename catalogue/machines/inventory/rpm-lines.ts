/** Reads installed packages as rpm prints them: by default, or with a query format of names, epochs, versions and architectures. */
import { parseRpmFileName } from '../../schemas/rpm-file-name.ts';
import type { InstalledModule, InstalledPackage } from '../machine.ts';
import {
  isPartOfRpmArchitecture,
  isRpmArchitecture,
  isSharedArchitecture,
} from './architectures.ts';
import { hasDpkgState } from './dpkg-lines.ts';
import { inventoryFields } from './inventory-fields.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';
import type { MachineDraft } from './machine-draft.ts';

/** Far longer than any package; bounds the input of the patterns. */
const maxPackageLength = 512;

/** Source packages, and the keys that verify packages, are not installed software. */
const isNotSoftware = ({ name, architecture }: InstalledPackage) =>
  name === 'gpg-pubkey' || architecture === 'src' || architecture === 'nosrc';

export const readRpmLine: LineReader = (lines, at, draft) => {
  const text = lines[at]?.text ?? '';
  if (text.length > maxPackageLength) return 0;
  if (/^["']?(?:(?:\(none\)|\d{1,9}):)?gpg-pubkey\b/.test(text)) {
    draft.countUnderstood('rpm');
    return 1;
  }
  const fields = inventoryFields(text);
  const shared = fields.findIndex((field, index) => index > 1 && isSharedArchitecture(field));
  if (shared > 1 && !showsRpm(fields, shared, draft)) {
    if (draft.isDeb || hasDpkgState(text, fields)) return 0;
    if (shared === 2) return addUndecided(lines[at] as InventoryLine, fields, draft);
  }
  if (isOfUnclearOrder(fields)) {
    draft.addUnreadable(
      lines[at] as InventoryLine,
      'The epoch can be the second column or the fourth; print %{NEVRA}',
    );
    return 1;
  }
  const found =
    rpmPackage(fields) ??
    parseWithInstallDate(text) ??
    (draft.isRpm ? parseWithoutArchitecture(text) : null);
  if (found === null) return 0;
  draft.countUnderstood('rpm');
  if (isNotSoftware(found)) return 1;
  draft.addPackage(found);
  noteEpochs(text, found, draft);
  return 1;
};

/** Returns whether a line with an architecture that dpkg has too can only be of rpm. */
const showsRpm = (fields: readonly string[], at: number, draft: MachineDraft): boolean =>
  fields.some((field) => field.includes('(none)') || distributionTag.test(field)) ||
  /^[\w.+-]+:[\w.+-]+:/.test(fields[at + 1] ?? '') ||
  (draft.isRpm && !draft.isDeb);

/** Leaves name, version and architecture to the distribution. Further columns are of dpkg. */
function addUndecided(
  line: InventoryLine,
  [name = '', version = '', architecture = '', ...more]: readonly string[],
  draft: MachineDraft,
): number {
  if (!nameForm.test(name) || !/^(?:\d{1,9}:)?[\w.+~^]+-[\w.+~^]+$/.test(version)) return 0;
  if (more.some((field) => field !== '')) return 0;
  draft.addUndecided({ line, name, version, architecture });
  return 1;
}

/** Notes that the lines name-version-release.architecture of a text state epochs. */
export function noteEpochs(text: string, { epoch }: InstalledPackage, draft: MachineDraft): void {
  if (!draft.nevraHasEpochs && epoch !== null && !/\s/.test(text.trim()))
    draft.nevraHasEpochs = true;
}

/** Parses `rpm -qa --last`, which prints when each package was installed, in any language. */
function parseWithInstallDate(text: string): InstalledPackage | null {
  const [, nevra] = /^(\S+)\s+\p{L}[^|]{3,60}\d{1,2}:\d\d:\d\d[^|]{0,30}$/u.exec(text) ?? [];
  return nevra === undefined ? null : parseNevra(nevra);
}

const columnsForm = /^(?!HotFixID )\w[\w.+-]* (?:\d{1,9}|\(none\)):[\w.+~^]+-[\w.+~^]+ \w+ \S+$/i;

/**
 * Matches a line of the query format with epochs and labels. No label has a colon before a digit, and a column of KB numbers has
 * no version.
 */
export const isRpmColumns = (text: string): boolean =>
  text.length <= maxPackageLength && columnsForm.test(text);

/** Returns null for a line that is not from rpm, or that could be from another tool. */
export function rpmPackage(fields: readonly string[]): InstalledPackage | null {
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = fields;
  if (fields.length === 1) return parseNevra(first);
  // The release is needed: dpkg prints no other two columns that end with an architecture.
  if (fields.length === 2) return parseNevra(`${first}-${second}`);
  if (isRpmArchitecture(third)) return parseColumns(first, second, third, fourth);
  if (isRpmArchitecture(fifth)) {
    const written = isEpochLast(fields)
      ? `${fourth}:${second}-${third}`
      : `${second}:${third}-${fourth}`;
    return parseColumns(first, written, fifth, fields[5] ?? '');
  }
  if (isRpmArchitecture(fourth) && !second.includes('-') && !third.includes('-'))
    return parseColumns(first, `${second}-${third}`, fourth, fifth);
  return parseDnfPackage(fields);
}

const isEpoch = (column = '') => /^(?:\d{1,9}|\(none\)|)$/.test(column);

/**
 * Of five columns the epoch is the second or the fourth, version and release follow each other. A version can be as plain a number
 * as an epoch (239), and a release too (1), but no version contains the name of a distribution.
 */
const isEpochLast = ([, second, third = '', fourth]: readonly string[]): boolean =>
  isEpoch(fourth) && (!isEpoch(second) || !/^\d/.test(fourth ?? '') || distributionTag.test(third));

/** Returns whether each order of the five columns is possible. No version is a plain 0. */
const isOfUnclearOrder = (fields: readonly string[]): boolean => {
  const [, second = '', third = '', fourth = '', fifth = ''] = fields;
  return (
    isRpmArchitecture(fifth) &&
    /^\d/.test(third) &&
    !distributionTag.test(third) &&
    /^[1-9]\d*$/.test(second) &&
    /^\d{1,9}$/.test(fourth)
  );
};

/** Parses `name-version-release.architecture`, with the epoch before the version or before everything, as tools also print it. */
function parseNevra(text: string): InstalledPackage | null {
  const [, before] = /^(\d{1,9}|\(none\)):/.exec(text) ?? [];
  const rest = before === undefined ? text : text.slice(before.length + 1);
  const none = rest.includes('(none):');
  const file = parseRpmFileName(none ? rest.replace('(none):', '') : rest);
  if (file === null || !isRpmArchitecture(file.architecture)) return null;
  if (!nameForm.test(file.name) || !isVersion(file.version) || !isVersion(file.release))
    return null;
  // A name with its architecture alone: `NetworkManager-config-server.noarch`.
  if (!/\d/.test(file.version) || !/\d/.test(file.release)) return null;
  const epoch = file.epoch ?? before ?? (none ? '0' : null);
  return {
    ...basis,
    name: file.name,
    version: `${file.version}-${file.release}`,
    epoch: epoch === '(none)' ? '0' : epoch,
    architecture: file.architecture,
  };
}

/**
 * Parses `name-version-release` of a query format without the architecture; the release must end with numbers behind dots, or
 * contain its distribution.
 */
function parseWithoutArchitecture(text: string): InstalledPackage | null {
  const [, name, epoch, version, release] =
    /^([A-Za-z0-9_][\w.+-]*)-(?:(\d{1,9}|\(none\)):)?([^\s:-]*\d[^\s:-]*)-([^\s:-]+)$/.exec(text) ??
    [];
  if (name === undefined || version === undefined || release === undefined) return null;
  if (!isVersion(version) || !isVersion(release)) return null;
  const last = release.slice(release.lastIndexOf('.') + 1);
  if (isRpmArchitecture(last)) return null;
  if (!/\d\.\d/.test(release) && !distributionTag.test(release)) return null;
  const stated = epoch === '(none)' ? '0' : (epoch ?? null);
  const found = { ...basis, name, epoch: stated, architecture: null };
  return isPartOfRpmArchitecture(last)
    ? { ...found, version: `${version}-${release.slice(0, -last.length - 1)}`, cut: true }
    : { ...found, version: `${version}-${release}` };
}

const basis = {
  format: 'rpm',
  module: { kind: 'unstated' },
  source: null,
  stateKnown: true,
} as const satisfies Partial<InstalledPackage>;

const distributionTag = /(?:^|[._+])(?:el|fc|amzn|lp|bp)\d/;
const nameForm = /^[A-Za-z0-9_][\w.+-]*$/;
const isVersion = (text: string) => /^[\w.+~^]*[A-Za-z0-9][\w.+~^]*$/.test(text);

function parseColumns(
  name: string,
  written: string,
  architecture: string,
  label: string,
): InstalledPackage | null {
  const [, epoch, version] = /^(?:(\d{1,9}|\(none\))?:)?([\w.+~^]+-[\w.+~^]+)$/.exec(written) ?? [];
  if (version === undefined || !nameForm.test(name)) return null;
  const stated = epoch === '(none)' || written.startsWith(':') ? '0' : (epoch ?? null);
  return { ...basis, name, version, epoch: stated, architecture, module: moduleOfLabel(label) };
}

/** Parses `%{MODULARITYLABEL}`: name:stream:version:context, or (none). */
export function moduleOfLabel(label: string): InstalledModule {
  if (label === '(none)') return { kind: 'none' };
  const [name = '', stream = ''] = label.split(':');
  return name === '' || stream === '' ? { kind: 'unstated' } : { kind: 'stream', name, stream };
}

/** Parses cells of zypper's tables, which omit only an epoch of 0. Returns null for names and versions of no package. */
export function parseZypperPackage(
  name: string,
  version: string,
  architecture: string,
): InstalledPackage | null {
  const found = isRpmArchitecture(architecture)
    ? parseColumns(name, version, architecture, '')
    : null;
  return found === null ? null : { ...found, epoch: found.epoch ?? '0' };
}

/** Parses `dnf list installed`: `bash.x86_64  5.1.8-6.el9  @baseos`; only an epoch of 0 is omitted. */
export function parseDnfPackage([
  first = '',
  version = '',
  repository = '',
]: readonly string[]): InstalledPackage | null {
  const dot = first.lastIndexOf('.');
  const architecture = first.slice(dot + 1);
  const installed = repository.startsWith('@') || repository === 'installed';
  if (dot < 1 || !isRpmArchitecture(architecture) || !installed) return null;
  const found = parseColumns(first.slice(0, dot), version, architecture, '');
  return found === null ? null : { ...found, epoch: found.epoch ?? '0' };
}

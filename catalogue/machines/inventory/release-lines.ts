/** Reads the release of a machine: os-release, lsb_release, the release files of Red Hat and its derivatives, sw_vers, ver. */

import { isRpmArchitecture, machineArchitecture } from './architectures.ts';
import { distributionId } from './distribution-names.ts';
import type { InventoryLine } from './inventory-pieces.ts';
import type { LineReader } from './line-reader.ts';
import type { MachineDraft, MachineFacts } from './machine-draft.ts';
import type { ReleaseWord } from './named-release.ts';

/**
 * Keys of https://www.freedesktop.org/software/systemd/man/os-release.html, keys that distributions add, and keys of
 * /etc/lsb-release.
 */
const osReleaseLine =
  /^((?:NAME|VERSION|ID|ID_LIKE|PRETTY_NAME|VERSION_ID|VERSION_CODENAME|UBUNTU_CODENAME|PARDUS_CODENAME|LSB_VERSION|DEBIAN_VERSION_FULL|CPE_NAME|PLATFORM_ID|BUILD_ID|IMAGE_ID|IMAGE_VERSION|VARIANT|VARIANT_ID|RELEASE_TYPE|ANSI_COLOR|LOGO|SUPPORT_END|VENDOR_NAME|DEFAULT_HOSTNAME|ARCHITECTURE)|[A-Z][A-Z_]{1,30}_URL|[A-Z]{2,20}_(?:MANTISBT|SUPPORT|BUGZILLA)_[A-Z_]{2,30}|DISTRIB_[A-Z]{2,20})=(.*)$/;

/** Removes the quotes of a value, including shell quotes that a person may have added. */
const unquote = (value: string) => value.trim().replace(/^(["'])(.*)\1$/, '$2');

export const readOsRelease: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const [, key, value] = osReleaseLine.exec(line?.text ?? '') ?? [];
  if (line === undefined || key === undefined || value === undefined) return 0;
  const word = Object.hasOwn(releaseWords, key) ? releaseWords[key] : undefined;
  if (word !== undefined && unquote(value) !== '') draft.addReleaseWord(word, unquote(value));
  const known = toFact(key, unquote(value));
  if (known === null || setFact(draft, line, known.name, known.value))
    draft.countUnderstood('os-release');
  if (known !== null && draft.getFact('platform') === undefined) draft.setFact('platform', 'linux');
  return 1;
};

const releaseWords: Readonly<Record<string, ReleaseWord>> = {
  NAME: 'name',
  VERSION: 'version',
  PRETTY_NAME: 'prettyName',
  DISTRIB_DESCRIPTION: 'prettyName',
  VERSION_CODENAME: 'codename',
  DISTRIB_CODENAME: 'codename',
  BUILD_ID: 'buildId',
};

type TextFact = Exclude<keyof MachineFacts, 'platform'>;

function toFact(
  key: string,
  value: string,
): { readonly name: TextFact; readonly value: string } | null {
  if (value === '') return null;
  if (key === 'ID' || key === 'DISTRIB_ID')
    return { name: 'distribution', value: distributionId(value) };
  if (key === 'VERSION_ID' || key === 'DISTRIB_RELEASE') return { name: 'release', value };
  return null;
}

/** Sets the fact; returns false and reports the line when the text already describes another machine. */
function setFact(draft: MachineDraft, line: InventoryLine, name: TextFact, value: string): boolean {
  if (draft.setFact(name, value)) return true;
  draft.addUnreadable(
    line,
    `The text already names ${name} ${draft.getFact(name)}; check one machine at a time`,
    { trouble: 'severalMachines' },
  );
  return false;
}

/** `lsb_release -a` */
export const readLsbRelease: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const text = line?.text ?? '';
  const [, label, value] =
    /^(Distributor ID|Description|Release|Codename|LSB Version):\s+(\S.*)$/.exec(text) ?? [];
  if (line === undefined || (label === undefined && text !== 'No LSB modules are available.'))
    return 0;
  const word = label === undefined ? undefined : lsbWords[label];
  if (word !== undefined) draft.addReleaseWord(word, value ?? '');
  const isAccepted =
    label === 'Distributor ID'
      ? setFact(draft, line, 'distribution', distributionId(value ?? ''))
      : label !== 'Release' || value === 'n/a' || setFact(draft, line, 'release', value ?? '');
  if (isAccepted) draft.countUnderstood('lsb_release');
  return 1;
};

const lsbWords: Readonly<Record<string, ReleaseWord>> = {
  'Distributor ID': 'name',
  Description: 'prettyName',
  Codename: 'codename',
};

/** /etc/redhat-release and its derivatives: `CentOS Linux release 7.7.1908 (Core)`. */
const releaseFile =
  /^([A-Z][A-Za-z ]{2,40}?) release (\d+(?:\.\d+){0,3})(?: (?:Alpha|Beta|Preview|RC ?\d{0,2}))?(?: \([^()]{1,40}\))?$/;
/** /etc/SuSE-release and /etc/pardus-release: `openSUSE 42.3 (x86_64)`. */
const shortReleaseFile =
  /^(openSUSE|SUSE Linux Enterprise (?:Server|Desktop)|Pardus) (\d+(?:\.\d+)?) \([^()]{1,40}\)$/;

/** Lines that stand beside them and state nothing more. */
const besideReleaseFile = [
  /^Derived from Red Hat Enterprise Linux \d[\d.]{0,10}(?: \(Source\))?$/,
  /^cpe:(?:\/o|2\.3:o):[\w.:*~-]{3,100}$/,
  /^(?:VERSION|PATCHLEVEL) = [\d.]{1,10}$/,
  /^CODENAME = [\w ]{1,40}$/,
  /^# (?:\/etc\/SuSE-release|This file) is deprecated and will be removed in /,
  /^# Please check \/etc\/os-release for details about this release\.$/,
  /^==> \/\S{1,100} <==$/,
];

export const readReleaseFile: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const text = line?.text ?? '';
  if (line === undefined) return 0;
  if (isBaseVersion(lines, at) || besideReleaseFile.some((form) => form.test(text))) {
    const isOwn = draft.getFact('distribution') === 'debian' && /^\d/.test(text);
    if (!isOwn || setFact(draft, line, 'release', text)) draft.countUnderstood('release file');
    return 1;
  }
  const [, name, release] = releaseFile.exec(text) ?? shortReleaseFile.exec(text) ?? [];
  if (name === undefined || release === undefined) return 0;
  draft.addReleaseWord('prettyName', text);
  const distribution = distributionId(name);
  const isAccepted = draft.setDistributionOfFile(distribution)
    ? setFact(draft, line, 'release', release)
    : setFact(draft, line, 'distribution', distribution);
  draft.setFact('platform', 'linux');
  if (isAccepted) draft.countUnderstood('release file');
  return 1;
};

/**
 * Matches /etc/debian_version and /etc/alpine-release, by the os-release or the command beside them. Derivatives of Debian have the
 * version of their base there.
 */
function isBaseVersion(lines: readonly InventoryLine[], at: number): boolean {
  if (!/^(?:[1-9]\d?(?:\.\d{1,3}){1,2}|[a-z]{2,20}\/sid)$/.test(lines[at]?.text ?? ''))
    return false;
  const [before = '', after = ''] = [lines[at - 1]?.text, lines[at + 1]?.text];
  return (
    osReleaseLine.test(before) ||
    osReleaseLine.test(after) ||
    /(?:debian_version|alpine-release)(?: <==)?$/.test(before)
  );
}

const macFacts: Readonly<Record<string, TextFact>> = {
  ProductVersion: 'release',
  BuildVersion: 'build',
};

export const readSwVers: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const [, label, value] =
    /^(ProductName|ProductVersion|ProductVersionExtra|BuildVersion):\s*(\S.*)$/.exec(
      line?.text ?? '',
    ) ?? [];
  if (line === undefined || label === undefined || value === undefined) return 0;
  const name = macFacts[label];
  if (label === 'ProductName') draft.setFact('platform', 'macos');
  const fact = label === 'ProductName' ? ('distribution' as const) : name;
  if (fact === undefined || setFact(draft, line, fact, value)) draft.countUnderstood('sw_vers');
  return 1;
};

/** Reads the revision alone, below the command that reads it from the registry: `reg query … /v UBR`, `(Get-ItemProperty …).UBR`. */
export const readRevision: LineReader = (lines, at, draft) => {
  const [line, before] = [lines[at], lines[at - 1]];
  const written = /^(?:\s*UBR\s+(?:REG_DWORD\s+|:\s*))?(0x[\da-f]{1,6}|\d{1,6})$/i.exec(
    line?.text ?? '',
  )?.[1];
  const known = draft.getFact('build');
  if (line === undefined || written === undefined || known?.split('.').length !== 3) return 0;
  if (!/\bUBR\b/i.test(line.text) && !/\bUBR\b/i.test(before?.text ?? '')) return 0;
  draft.setFact('build', `${known}.${Number(written)}`);
  draft.countUnderstood('ver');
  return 1;
};

/** Reads `Microsoft Windows [Version 10.0.19045.6456]`, which cmd also prints when it starts; the word before the number is in any language. */
export const readVer: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const [, build] =
    /^Microsoft Windows.{0,20}\[[^\]\d]{0,30}(\d{1,2}\.\d\.\d{4,5}(?:\.\d{1,6})?)\]$/.exec(
      line?.text ?? '',
    ) ?? [];
  if (line === undefined || build === undefined) return 0;
  draft.setFact('platform', 'windows');
  if (setFact(draft, line, 'build', build)) draft.countUnderstood('ver');
  return 1;
};

const kernelRelease = /^\d{1,2}\.\d{1,3}(?:\.\d{1,3})?[-+.~\w]{0,120}$/;

/** Reads the running kernel from `uname -r`, `uname -a` or `uname -m`. */
export const readUname: LineReader = (lines, at, draft) => {
  const line = lines[at];
  const words = line?.text.trim().split(' ') ?? [];
  const [first = ''] = words;
  if (line === undefined) return 0;
  const kernel = words.length === 1 ? first : first === 'Linux' ? (words[2] ?? '') : '';
  if (words.length === 1 && isRpmArchitecture(first) && first.includes('64'))
    draft.setFact('architecture', machineArchitecture(first));
  else if (kernelRelease.test(kernel) && kernel.includes('-')) {
    if (!draft.setFact('kernel', kernel)) {
      draft.addUnreadable(line, `The text already names kernel ${draft.getFact('kernel')}`, {
        trouble: 'severalMachines',
      });
      return 1;
    }
    const architecture = [kernel.split('.').at(-1) ?? '', ...words].findLast((word) =>
      isRpmArchitecture(word),
    );
    if (architecture !== undefined) draft.setFact('architecture', architecture);
    if (draft.getFact('platform') === undefined) draft.setFact('platform', 'linux');
  } else return 0;
  draft.countUnderstood('uname');
  return 1;
};

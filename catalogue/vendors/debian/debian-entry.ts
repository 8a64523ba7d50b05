/** Maps an advisory of Debian to rows and details of its list, one for each release and source package. */
import { type Entry, entry, type FeedItem, type Rejection } from '../../definition/feed.ts';
import {
  type DpkgAdvisory,
  type DpkgFix,
  parseAdvisoryDay,
  type StrayLine,
} from '../../schemas/dpkg-advisories.ts';
import type { Urgencies } from '../../schemas/dpkg-urgencies.ts';
import { remarkOnDates } from '../../values/date-remarks.ts';
import type { DebianBinaries } from './debian-binaries.ts';
import { debianList } from './debian-list.ts';
import { type DebianVersions, formatDebianReleaseName, isKnownRelease } from './debian-releases.ts';

export interface DebianContext {
  readonly versions: DebianVersions;
  readonly urgencies: Urgencies;
  readonly binaries: DebianBinaries;
  /** Address of the list that contains the advisory. */
  readonly url: string;
}

export function* toDebianItems(
  advisory: DpkgAdvisory,
  context: DebianContext,
): Generator<FeedItem> {
  const { id, fixes, written } = advisory;
  yield* remarkOnDates(id, { date: written }, parseAdvisoryDay);
  if (fixes.length === 0)
    yield {
      kind: 'rejection',
      rejected: id,
      reason: 'it fixes no package: it is an announcement',
      url: context.url,
    };
  for (const fix of fixes) {
    if (fix.version === null) yield rejectUnfixed(advisory, fix, context);
    else yield toFixEntry(advisory, fix, fix.version, context);
  }
}

/** The rejection has no natural keys, so that the row of a fix that the vendor takes back is withdrawn. */
function rejectUnfixed(
  { id }: DpkgAdvisory,
  { codename, pkgName, unfixed, remark }: DpkgFix,
  { url }: DebianContext,
): Rejection {
  const why = remark === null ? '' : ` (${remark})`;
  return {
    kind: 'rejection',
    rejected: `${id} ${codename} ${pkgName}`,
    reason: `it has no fixed version: ${unfixed}${why}`,
    url,
  };
}

/** Keeps the rows of the records that the line names. */
export function rejectStrayLine({ line, text, under, fixes }: StrayLine, url: string): Rejection {
  const keys = under === null ? [] : fixes.map((fix) => toFixKey(under, fix));
  return {
    kind: 'rejection',
    rejected: under ?? `line ${line}`,
    keys,
    reason: `line ${line} cannot be understood: ${text.slice(0, 200)}`,
    url,
  };
}

function toFixKey(
  id: string,
  { codename, pkgName }: Pick<DpkgFix, 'codename' | 'pkgName'>,
): string {
  return `${id}|${codename}|${pkgName}`;
}

function toFixEntry(
  advisory: DpkgAdvisory,
  fix: DpkgFix,
  version: string,
  context: DebianContext,
): Entry {
  const { codename, pkgName } = fix;
  const { id, title, day, cves, notes } = advisory;
  const osVersion = formatDebianReleaseName(codename, context.versions);
  const { priority, vendorPriority, unknownWords } = context.urgencies.getUrgency(
    pkgName,
    codename,
    cves,
  );
  const { packages, packagesFrom } = context.binaries.getFixPackages(pkgName, codename, version);
  return entry(
    debianList,
    toFixKey(id, fix),
    {
      title,
      pkgName,
      osVersion,
      bulletinId: id,
      priority,
      pkgAndVersion: `${pkgName} ${version}`,
      releaseDate: day,
    },
    {
      description: notes.join('\n') || null,
      vendorPriority,
      referenceLink: `https://security-tracker.debian.org/tracker/${id}`,
      cve: [...cves],
      packagesFrom,
      packages,
    },
    isKnownRelease(codename, context.versions)
      ? unknownWords
      : [...unknownWords, { vocabulary: 'release', word: codename, shownAs: osVersion }],
  );
}

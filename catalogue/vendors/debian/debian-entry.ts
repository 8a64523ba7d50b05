/** What the list shows of an advisory of Debian: a row for each release and source package it fixes. */
import { type Entry, entry, type FeedItem, type Rejection } from '../../definition/feed.ts';
import type { DpkgAdvisory, DpkgFix, StrayLine } from '../../schemas/dpkg-advisories.ts';
import type { Urgencies } from '../../schemas/dpkg-urgencies.ts';
import type { DebianBinaries } from './debian-binaries.ts';
import { debianList } from './debian-list.ts';
import { type DebianVersions, debianReleaseName, isKnownRelease } from './debian-releases.ts';

export interface DebianContext {
  readonly versions: DebianVersions;
  readonly urgencies: Urgencies;
  readonly binaries: DebianBinaries;
  /** Where the advisory was read. */
  readonly url: string;
}

export function* debianItems(advisory: DpkgAdvisory, context: DebianContext): Generator<FeedItem> {
  const { id, fixes, day, written } = advisory;
  if (day === null)
    yield { kind: 'remark', remark: `${id}: "${written}" is not a date that can be read` };
  if (fixes.length === 0)
    yield {
      kind: 'rejection',
      rejected: id,
      reason: 'it fixes no package: it is an announcement',
      url: context.url,
    };
  for (const fix of fixes) {
    if (fix.version === null) yield withoutFix(advisory, fix, context);
    else yield fixEntry(advisory, fix, fix.version, context);
  }
}

/** The name of a rejection must not be a natural key: a fix that the vendor takes back is withdrawn, not kept. */
function withoutFix(
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

/** The records that the line names are still listed: rows read from it before are kept. */
export function strayLine({ line, text, under, fixes }: StrayLine, url: string): Rejection {
  const keys = under === null ? [] : fixes.map((fix) => fixKey(under, fix));
  return {
    kind: 'rejection',
    rejected: under ?? `line ${line}`,
    keys,
    reason: `line ${line} cannot be understood: ${text.slice(0, 200)}`,
    url,
  };
}

function fixKey(id: string, { codename, pkgName }: Pick<DpkgFix, 'codename' | 'pkgName'>): string {
  return `${id}|${codename}|${pkgName}`;
}

function fixEntry(
  advisory: DpkgAdvisory,
  fix: DpkgFix,
  version: string,
  context: DebianContext,
): Entry {
  const { codename, pkgName } = fix;
  const { id, title, day, cves, notes } = advisory;
  const osVersion = debianReleaseName(codename, context.versions);
  const { priority, vendorPriority, unknownWords } = context.urgencies.of(pkgName, codename, cves);
  const { packages, packagesFrom } = context.binaries.of(pkgName, codename, version);
  return entry(
    debianList,
    fixKey(id, fix),
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

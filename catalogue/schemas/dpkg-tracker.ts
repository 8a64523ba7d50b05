/**
 * Urgencies that Debian's security tracker assigns to CVEs by package and release: https://security-tracker.debian.org/tracker/data/json
 */
import { createRemark, type Document, type Remark, type UnknownWord } from '../definition/feed.ts';
import { fold } from '../definition/fold.ts';
import type { PackageStatus, StatusWord } from '../definition/package-status.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { jsonMembers } from '../parsers/json-records.ts';
import { getMember, listMembers } from '../values/object-members.ts';
import { distinctWords, toWord } from '../values/vendor-words.ts';
import type { DpkgAdvisory } from './dpkg-advisories.ts';
import { dpkgPriorities } from './dpkg-advisory-shape.ts';

export const trackerAddress = 'https://security-tracker.debian.org/tracker/data/json';

type DpkgPriority = (typeof dpkgPriorities)[number];

export interface Urgency {
  readonly priority: DpkgPriority;
  /** The tracker's word: `high**`, `not yet assigned`; null when the tracker does not list the CVEs on that release. */
  readonly vendorPriority: string | null;
  readonly unknownWords: readonly UnknownWord[];
}

export interface Urgencies {
  /** Returns the highest urgency of the CVEs; `unassigned` when none has one. */
  getUrgency(pkgName: string, codename: string, cves: readonly string[]): Urgency;
}

/** Used when the tracker is unavailable or was not read. */
export const noUrgency: Urgency = {
  priority: 'unassigned',
  vendorPriority: null,
  unknownWords: [],
};

/**
 * Reads the tracker's document to its end.
 * @throws BrokenDocument when it lists no vulnerability of any package.
 */
export async function validateTracker(document: Document): Promise<void> {
  let vulnerabilities = 0;
  for await (const { value } of jsonMembers(document)) vulnerabilities += listMembers(value).length;
  if (vulnerabilities === 0)
    throw new BrokenDocument(document.url, 'it names no vulnerability of a package');
}

/** Reads the urgencies of `wanted` (CVEs by source package) only, because the tracker's document is large. */
export async function readUrgencies(
  document: Document,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Urgencies> {
  const words = new Map<string, string>();
  // The distinct words are few: equal ones share one string.
  const spellings = new Map<string, string>();
  for await (const { key: pkgName, value: records } of jsonMembers(document)) {
    const cves = wanted.get(pkgName);
    if (cves === undefined) continue;
    for (const [cve, record] of listMembers(records)) {
      if (!cves.has(cve)) continue;
      // One real entry has an empty list instead of its releases.
      for (const [codename, release] of listMembers(getMember(record, 'releases'))) {
        const word = toWord(getMember(release, 'urgency'));
        if (word === null) continue;
        if (!spellings.has(word)) spellings.set(word, word);
        words.set(`${pkgName} ${codename} ${cve}`, spellings.get(word) ?? word);
      }
    }
  }
  return {
    getUrgency(pkgName, codename, cves) {
      const assigned = cves.flatMap((cve) => words.get(`${pkgName} ${codename} ${cve}`) ?? []);
      const getRank = (word: string) => dpkgPriorities.indexOf(toPriority(word));
      const [highest = null] = assigned.toSorted((a, b) => getRank(b) - getRank(a));
      const unknown = distinctWords(assigned).filter((word) => !isKnownUrgency(word));
      return {
        priority: toPriority(highest),
        vendorPriority: highest,
        unknownWords: unknown.map((word) => ({
          vocabulary: 'urgency',
          word,
          shownAs: 'unassigned',
        })),
      };
    },
  };
}

/** Returns the CVEs of each source package, as `readUrgencies` takes them. */
export function groupCvesByPackage(advisories: readonly DpkgAdvisory[]): Map<string, Set<string>> {
  const wanted = new Map<string, Set<string>>();
  for (const { fixes, cves } of advisories) {
    for (const { pkgName } of fixes) {
      const known = wanted.get(pkgName) ?? new Set();
      wanted.set(pkgName, known);
      for (const cve of cves) known.add(cve);
    }
  }
  return wanted;
}

/** Stars mark urgencies set by a score. `not yet assigned` and unknown words become `unassigned`. */
export function toPriority(urgency: unknown): DpkgPriority {
  const word = normaliseUrgency(urgency);
  return dpkgPriorities.find((priority) => priority === word) ?? 'unassigned';
}

function isKnownUrgency(urgency: string): boolean {
  const word = normaliseUrgency(urgency);
  return word === 'not yet assigned' || dpkgPriorities.some((priority) => priority === word);
}

function normaliseUrgency(urgency: unknown): string {
  return fold(toWord(urgency) ?? '').replace(/\*+$/, '');
}

const cveName = /^CVE-\d{4}-\d{4,19}$/;
const packageName = /^[a-z0-9][a-z0-9+.-]{0,254}$/;

/**
 * Reads what the tracker says of vulnerabilities in releases where no version fixes them.
 * Reads the statuses in the releases that `releaseName` maps, without those that Debian calls unimportant (they do not affect the built
 * packages, or nobody supports them) and entries without a CVE id (TEMP-…). Ends with a remark on records of another form.
 */
export async function* readPackageStatuses(
  tracker: Document,
  releaseName: (codename: string) => string | null,
): AsyncGenerator<PackageStatus | Remark> {
  const odd: string[] = [];
  for await (const { key: name, value: records } of jsonMembers(tracker)) {
    if (!packageName.test(name)) continue;
    if (!isObject(records)) odd.push(name);
    for (const [cve, record] of listMembers(records)) {
      if (!cveName.test(cve)) continue;
      const releases = new Map(listMembers(record)).get('releases');
      // One real entry has an empty list instead of its releases.
      if (!isObject(releases) && !isEmptyList(releases)) odd.push(`${name} ${cve}`);
      for (const [codename, state] of listMembers(releases)) {
        const release = releaseName(codename);
        const word = readWord(state);
        if (release !== null && word !== null)
          yield { kind: 'status', release, package: name, cve, word };
      }
    }
  }
  if (odd.length > 0)
    yield createRemark(
      `records of ${tracker.url} that have another form were left out: ${odd.length} (for example ${odd[0]})`,
    );
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** Null for a fixed vulnerability, and where Debian's word says neither that the release is affected nor that it is not. */
function readWord(state: unknown): StatusWord | null {
  const members = new Map(listMembers(state));
  const urgency = (toWord(members.get('urgency')) ?? '').replace(/\**$/, '');
  switch (members.get('status')) {
    case 'open':
      return urgency === 'unimportant' ? null : readReason(members.get('nodsa_reason'));
    case 'undetermined':
      return 'undetermined';
    case 'resolved':
      // Version 0 is Debian's mark for releases that are not affected.
      return members.get('fixed_version') === '0' && urgency !== 'end-of-life'
        ? 'not_affected'
        : null;
    default:
      return null;
  }
}

/** Why the security team publishes no advisory. */
const readReason = (reason: unknown): StatusWord =>
  reason === 'ignored' || reason === 'postponed' ? reason : 'open';

/**
 * Urgencies that Debian's security tracker assigns to CVEs by package and release: https://security-tracker.debian.org/tracker/data/json
 */
import type { Document, UnknownWord } from '../definition/feed.ts';
import { fold } from '../definition/fold.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { jsonMembers } from '../parsers/json-members.ts';
import { listMembers } from '../values/object-members.ts';
import { distinctWords, toWord } from '../values/vendor-words.ts';
import type { DpkgAdvisory } from './dpkg-advisories.ts';
import { dpkgPriorities } from './dpkg-advisory-shape.ts';

export const trackerAddress = 'https://security-tracker.debian.org/tracker/data/json';

export type DpkgPriority = (typeof dpkgPriorities)[number];

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

function getMember(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

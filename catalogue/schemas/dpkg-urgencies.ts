/** How urgent Debian's security tracker holds a CVE to be, for a package on a release: https://security-tracker.debian.org/tracker/data/json */
import type { Document, UnknownWord } from '../definition/feed.ts';
import { fold } from '../definition/fold.ts';
import { BrokenDocument } from '../parsers/document-of.ts';
import { jsonMembers } from '../parsers/json-members.ts';
import { membersOf } from '../values/object-members.ts';
import { distinctWords, wordOf } from '../values/vendor-words.ts';
import type { DpkgAdvisory } from './dpkg-advisories.ts';
import { dpkgPriorities } from './dpkg-advisory-shape.ts';

export const trackerAddress = 'https://security-tracker.debian.org/tracker/data/json';

export type DpkgPriority = (typeof dpkgPriorities)[number];

export interface Urgency {
  readonly priority: DpkgPriority;
  /** The tracker's own word for it: `high**`, `not yet assigned`; null where the tracker does not know the CVEs on that release. */
  readonly vendorPriority: string | null;
  readonly unknownWords: readonly UnknownWord[];
}

export interface Urgencies {
  /** The highest of these CVEs; `unassigned` when none of them has one. */
  of(pkgName: string, codename: string, cves: readonly string[]): Urgency;
}

/** Where the tracker cannot be had, or was not asked. */
export const noUrgency: Urgency = {
  priority: 'unassigned',
  vendorPriority: null,
  unknownWords: [],
};

/** Reads the tracker's document to its end. Throws BrokenDocument when it names no vulnerability of any package. */
export async function requireTracker(document: Document): Promise<void> {
  let vulnerabilities = 0;
  for await (const { value } of jsonMembers(document)) vulnerabilities += membersOf(value).length;
  if (vulnerabilities === 0)
    throw new BrokenDocument(document.url, 'it names no vulnerability of a package');
}

/** The tracker's document is large: only the urgencies of these packages (by their CVEs) are kept. */
export async function readUrgencies(
  document: Document,
  wanted: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<Urgencies> {
  const words = new Map<string, string>();
  // The words are few, and the same ones everywhere.
  const spellings = new Map<string, string>();
  for await (const { key: pkgName, value: records } of jsonMembers(document)) {
    const cves = wanted.get(pkgName);
    if (cves === undefined) continue;
    for (const [cve, record] of membersOf(records)) {
      if (!cves.has(cve)) continue;
      // One real entry has an empty list in place of its releases.
      for (const [codename, release] of membersOf(memberOf(record, 'releases'))) {
        const word = wordOf(memberOf(release, 'urgency'));
        if (word === null) continue;
        if (!spellings.has(word)) spellings.set(word, word);
        words.set(`${pkgName} ${codename} ${cve}`, spellings.get(word) ?? word);
      }
    }
  }
  return {
    of(pkgName, codename, cves) {
      const said = cves.flatMap((cve) => words.get(`${pkgName} ${codename} ${cve}`) ?? []);
      const rankOf = (word: string) => dpkgPriorities.indexOf(priorityOf(word));
      const [highest = null] = said.toSorted((a, b) => rankOf(b) - rankOf(a));
      const unknown = distinctWords(said).filter((word) => !isKnown(word));
      return {
        priority: priorityOf(highest),
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

/** What the tracker is to be asked for these advisories: the CVEs of each source package. */
export function cvesByPackage(advisories: readonly DpkgAdvisory[]): Map<string, Set<string>> {
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

/** Stars say that a score has set it, not a person. `not yet assigned` and what is unknown are unassigned. */
export function priorityOf(urgency: unknown): DpkgPriority {
  const word = plainWord(urgency);
  return dpkgPriorities.find((priority) => priority === word) ?? 'unassigned';
}

function isKnown(urgency: string): boolean {
  const word = plainWord(urgency);
  return word === 'not yet assigned' || dpkgPriorities.some((priority) => priority === word);
}

function plainWord(urgency: unknown): string {
  return fold(wordOf(urgency) ?? '').replace(/\*+$/, '');
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

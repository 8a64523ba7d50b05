/** How urgent Debian's security tracker holds a CVE to be, for a package on a release: https://security-tracker.debian.org/tracker/data/json */
import type { Document } from '../definition/feed.ts';
import { fold } from '../definition/fold.ts';
import { jsonMembers } from '../formats/json-members.ts';
import type { DpkgAdvisory } from './dpkg-advisories.ts';
import { dpkgPriorities } from './dpkg-advisory-shape.ts';
import { wordOf } from './vendor-words.ts';

export const trackerAddress = 'https://security-tracker.debian.org/tracker/data/json';

export type DpkgPriority = (typeof dpkgPriorities)[number];

export interface Urgencies {
  /** The highest of these CVEs; `unassigned` when none of them has one. */
  of(pkgName: string, codename: string, cves: readonly string[]): DpkgPriority;
}

/** The tracker's document is large; of it only the urgencies of these packages (by their CVEs) are kept. */
export async function readUrgencies(document: Document, wanted: ReadonlyMap<string, ReadonlySet<string>>): Promise<Urgencies> {
  const assigned = new Map<string, DpkgPriority>();
  for await (const { key: pkgName, value: records } of jsonMembers(document)) {
    const cves = wanted.get(pkgName);
    if (cves === undefined) continue;
    for (const [cve, record] of membersOf(records)) {
      if (!cves.has(cve)) continue;
      // One real entry has an empty list in place of its releases.
      for (const [codename, release] of membersOf(memberOf(record, 'releases'))) {
        const priority = priorityOf(memberOf(release, 'urgency'));
        if (priority !== 'unassigned') assigned.set(`${pkgName} ${codename} ${cve}`, priority);
      }
    }
  }
  return {
    of(pkgName, codename, cves) {
      const ranks = cves.map((cve) => dpkgPriorities.indexOf(assigned.get(`${pkgName} ${codename} ${cve}`) ?? 'unassigned'));
      return dpkgPriorities[Math.max(0, ...ranks)] ?? 'unassigned';
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
  const word = fold(wordOf(urgency) ?? '').replace(/\*+$/, '');
  return dpkgPriorities.find((priority) => priority === word) ?? 'unassigned';
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

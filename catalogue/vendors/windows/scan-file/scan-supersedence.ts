/** Replacements in the offline scan file: stated between revisions, returned as KBs of their updates. */

import { compareNaturally } from '../names/compare-naturally.ts';
import type { ScanPackage, ScanUpdate } from './scan-package.ts';

export class ScanSupersedence {
  readonly #package: ScanPackage;
  readonly #getKbs: (update: ScanUpdate) => readonly string[];
  readonly #supersedes = new Map<ScanUpdate, Set<ScanUpdate>>();
  #withoutEnd: ReadonlySet<ScanUpdate> | null = null;

  /** Revisions that the file does not contain cannot be named as replacements. */
  constructor(scanned: ScanPackage, getKbs: (update: ScanUpdate) => readonly string[]) {
    this.#package = scanned;
    this.#getKbs = getKbs;
    for (const update of scanned.listOffered()) {
      for (const newer of this.#listNewer(update)) {
        const older = this.#supersedes.get(newer);
        if (older === undefined) this.#supersedes.set(newer, new Set([update]));
        else older.add(update);
      }
    }
  }

  /**
   * Tells whether another update replaces this one; null when that one is replaced by this one in turn, directly or through others: the
   * file does not state which of them is the newest.
   */
  isSuperseded(update: ScanUpdate): boolean | null {
    if (update.supersededBy.length === 0) return false;
    return this.#findEndless().has(update) && this.#replacesItself(update) ? null : true;
  }

  /** Counts replacing revisions that the file does not contain and that cannot be named. */
  countUnnamedNewer({ supersededBy }: ScanUpdate): number {
    return supersededBy.filter((revision) => !this.#package.updates.has(revision)).length;
  }

  supersededBy(update: ScanUpdate): string[] {
    return this.#listKbs(update, this.#listNewer(update));
  }

  supersedes(update: ScanUpdate): string[] {
    return this.#listKbs(update, this.#supersedes.get(update) ?? []);
  }

  /** Returns updates whose chains never end at a current update or one outside the file: cycles, and updates that lead into them. */
  #findEndless(): ReadonlySet<ScanUpdate> {
    if (this.#withoutEnd !== null) return this.#withoutEnd;
    const all = [...this.#package.listOffered()];
    const ending = new Set(
      all.filter(
        (update) => update.supersededBy.length === 0 || this.countUnnamedNewer(update) > 0,
      ),
    );
    // The set grows during the iteration, which follows the chains backwards from their ends.
    for (const update of ending)
      for (const older of this.#supersedes.get(update) ?? []) ending.add(older);
    this.#withoutEnd = new Set(all).difference(ending);
    return this.#withoutEnd;
  }

  /** Only called for the few updates without an end, because the walk can be long. */
  #replacesItself(update: ScanUpdate): boolean {
    const newer = new Set(this.#listNewer(update));
    for (const next of newer) for (const further of this.#listNewer(next)) newer.add(further);
    return newer.has(update);
  }

  *#listNewer({ supersededBy }: ScanUpdate): Generator<ScanUpdate> {
    for (const revision of supersededBy) {
      const newer = this.#package.updates.get(revision);
      if (newer !== undefined) yield newer;
    }
  }

  /** A KB has an update for each product and may replace itself on some of them. */
  #listKbs(update: ScanUpdate, related: Iterable<ScanUpdate>): string[] {
    const own = this.#getKbs(update);
    const kbs = new Set([...related].flatMap((other) => this.#getKbs(other)));
    return [...kbs].filter((kb) => !own.includes(kb)).toSorted(compareNaturally);
  }
}

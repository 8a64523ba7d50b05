/** Which KBs replace which, by the offline scan file: said of revisions, told by the KBs of the updates they belong to. */

import { compareNaturally } from './compare-naturally.ts';
import type { ScanPackage, ScanUpdate } from './scan-package.ts';

export class ScanSupersedence {
  readonly #package: ScanPackage;
  readonly #kbsOf: (update: ScanUpdate) => readonly string[];
  readonly #supersedes = new Map<ScanUpdate, Set<ScanUpdate>>();
  #endless: ReadonlySet<ScanUpdate> | null = null;

  /** What is superseded by a revision that the file does not have is superseded by nothing we can name. */
  constructor(scanned: ScanPackage, kbsOf: (update: ScanUpdate) => readonly string[]) {
    this.#package = scanned;
    this.#kbsOf = kbsOf;
    for (const update of scanned.offered()) {
      for (const newer of this.#newer(update)) {
        const older = this.#supersedes.get(newer);
        if (older === undefined) this.#supersedes.set(newer, new Set([update]));
        else older.add(update);
      }
    }
  }

  /**
   * Whether the vendor says that another update replaces it; null where that other one is, through however many, replaced by it
   * in turn: of updates that only replace each other the file does not say which one is the newest.
   */
  isSuperseded(update: ScanUpdate): boolean | null {
    if (update.supersededBy.length === 0) return false;
    return this.#withoutEnd().has(update) && this.#replacesItself(update) ? null : true;
  }

  /** How many of the revisions that replace it the file does not have, so that they cannot be named. */
  unnamedNewer({ supersededBy }: ScanUpdate): number {
    return supersededBy.filter((revision) => !this.#package.updates.has(revision)).length;
  }

  supersededBy(update: ScanUpdate): string[] {
    return this.#others(update, this.#newer(update));
  }

  supersedes(update: ScanUpdate): string[] {
    return this.#others(update, this.#supersedes.get(update) ?? []);
  }

  /** The updates from which no chain leads to one that nothing replaces, nor to one that the file does not have: cycles, and what leads into them. */
  #withoutEnd(): ReadonlySet<ScanUpdate> {
    if (this.#endless !== null) return this.#endless;
    const all = [...this.#package.offered()];
    const ending = new Set(
      all.filter((update) => update.supersededBy.length === 0 || this.unnamedNewer(update) > 0),
    );
    // The set grows while it is walked: the chains are followed backwards from their ends.
    for (const update of ending)
      for (const older of this.#supersedes.get(update) ?? []) ending.add(older);
    this.#endless = new Set(all).difference(ending);
    return this.#endless;
  }

  /** Asked of the few updates without an end only: the walk can be long. */
  #replacesItself(update: ScanUpdate): boolean {
    const newer = new Set(this.#newer(update));
    for (const next of newer) for (const further of this.#newer(next)) newer.add(further);
    return newer.has(update);
  }

  *#newer({ supersededBy }: ScanUpdate): Generator<ScanUpdate> {
    for (const revision of supersededBy) {
      const newer = this.#package.updates.get(revision);
      if (newer !== undefined) yield newer;
    }
  }

  /** A KB has an update for each product and may replace itself on some of them. */
  #others(update: ScanUpdate, related: Iterable<ScanUpdate>): string[] {
    const own = this.#kbsOf(update);
    const kbs = new Set([...related].flatMap((other) => this.#kbsOf(other)));
    return [...kbs].filter((kb) => !own.includes(kb)).toSorted(compareNaturally);
  }
}

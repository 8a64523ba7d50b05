/** Which KBs replace which, by the offline scan file: said of revisions, told by the KBs of the updates they belong to. */
import type { ScanPackage, ScanUpdate } from './scan-package.ts';
import { naturally } from './natural-order.ts';

export class ScanSupersedence {
  readonly #package: ScanPackage;
  readonly #kbsOf: (update: ScanUpdate) => readonly string[];
  readonly #supersedes = new Map<ScanUpdate, Set<ScanUpdate>>();

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

  supersededBy(update: ScanUpdate): string[] {
    return this.#others(update, this.#newer(update));
  }

  supersedes(update: ScanUpdate): string[] {
    return this.#others(update, this.#supersedes.get(update) ?? []);
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
    return [...kbs].filter((kb) => !own.includes(kb)).toSorted(naturally);
  }
}

/** Binary packages by the version of the source package that they were built from: one fix, and one row, for all of them. */
import type { BinaryPackage } from '../parsers/dpkg-packages.ts';

/** The binary packages of one version of a source package, at least one. */
export type BuiltTogether = readonly [BinaryPackage, ...BinaryPackage[]];

/** An index has one source in hundreds of pieces (libreoffice). */
export class SourcePackages {
  readonly #bySource = new Map<string, [BinaryPackage, ...BinaryPackage[]]>();

  add(of: BinaryPackage): void {
    const key = `${of.source} ${of.sourceVersion}`;
    const together = this.#bySource.get(key);
    if (together === undefined) this.#bySource.set(key, [of]);
    else together.push(of);
  }

  all(): Iterable<BuiltTogether> {
    return this.#bySource.values();
  }
}

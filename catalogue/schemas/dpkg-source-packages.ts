/** Groups binary packages by the source package and version that they were built from: each group has one fix and one row. */
import type { BinaryPackage } from '../parsers/dpkg-packages.ts';

/** The binary packages of one version of a source package, at least one. */
export type SourceBuild = readonly [BinaryPackage, ...BinaryPackage[]];

/** Collects groups in memory: the largest source (libreoffice) has hundreds of binary packages in an index. */
export class SourcePackages {
  readonly #bySource = new Map<string, [BinaryPackage, ...BinaryPackage[]]>();

  add(binaryPackage: BinaryPackage): void {
    const key = `${binaryPackage.source} ${binaryPackage.sourceVersion}`;
    const group = this.#bySource.get(key);
    if (group === undefined) this.#bySource.set(key, [binaryPackage]);
    else group.push(binaryPackage);
  }

  all(): Iterable<SourceBuild> {
    return this.#bySource.values();
  }
}

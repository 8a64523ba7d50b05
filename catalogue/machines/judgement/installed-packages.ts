/** Indexes a machine's packages by the names that records use. */
import type { InstalledPackage } from '../machine.ts';
import { isMetapackage, kernelStem } from './kernel-stem.ts';

/** A binary package with the source package it was built from. */
export interface BuiltPackage {
  readonly installed: InstalledPackage;
  readonly sourceVersion: string;
}

export class InstalledPackages {
  readonly #byName = new Map<string, InstalledPackage[]>();
  readonly #byStem = new Map<string, InstalledPackage[]>();
  readonly #bySource = new Map<string, BuiltPackage[]>();
  /** True when the inventory states source packages. A package without one then has the name of its source. */
  readonly sourcesKnown: boolean;

  constructor(packages: readonly InstalledPackage[]) {
    this.sourcesKnown = packages.some(({ source }) => source !== null);
    for (const installed of packages) {
      add(this.#byName, installed.name, installed);
      if (installed.format === 'rpm') continue;
      const stem = kernelStem(installed.name);
      if (stem !== null) add(this.#byStem, stem, installed);
      if (!this.sourcesKnown) continue;
      const { name, version } = getSource(installed);
      add(this.#bySource, name, { installed, sourceVersion: version });
    }
  }

  /** Names of binary and source packages. Every record that concerns the machine lists one of them or a kernel's stem. */
  get names(): readonly string[] {
    return [...new Set([...this.#byName.keys(), ...this.#bySource.keys()])];
  }

  /** Names of source packages; the packages' own names when the inventory states no sources. Empty for rpm. */
  get sources(): readonly string[] {
    if (this.sourcesKnown) return [...this.#bySource.keys()];
    return [...this.#byName]
      .filter(([, packages]) => packages.some(({ format }) => format === 'deb'))
      .map(([name]) => name);
  }

  /** The names by which fixes are indexed: package names, and the stems of kernel packages. */
  get fixNames(): readonly string[] {
    return [...this.names, ...this.#byStem.keys()];
  }

  /** Packages that depend on the newest kernel: `linux-image-amd64`. */
  get metapackages(): readonly InstalledPackage[] {
    return [...this.#byName].flatMap(([name, packages]) => (isMetapackage(name) ? packages : []));
  }

  findByName(name: string): readonly InstalledPackage[] {
    return this.#byName.get(name) ?? [];
  }

  /** Returns kernel packages whose names differ only in their ABI number. */
  findByKernelStem(stem: string): readonly InstalledPackage[] {
    return this.#byStem.get(stem) ?? [];
  }

  findBySource(source: string): readonly BuiltPackage[] {
    return this.#bySource.get(source) ?? [];
  }
}

function add<Value>(to: Map<string, Value[]>, key: string, value: Value): void {
  const values = to.get(key);
  if (values === undefined) to.set(key, [value]);
  else values.push(value);
}

/**
 * Returns the source package. Debian signs its kernels in separate packages: `linux-signed-amd64 5.10.46+4` was built from
 * `linux 5.10.46-4`, `linux-signed-6.1-amd64` from `linux-6.1`, the second line of a release.
 */
export function getSource({ name, version, source }: InstalledPackage): {
  readonly name: string;
  readonly version: string;
} {
  const found = { name: source?.name ?? name, version: source?.version ?? version };
  const [signed, line = ''] =
    /^linux-signed(-\d[\d.]*)?-(?:amd64|arm64|i386)$/.exec(found.name) ?? [];
  if (signed === undefined) return found;
  return { name: `linux${line}`, version: found.version.replace('+', '-') };
}

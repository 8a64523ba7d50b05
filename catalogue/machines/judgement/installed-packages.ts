/** The packages of a machine by the names that records know them by. */
import type { InstalledPackage } from '../machine.ts';
import { kernelStem } from './kernel-stem.ts';

/** A binary package with the source package it was built from. */
export interface BuiltPackage {
  readonly installed: InstalledPackage;
  readonly sourceVersion: string;
}

export class InstalledPackages {
  readonly #byName = new Map<string, InstalledPackage[]>();
  readonly #byStem = new Map<string, InstalledPackage[]>();
  readonly #bySource = new Map<string, BuiltPackage[]>();
  /** Whether the inventory names source packages at all. Where it does, a package without one has the name of its source. */
  readonly sourcesKnown: boolean;

  constructor(packages: readonly InstalledPackage[]) {
    this.sourcesKnown = packages.some(({ source }) => source !== null);
    for (const installed of packages) {
      add(this.#byName, installed.name, installed);
      if (installed.format === 'rpm') continue;
      const stem = kernelStem(installed.name);
      if (stem !== null) add(this.#byStem, stem, installed);
      if (!this.sourcesKnown) continue;
      const { name, version } = sourceOf(installed);
      add(this.#bySource, name, { installed, sourceVersion: version });
    }
  }

  /** Of binary and of source packages: a record that concerns the machine has one of them, or a kernel's stem. */
  get names(): readonly string[] {
    return [...new Set([...this.#byName.keys(), ...this.#bySource.keys()])];
  }

  /** Of source packages; of packages by their own names where the inventory names no sources. None of rpm's. */
  get sources(): readonly string[] {
    if (this.sourcesKnown) return [...this.#bySource.keys()];
    return [...this.#byName]
      .filter(([, packages]) => packages.some(({ format }) => format === 'deb'))
      .map(([name]) => name);
  }

  /** What fixes are kept by: names, and the stems of kernel packages in place of their names. */
  get keptNames(): readonly string[] {
    return [...this.names, ...this.#byStem.keys()];
  }

  named(name: string): readonly InstalledPackage[] {
    return this.#byName.get(name) ?? [];
  }

  /** Kernel packages whose names differ in the number of their ABI only. */
  ofKernelStem(stem: string): readonly InstalledPackage[] {
    return this.#byStem.get(stem) ?? [];
  }

  builtFrom(source: string): readonly BuiltPackage[] {
    return this.#bySource.get(source) ?? [];
  }
}

function add<Value>(to: Map<string, Value[]>, key: string, value: Value): void {
  const values = to.get(key);
  if (values === undefined) to.set(key, [value]);
  else values.push(value);
}

/** Debian signs its kernels in a package of its own: `linux-signed-amd64 5.10.46+4` was built from `linux 5.10.46-4`. */
export function sourceOf({ name, version, source }: InstalledPackage): {
  readonly name: string;
  readonly version: string;
} {
  const found = { name: source?.name ?? name, version: source?.version ?? version };
  if (!/^linux-signed-[a-z0-9]+$/.test(found.name)) return found;
  return { name: 'linux', version: found.version.replace(/\+([^+]*)$/, '-$1') };
}

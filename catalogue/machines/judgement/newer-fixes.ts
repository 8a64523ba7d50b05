/** Finds the version from which fixes of a series can be missing on a machine, so that lower ones need not be read. */
import type { VersionSortKey } from '../../schemas/version-sort-key.ts';
import { mayLackChannel } from './build-channels.ts';
import type { CataloguedRelease } from './catalogued-release.ts';
import { type FixSeries, toSortKey } from './indexed-fixes.ts';
import type { InstalledPackages } from './installed-packages.ts';

interface Installed {
  readonly epoch: string | null;
  readonly version: string;
  /** True when all fixes are to be read, because those of other channels do not count. */
  readonly needsAll: boolean;
}

/** Bounds for one release. */
export class SeriesBounds {
  readonly #family: CataloguedRelease['family'];
  readonly #epochs: boolean;
  /** Cache by written version: packages of one source have the same. */
  readonly #keys = new Map<string, VersionSortKey>();

  constructor({ family, epochs }: Pick<CataloguedRelease, 'family' | 'epochs'>) {
    this.#family = family;
    this.#epochs = epochs;
  }

  /**
   * Returns a sort key below all fixes that are newer than an installed package of the series; the exact comparison still
   * decides. Null without such a package, '' for all fixes of the series.
   */
  newerThan(series: FixSeries, machines: readonly InstalledPackages[]): string | null {
    if (series.special !== null) return '';
    let lowest: string | null = null;
    for (const machine of machines)
      for (const one of findInstalled(series, this.#family, machine)) {
        const bound = one.needsAll ? '' : this.#findBound(one, series);
        if (bound !== null && (lowest === null || bound < lowest)) lowest = bound;
      }
    return lowest;
  }

  #findBound({ epoch, version }: Omit<Installed, 'needsAll'>, series: FixSeries): string | null {
    const stated = this.#family === 'deb' || (this.#epochs && epoch !== null);
    const key = this.#getSortKey(stated && epoch !== null ? `${epoch}:${version}` : version);
    if (!stated || key.epoch === series.epoch) return key.version;
    return key.epoch < series.epoch ? '' : null;
  }

  #getSortKey(version: string): VersionSortKey {
    const known = this.#keys.get(version);
    if (known !== undefined) return known;
    const key = toSortKey(version, this.#family);
    this.#keys.set(version, key);
    return key;
  }
}

/** Returns the installed packages, and their versions, that a fix of the series is compared with. */
function findInstalled(
  { name, by }: FixSeries,
  family: CataloguedRelease['family'],
  machine: InstalledPackages,
): readonly Installed[] {
  if (family === 'rpm')
    return machine
      .findByName(name)
      .filter(({ format }) => format === 'rpm')
      .map((one) => ({
        epoch: one.epoch,
        version: one.version,
        needsAll: mayLackChannel(one),
      }));
  const built = by === 'source' && machine.sourcesKnown;
  const found = built
    ? machine.findBySource(name).map(({ installed, sourceVersion }) => ({
        installed,
        version: sourceVersion,
      }))
    : [...machine.findByName(name), ...machine.findByKernelStem(name)].map((installed) => ({
        installed,
        version: installed.version,
      }));
  return found.map(({ installed, version }) => ({
    epoch: null,
    version,
    needsAll: mayLackChannel(installed),
  }));
}

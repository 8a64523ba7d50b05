/** From which version on the fixes of a series can be missing on a machine: everything below need not be read. */
import type { VersionSortKey } from '../../schemas/version-sort-key.ts';
import type { CataloguedRelease } from './catalogued-release.ts';
import type { InstalledPackages } from './installed-packages.ts';
import { type FixSeries, sortKeyOf } from './kept-fixes.ts';

type Installed = { readonly epoch: string | null; readonly version: string };

/** Of one release. */
export class SeriesBounds {
  readonly #family: CataloguedRelease['family'];
  readonly #epochs: boolean;
  /** By the version as it is written: packages of one source have the same. */
  readonly #keys = new Map<string, VersionSortKey>();

  constructor({ family, epochs }: Pick<CataloguedRelease, 'family' | 'epochs'>) {
    this.#family = family;
    this.#epochs = epochs;
  }

  /**
   * The fixes whose sort keys are above the answer hold every one that is newer than an installed package which the series concerns; the
   * exact comparison still decides. Null where there is none, '' for all of the series.
   */
  newerThan(series: FixSeries, machines: readonly InstalledPackages[]): string | null {
    if (series.special !== null) return '';
    let lowest: string | null = null;
    for (const machine of machines)
      for (const one of concerned(series, this.#family, machine)) {
        const bound = this.#boundOf(one, series);
        if (bound !== null && (lowest === null || bound < lowest)) lowest = bound;
      }
    return lowest;
  }

  #boundOf({ epoch, version }: Installed, series: FixSeries): string | null {
    const stated = this.#family === 'deb' || (this.#epochs && epoch !== null);
    const key = this.#keyOf(stated && epoch !== null ? `${epoch}:${version}` : version);
    if (!stated || key.epoch === series.epoch) return key.version;
    return key.epoch < series.epoch ? '' : null;
  }

  #keyOf(version: string): VersionSortKey {
    const known = this.#keys.get(version);
    if (known !== undefined) return known;
    const key = sortKeyOf(version, this.#family);
    this.#keys.set(version, key);
    return key;
  }
}

/** The packages that a fix of the series is compared with, and the versions that are. */
function concerned(
  { name, by }: FixSeries,
  family: CataloguedRelease['family'],
  machine: InstalledPackages,
): readonly Installed[] {
  if (family === 'rpm') return machine.named(name).filter(({ format }) => format === 'rpm');
  const built = by === 'source' && machine.sourcesKnown;
  const versions = built
    ? machine.builtFrom(name).map(({ sourceVersion }) => sourceVersion)
    : [...machine.named(name), ...machine.ofKernelStem(name)].map(({ version }) => version);
  return versions.map((version) => ({ epoch: null, version }));
}

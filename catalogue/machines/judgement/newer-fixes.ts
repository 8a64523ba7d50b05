/** From which version on the fixes of a series can be missing on a machine: everything below need not be read. */
import type { CataloguedRelease } from './catalogued-release.ts';
import type { InstalledPackages } from './installed-packages.ts';
import { type FixSeries, sortKeyOf } from './kept-fixes.ts';

type Installed = { readonly epoch: string | null; readonly version: string };

/**
 * The fixes whose sort keys are above the answer hold every one that is newer than an installed package which the series concerns; the
 * exact comparison still decides. Null where there is none, '' for all of the series.
 */
export function newerThan(
  series: FixSeries,
  { family, epochs }: CataloguedRelease,
  machines: readonly InstalledPackages[],
): string | null {
  if (series.special !== null) return '';
  let lowest: string | null = null;
  for (const machine of machines)
    for (const one of concerned(series, family, machine)) {
      const bound = boundOf(one, series, { family, epochs });
      if (bound !== null && (lowest === null || bound < lowest)) lowest = bound;
    }
  return lowest;
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

function boundOf(
  { epoch, version }: Installed,
  series: FixSeries,
  { family, epochs }: Pick<CataloguedRelease, 'family' | 'epochs'>,
): string | null {
  const stated = family === 'deb' || (epochs && epoch !== null);
  const key = sortKeyOf(stated && epoch !== null ? `${epoch}:${version}` : version, family);
  if (!stated || key.epoch === series.epoch) return key.version;
  return key.epoch < series.epoch ? '' : null;
}

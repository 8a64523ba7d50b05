/** Collects the variants that the catalogue has of each package, because others are not judged. */
import type { PackageFix } from './machine-fixes.ts';

/** An architecture, and the module stream or the channel that records have for it. Empty words stand for fixes that state none. */
export interface KnownVariant {
  readonly architecture: string;
  /** `nodejs:18`, or `*` for fixes of modules that state no stream; a channel. */
  readonly of: string;
}

export interface KnownPackage {
  /** True when a record lists it as a source package. */
  readonly isSource: boolean;
  readonly modules: readonly KnownVariant[];
  /** Empty when its fixes were not read completely. */
  readonly channels: readonly KnownVariant[];
}

type KnownSeries = Pick<PackageFix, 'name' | 'by'> & {
  readonly variants: string;
  readonly channels: Iterable<KnownVariant>;
};

/** @param series `variants` has one line for each pair of architecture and module, separated by a space. */
export function knownPackages(series: Iterable<KnownSeries>): ReadonlyMap<string, KnownPackage> {
  const known = new Map<string, KnownPackage>();
  for (const { name, by, variants, channels } of series) {
    const before = known.get(name);
    const modules = variants.split('\n').map((variant) => {
      const [architecture = '', module = ''] = variant.split(' ');
      return { architecture, of: module.split(':').slice(0, 2).join(':') };
    });
    known.set(name, {
      isSource: by === 'source' || before?.isSource === true,
      modules: [...(before?.modules ?? []), ...modules],
      channels: [...(before?.channels ?? []), ...channels],
    });
  }
  return known;
}

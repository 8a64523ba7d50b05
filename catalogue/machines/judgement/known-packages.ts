/** Collects the architectures and module streams that the catalogue has of each package, because other variants are not judged. */
import type { PackageFix } from './machine-fixes.ts';

/** Empty words stand for fixes that state none. */
export interface KnownPackage {
  /** True when a record lists it as a source package. */
  readonly isSource: boolean;
  readonly architectures: ReadonlySet<string>;
  /** `nodejs:18`, or `*` for fixes of modules that state no stream. */
  readonly modules: ReadonlySet<string>;
  /** Channels of its fixes; empty when they were not read completely. */
  readonly channels: ReadonlySet<string>;
}

interface Growing {
  isSource: boolean;
  readonly architectures: Set<string>;
  readonly modules: Set<string>;
  readonly channels: Set<string>;
}

type KnownSeries = Pick<PackageFix, 'name' | 'by'> & {
  readonly variants: string;
  readonly channels: Iterable<string>;
};

/** @param series `variants` has one line for each pair of architecture and module, separated by a space. */
export function knownPackages(series: Iterable<KnownSeries>): ReadonlyMap<string, KnownPackage> {
  const known = new Map<string, Growing>();
  for (const { name, by, variants, channels } of series) {
    const own = known.get(name) ?? {
      isSource: false,
      architectures: new Set(),
      modules: new Set(),
      channels: new Set(),
    };
    known.set(name, own);
    own.isSource ||= by === 'source';
    for (const channel of channels) own.channels.add(channel);
    for (const variant of variants.split('\n')) {
      const [architecture = '', module = ''] = variant.split(' ');
      own.architectures.add(architecture);
      own.modules.add(module.split(':').slice(0, 2).join(':'));
    }
  }
  return known;
}

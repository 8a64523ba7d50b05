/** What the catalogue knows of packages by their names: a package of another architecture or module stream is not judged. */
import type { PackageFix, PackageRecord } from './machine-fixes.ts';

/** Empty words where a fix states none. */
export interface KnownPackage {
  /** A record names a source package so. */
  readonly isSource: boolean;
  readonly architectures: ReadonlySet<string>;
  /** `nodejs:18` */
  readonly modules: ReadonlySet<string>;
}

interface Growing {
  isSource: boolean;
  readonly architectures: Set<string>;
  readonly modules: Set<string>;
}

/** `variants`: a line for each, architecture and module with a space between them. */
export function knownPackages(
  series: Iterable<Pick<PackageFix, 'name' | 'by'> & { readonly variants: string }>,
): ReadonlyMap<string, KnownPackage> {
  const known = new Map<string, Growing>();
  for (const { name, by, variants } of series) {
    const own = known.get(name) ?? {
      isSource: false,
      architectures: new Set(),
      modules: new Set(),
    };
    known.set(name, own);
    own.isSource ||= by === 'source';
    for (const variant of variants.split('\n')) {
      const [architecture = '', module = ''] = variant.split(' ');
      own.architectures.add(architecture);
      own.modules.add(module.split(':').slice(0, 2).join(':'));
    }
  }
  return known;
}

/** Of records that are read whole. */
export const packagesOfRecords = (
  records: readonly PackageRecord[],
): ReadonlyMap<string, KnownPackage> =>
  knownPackages(
    records.flatMap(({ fixes }) =>
      fixes.map(({ name, by, architecture, module }) => ({
        name,
        by,
        variants: `${architecture ?? ''} ${module ?? ''}`,
      })),
    ),
  );

/** What the catalogue knows of packages by their names: a package of another architecture or module stream is not judged. */
import type { PackageRecord } from './machine-fixes.ts';

/** Empty words where a fix states none. */
export interface KnownPackage {
  readonly architectures: ReadonlySet<string>;
  /** `nodejs:18` */
  readonly modules: ReadonlySet<string>;
}

/** `variants`: a line for each, architecture and module with a space between them. */
export function knownPackages(
  series: Iterable<{ readonly name: string; readonly variants: string }>,
): ReadonlyMap<string, KnownPackage> {
  const known = new Map<string, { architectures: Set<string>; modules: Set<string> }>();
  for (const { name, variants } of series) {
    const own = known.get(name) ?? { architectures: new Set(), modules: new Set() };
    known.set(name, own);
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
      fixes.map(({ name, architecture, module }) => ({
        name,
        variants: `${architecture ?? ''} ${module ?? ''}`,
      })),
    ),
  );

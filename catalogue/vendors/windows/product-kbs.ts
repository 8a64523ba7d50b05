/** The KBs of one product, each placed in its line and, where its build tells, on the branch that the product is on. */
import { compareBuilds, type FixedBuild } from './fixed-build.ts';
import type { KbForProduct } from './kb-for-product.ts';
import { type KbLine, lineOf } from './kb-lines.ts';
import type { OfferedUpdate } from './offered-updates.ts';
import { buildsOfRow, type ServicingFamilies } from './servicing-families.ts';
import { isWindows } from './windows-product.ts';

export interface PlacedKb {
  readonly kb: string;
  readonly line: KbLine;
  /** Of the branch that the product is on, or one that shares its updates; of several the highest. */
  readonly build: FixedBuild | null;
  /** The guide's row; null for an update that only Windows Update has. */
  readonly row: KbForProduct | null;
  /** The update that Windows Update offers for the product; null when none is, or none is known for certain. */
  readonly update: OfferedUpdate | null;
}

export interface ProductKb extends PlacedKb {
  /** Epoch milliseconds. */
  readonly releaseDate: number | null;
  /** By which it is put in order: the release date, or the day before which it cannot have been. */
  readonly notBefore: number | null;
}

export interface PlacingContext {
  readonly families: ServicingFamilies;
  /** The guide's types of a KB on all products of Windows. */
  readonly typesOf: (kb: string) => ReadonlySet<string>;
  readonly updateOf: (row: KbForProduct) => OfferedUpdate | null;
  /** Microsoft says that the KB is installed in addition to the cumulative updates. */
  readonly isStatedSeparate: (kb: string) => boolean;
}

/** `rows`: all of one product. */
export function placeKbs(
  rows: readonly KbForProduct[],
  { families, typesOf, updateOf, isStatedSeparate }: PlacingContext,
): PlacedKb[] {
  const branches = countedBranches(rows);
  const highestFirst = (a: FixedBuild, b: FixedBuild) =>
    compareBuilds(b, a) || branches.indexOf(a.branch) - branches.indexOf(b.branch);
  return rows.map((row) => {
    const { kb, product } = row;
    const ofWindows = isWindows(product.name, product.family);
    const family = families.ofProduct(product.name);
    const builds = buildsOfRow(row).filter(({ branch }) => families.of(branch) === family);
    const build = builds.toSorted(highestFirst)[0] ?? null;
    const update = updateOf(row);
    const line = lineOf({
      productName: product.name,
      isWindows: ofWindows,
      updateTypes: ofWindows ? typesOf(kb) : row.updateTypes,
      title: update?.title ?? null,
      isSeparate: families.isSpread(kb) || isStatedSeparate(kb),
      build,
    });
    return { kb, line, build, row, update };
  });
}

/** The branches that KBs name, those of most KBs first. */
function countedBranches(rows: readonly KbForProduct[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const branch of new Set(buildsOfRow(row).map((build) => build.branch)))
      counts.set(branch, (counts.get(branch) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .map(([branch]) => branch);
}

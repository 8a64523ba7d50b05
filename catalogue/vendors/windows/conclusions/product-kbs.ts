/** Assigns each KB of a product to its line and, when its build shows it, to the product's branch. */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import type { KbLine } from '../names/kb-lines.ts';
import type { OfferedUpdate } from '../scan-file/offered-updates.ts';
import { compareBuilds, type FixedBuild } from './fixed-build.ts';
import type { LineOfKb } from './lines-of-kbs.ts';
import { parseBuilds, type ServicingFamilies } from './servicing-families.ts';

export interface PlacedKb {
  readonly kb: string;
  readonly line: KbLine;
  /** Highest build on the product's branch or on one that shares its updates. */
  readonly build: FixedBuild | null;
  /** Whether its day orders it among the updates of its line, because no document states a build and names are certain. */
  readonly isOrderedByDay: boolean;
  /** The guide's row; null for an update that only Windows Update has. */
  readonly row: KbForProduct | null;
  /** Windows Update's update for the product; null without one that certainly matches. */
  readonly update: OfferedUpdate | null;
}

export interface ProductKb extends PlacedKb {
  /** Epoch milliseconds. */
  readonly releaseDate: number | null;
  /** Sort key: the release date, or the earliest possible day. */
  readonly notBefore: number | null;
}

export interface PlacementContext {
  readonly families: ServicingFamilies;
  readonly lines: ReadonlyMap<string, LineOfKb>;
  readonly findUpdate: (row: KbForProduct) => OfferedUpdate | null;
}

/** @param rows all rows of one product */
export function placeKbs(
  rows: readonly KbForProduct[],
  { families, lines, findUpdate }: PlacementContext,
): PlacedKb[] {
  const branches = rankBranches(rows);
  const highestFirst = (a: FixedBuild, b: FixedBuild) =>
    compareBuilds(b, a) || branches.indexOf(a.branch) - branches.indexOf(b.branch);
  return rows.map((row) => {
    const { kb, product } = row;
    const family = families.getProductFamily(product.name);
    const all = parseBuilds(row);
    const builds = all.filter(({ branch }) => families.getFamily(branch) === family);
    const build = builds.toSorted(highestFirst)[0] ?? null;
    const { line, isCertainByName } = lines.get(kb) ?? unknownLine;
    const isOrderedByDay = all.length === 0 && isCertainByName;
    return { kb, line, build, isOrderedByDay, row, update: findUpdate(row) };
  });
}

const unknownLine: LineOfKb = { line: 'Other product', isCertainByName: false };

/** Returns the branches of the KBs, the most frequent first. */
function rankBranches(rows: readonly KbForProduct[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const branch of new Set(parseBuilds(row).map((build) => build.branch)))
      counts.set(branch, (counts.get(branch) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1))
    .map(([branch]) => branch);
}

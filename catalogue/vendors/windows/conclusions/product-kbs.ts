/** Assigns each KB to its line, and each KB of a product, when its build shows it, to the product's branch. */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import { determineLine, isCumulativeOfInternetExplorer, type KbLine } from '../names/kb-lines.ts';
import { isWindows } from '../names/windows-product.ts';
import type { OfferedUpdate, OfferedUpdates } from '../scan-file/offered-updates.ts';
import { compareBuilds, type FixedBuild } from './fixed-build.ts';
import {
  findCommonRelease,
  isModernRelease,
  parseBuilds,
  type ServicingFamilies,
} from './servicing-families.ts';

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

interface PlacementContext {
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

interface LineOfKb {
  readonly line: KbLine;
  /** Whether names alone show that the line is the KB's on all of its products, where no document states a build. */
  readonly isCertainByName: boolean;
}

interface LineSources {
  readonly families: ServicingFamilies;
  readonly offered: Pick<OfferedUpdates, 'listUpdates'>;
  /** KBs that Microsoft says are installed in addition to the cumulative updates. */
  readonly separate: ReadonlySet<string>;
}

/**
 * Determines the line of each KB, once for all of its products.
 * @param rows all rows of the guide
 */
export function determineLines(
  rows: readonly KbForProduct[],
  sources: LineSources,
): ReadonlyMap<string, LineOfKb> {
  return new Map(
    [...Map.groupBy(rows, ({ kb }) => kb)].map(([kb, ofKb]) => [kb, toLine(kb, ofKb, sources)]),
  );
}

/**
 * A cumulative update or rollup is made for one release: one that names several has some by mistake. The guide names cumulative updates of
 * Windows 10 for Internet Explorer on other systems.
 */
function isForOneRelease(
  line: KbLine,
  { release, ofKb }: { readonly release: string | null; readonly ofKb: readonly KbForProduct[] },
): boolean {
  if (line === 'Cumulative update' || line === 'Monthly rollup') return release !== null;
  return (
    line !== 'Internet Explorer' ||
    ofKb.every(({ updateTypes }) => isCumulativeOfInternetExplorer(updateTypes))
  );
}

function toLine(
  kb: string,
  ofKb: readonly KbForProduct[],
  { families, offered, separate }: LineSources,
): LineOfKb {
  const ofWindows = ofKb.filter(({ product }) => isWindows(product.name, product.family));
  const release = findCommonRelease(ofWindows.map(({ product }) => product.name));
  const builds = ofWindows.flatMap(parseBuilds);
  const line = determineLine({
    productNames: ofKb.map(({ product }) => product.name),
    isWindows: ofWindows.length > 0,
    updateTypes: new Set(ofWindows.flatMap(({ updateTypes }) => [...updateTypes])),
    titles: offered.listUpdates(kb).map(({ title }) => title),
    isStatedSeparate: separate.has(kb),
    isSpread: families.isSpread(kb),
    hasModernBuild: builds.some(({ branch }) => branch.startsWith('10.')),
    hasPackageVersion: ofWindows.some((row) => parseBuilds(row).length < row.fixedBuilds.size),
    isForModernRelease: release !== null && isModernRelease(release),
  });
  return { line, isCertainByName: isForOneRelease(line, { release, ofKb }) };
}

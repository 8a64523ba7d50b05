/** Determines the line of each KB, once for all of its products. */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import { determineLine, isCumulativeOfInternetExplorer, type KbLine } from '../names/kb-lines.ts';
import { isWindows } from '../names/windows-product.ts';
import type { OfferedUpdates } from '../scan-file/offered-updates.ts';
import {
  findCommonRelease,
  isModernRelease,
  parseBuilds,
  type ServicingFamilies,
} from './servicing-families.ts';

export interface LineOfKb {
  readonly line: KbLine;
  /** Whether names alone show that the line is the KB's on all of its products, where no document states a build. */
  readonly isCertainByName: boolean;
}

export interface LineSources {
  readonly families: ServicingFamilies;
  readonly offered: Pick<OfferedUpdates, 'listUpdates'>;
  /** KBs that Microsoft says are installed in addition to the cumulative updates. */
  readonly separate: ReadonlySet<string>;
}

/** @param rows all rows of the guide */
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
function isCertainByName(
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
  return { line, isCertainByName: isCertainByName(line, { release, ofKb }) };
}

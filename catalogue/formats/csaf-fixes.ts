/** Maps the fixes of an advisory's records to products of a CSAF document. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { canBeMissing, fixesByRelease } from '../machines/judgement/indexed-fixes.ts';
import type { PackageFix } from '../machines/judgement/machine-fixes.ts';
import { isRetracted, readReleases } from '../machines/judgement/package-record.ts';
import { rowsIn, type StoredValues, wordIn, wordsIn } from '../machines/judgement/stored-values.ts';
import type { CsafProducts, FixedProduct } from './csaf-products.ts';
import type { CsafRestart } from './csaf-types.ts';
import type { AdvisoryPart } from './osv-record.ts';

/** Products that one record fixes for the same customers. */
export interface RecordFix {
  readonly part: AdvisoryPart;
  readonly products: readonly FixedProduct[];
  /** The subscription that the fix needs: `Ubuntu Pro`. Null for fixes that everybody gets. */
  readonly entitlement: string | null;
  /** The vendor took the fix back. */
  readonly isRetracted: boolean;
  /** Null where the vendor does not say. */
  readonly restart: CsafRestart | null;
}

export function recordFixes(
  list: ListDefinition,
  identifier: string,
  part: AdvisoryPart,
  products: CsafProducts,
): readonly RecordFix[] {
  const common = { part, isRetracted: isRetracted(part.detail), restart: findRestart(part) };
  const own = packageFixes(part, products);
  if (own.length > 0) return own.map((fixes) => ({ ...common, ...fixes }));
  const fixed = wholeProducts(list, identifier, part, products);
  return [{ ...common, products: fixed, entitlement: null }];
}

/** By what the customer must have bought. */
function packageFixes({ row, detail }: AdvisoryPart, products: CsafProducts) {
  const found = fixesByRelease(row, detail).flatMap(({ release, family, fixes }) =>
    selectPackages(fixes.filter((fix) => fix.version !== '' && canBeMissing(fix, family))).map(
      (fix) => ({
        entitlement: isForSubscribers(fix) ? 'Ubuntu Pro' : null,
        product: products.package(release, family, fix),
      }),
    ),
  );
  return [...Map.groupBy(found, ({ entitlement }) => entitlement)].map(([entitlement, own]) => ({
    entitlement,
    products: [...new Set(own.map(({ product }) => product))],
  }));
}

/** Source packages where the record names them, as in OSV; binary packages stand for records that state no source. */
function selectPackages(fixes: readonly PackageFix[]): readonly PackageFix[] {
  const sources = fixes.filter(({ by }) => by === 'source');
  return sources.length > 0 ? sources : fixes;
}

const isForSubscribers = ({ pocket, version }: PackageFix): boolean =>
  pocket !== null &&
  (pocket.includes('esm') ||
    pocket.startsWith('fips') ||
    pocket === 'realtime' ||
    /[+~.]esm\d/.test(version));

/** Products of a record that names no package with a version. */
function wholeProducts(
  list: ListDefinition,
  identifier: string,
  { row, detail }: AdvisoryPart,
  products: CsafProducts,
): readonly FixedProduct[] {
  const version = wordIn(row, 'version');
  const title = wordIn(row, 'title');
  if (list.source === 'mac' && version !== null && title !== null)
    return [products.version(withoutVersion(title, version), version, `${title} (${identifier})`)];
  const [build, ...otherBuilds] = wordsIn(detail, 'fixedBuild');
  const names = productNames(row, detail, list.shortLabel);
  return names.map((name) =>
    build !== undefined && otherBuilds.length === 0 && /^\d[\d.]*$/.test(build)
      ? products.version(name, build, identifier)
      : products.patch(name, identifier),
  );
}

function withoutVersion(title: string, version: string): string {
  const bare = title.replaceAll(version, '').replaceAll(/\s+/g, ' ').trim();
  return bare === '' ? title : bare;
}

function productNames(row: StoredValues, detail: StoredValues, other: string): readonly string[] {
  const product = wordIn(row, 'productName');
  if (product !== null) return [product];
  const named = [
    wordsIn(row, 'productName'),
    rowsIn(detail, 'releasePackages').flatMap((one) => wordIn(one, 'osVersion') ?? []),
    wordsIn(row, 'affectedOs'),
    // Apple's are numbers without the name of the system: 13.
    readReleases(row).filter((release) => /^\p{L}/u.test(release)),
  ].find((names) => names.length > 0);
  return [...new Set(named ?? [other])];
}

/** The words of Windows and macOS, and the marks of RPM errata. */
function findRestart({ row, detail }: AdvisoryPart): CsafRestart | null {
  const behaviour = wordIn(row, 'restartBehaviour') ?? wordIn(detail, 'restartBehaviour');
  if (behaviour === 'Required') return 'system';
  if (behaviour === 'Not required') return 'none';
  if (detail['rebootSuggested'] === true) return 'system';
  return detail['restartSuggested'] === true ? 'vulnerable_component' : null;
}

/** Maps the fixes of an advisory's records to products of a CSAF document. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { needsSubscription } from '../machines/judgement/deb-judgement.ts';
import { macName, majorMac } from '../machines/judgement/macos-judgement.ts';
import { isRetracted, readReleases } from '../machines/judgement/package-record.ts';
import { rowsIn, type StoredValues, wordIn, wordsIn } from '../machines/judgement/stored-values.ts';
import { macRelease } from '../machines/judgement/update-record.ts';
import { readProductBuild } from '../vendors/windows/conclusions/fixed-build.ts';
import { type AdvisoryPart, readAdvisoryFixes, selectPackages } from './advisory-fixes.ts';
import type { CsafProducts, FixedProduct } from './csaf-products.ts';
import type { CsafRestart } from './csaf-types.ts';

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
  const fixed = findRecordProducts(list, identifier, part, products);
  return [{ ...common, products: fixed, entitlement: null }];
}

/** By what the customer must have bought. */
function packageFixes(part: AdvisoryPart, products: CsafProducts) {
  const found = readAdvisoryFixes(part).flatMap(({ release, family, fixes }) =>
    selectPackages(fixes).map((fix) => ({
      entitlement: family === 'deb' && needsSubscription(fix) ? 'Ubuntu Pro' : null,
      product: products.package(release, family, fix),
    })),
  );
  return [...Map.groupBy(found, ({ entitlement }) => entitlement)].map(([entitlement, own]) => ({
    entitlement,
    products: [...new Set(own.map(({ product }) => product))],
  }));
}

/** Products of a record that names no package with a version. */
function findRecordProducts(
  list: ListDefinition,
  identifier: string,
  { row, detail }: AdvisoryPart,
  products: CsafProducts,
): readonly FixedProduct[] {
  if (list.source === 'mac') return macProducts(identifier, row, products);
  const [build, ...otherBuilds] = wordsIn(detail, 'fixedBuild');
  const names = productNames(row, detail, list.shortLabel);
  return names.map((name) => {
    const version =
      build === undefined || otherBuilds.length > 0 ? null : readProductBuild(name, build);
    return version === null
      ? products.patch(name, identifier)
      : products.version(name, version, identifier);
  });
}

/** A release of macOS is a version of its major version, an application one of its own; other updates are patches of the systems that they are for. */
function macProducts(
  identifier: string,
  row: StoredValues,
  products: CsafProducts,
): readonly FixedProduct[] {
  const title = wordIn(row, 'title') ?? identifier;
  const install = `${title} (${identifier})`;
  const { version, isSecurityUpdate } = macRelease({ key: identifier, row, detail: {} });
  const system = version === null ? null : majorMac(version);
  if (version !== null && system !== null && isSecurityUpdate !== true)
    return [products.version(system, version, install, `${macName} ${version}`)];
  const stated = wordIn(row, 'version');
  const application = stated === null ? '' : title.slice(0, -stated.length).trimEnd();
  const isApplication = version === null && !/Upd/.test(application);
  if (stated !== null && isApplication && title === `${application} ${stated}`)
    return [products.version(application, stated, install)];
  const systems = readReleases(row).map((release) => `${macName} ${release}`);
  return (systems.length === 0 ? [macName] : systems).map((one) => products.patch(one, install));
}

function productNames(row: StoredValues, detail: StoredValues, other: string): readonly string[] {
  const product = wordIn(row, 'productName');
  if (product !== null) return [product];
  const stated = [
    wordsIn(row, 'productName'),
    rowsIn(detail, 'releasePackages').flatMap((one) => wordIn(one, 'osVersion') ?? []),
    wordsIn(row, 'affectedOs'),
    readReleases(row),
  ].find((names) => names.length > 0);
  return [...new Set(stated ?? [other])];
}

/** The words of Windows and macOS, and the marks of RPM errata. */
function findRestart({ row, detail }: AdvisoryPart): CsafRestart | null {
  const behaviour = wordIn(row, 'restartBehaviour') ?? wordIn(detail, 'restartBehaviour');
  if (behaviour === 'Required') return 'system';
  if (behaviour === 'Not required') return 'none';
  if (detail['rebootSuggested'] === true) return 'system';
  return detail['restartSuggested'] === true ? 'vulnerable_component' : null;
}

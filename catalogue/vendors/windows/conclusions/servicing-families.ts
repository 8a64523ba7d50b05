/**
 * Families of Windows branches that share their updates: 10.0.19044 and 10.0.19045 get one KB each month with the same revision. Two
 * branches belong together when some KB brings both to the same revision.
 */
import type { KbForProduct } from '../guide/kb-for-product.ts';
import { parseProductName } from '../names/comparable-product.ts';
import { type FixedBuild, parseFixedBuild } from './fixed-build.ts';

type RowWithBuilds = Pick<KbForProduct, 'kb' | 'product' | 'fixedBuilds'>;

export class ServicingFamilies {
  readonly #parents = new Map<string, string>();
  readonly #familyOfProduct = new Map<string, string>();
  readonly #familiesOfKb = new Map<string, Set<string>>();

  constructor(rows: readonly RowWithBuilds[]) {
    const byRevision = new Map<string, Set<string>>();
    for (const row of rows)
      for (const { branch, order } of parseWindowsBuilds(row))
        addValue(byRevision, `${row.kb} ${order.join('.')}`, branch);
    for (const [first, ...others] of byRevision.values())
      for (const other of others) if (first !== undefined) this.#join(first, other);
    for (const [product, ofProduct] of Map.groupBy(rows, (row) => row.product.name)) {
      const family = this.#findMostFrequent(ofProduct);
      if (family !== null) this.#familyOfProduct.set(product, family);
    }
    for (const row of rows) {
      const family = this.#familyOfProduct.get(row.product.name);
      const isOwn = parseWindowsBuilds(row).some(({ branch }) => this.getFamily(branch) === family);
      if (isOwn && family !== undefined) addValue(this.#familiesOfKb, row.kb, family);
    }
  }

  /** Returns the common name of all branches that share their updates. */
  getFamily(branch: string): string {
    const parent = this.#parents.get(branch);
    return parent === undefined ? branch : this.getFamily(parent);
  }

  /** Returns the family of most of the product's KBs, because documents sometimes name a build of another product; null without builds. */
  getProductFamily(product: string): string | null {
    return this.#familyOfProduct.get(product) ?? null;
  }

  /**
   * A cumulative update is made for one family. A KB with builds of several families on their own products is a package beside the
   * cumulative updates, such as the one for the Secure Boot database: no cumulative update contains it.
   */
  isSpread(kb: string): boolean {
    return (this.#familiesOfKb.get(kb)?.size ?? 0) > 1;
  }

  #findMostFrequent(rows: readonly RowWithBuilds[]): string | null {
    const counts = new Map<string, number>();
    for (const row of rows)
      for (const family of new Set(parseBuilds(row).map(({ branch }) => this.getFamily(branch))))
        counts.set(family, (counts.get(family) ?? 0) + 1);
    const [most] = [...counts].toSorted(
      ([a, countOfA], [b, countOfB]) => countOfB - countOfA || (a < b ? -1 : 1),
    );
    return most?.[0] ?? null;
  }

  #join(a: string, b: string): void {
    const [from, to] = [this.getFamily(a), this.getFamily(b)].toSorted();
    if (from !== undefined && to !== undefined && from !== to) this.#parents.set(to, from);
  }
}

/** Builds of Windows 10 and later. */
const parseWindowsBuilds = (row: RowWithBuilds) =>
  parseBuilds(row).filter(({ branch }) => branch.startsWith('10.'));

export function parseBuilds({
  product,
  fixedBuilds,
}: Pick<KbForProduct, 'product' | 'fixedBuilds'>): FixedBuild[] {
  return [...fixedBuilds].flatMap(
    ([text, document]) => parseFixedBuild(product.name, text, document) ?? [],
  );
}

function addValue(map: Map<string, Set<string>>, key: string, value: string): void {
  const values = map.get(key) ?? new Set<string>();
  map.set(key, values.add(value));
}

/** Releases that get the same updates, as the guide and Windows Update name them. Where documents state builds, builds decide. */
const sharedReleases: readonly (readonly string[])[] = [
  ['Windows Vista', 'Server 2008'],
  ['Windows 7', 'Server 2008 R2'],
  ['Windows 8', 'Windows RT', 'Server 2012'],
  ['Windows 8.1', 'Windows RT 8.1', 'Server 2012 R2'],
  ['Windows 10 1607', 'Server 2016'],
  ['Windows 10 1709', 'Server 1709'],
  ['Windows 10 1803', 'Server 1803'],
  ['Windows 10 1809', 'Server 1809', 'Server 2019'],
  ['Windows 10 1903', 'Windows 10 1909', 'Server 1903', 'Server 1909'],
  'Windows 10 2004|Windows 10 20H2|Windows 10 21H1|Windows 10 21H2|Windows 10 22H2|Server 2004|Server 20H2'.split(
    '|',
  ),
  ['Windows 11 22H2', 'Windows 11 23H2'],
  ['Windows 11 24H2', 'Windows 11 25H2', 'Server 2025'],
];

/**
 * Returns the release of Windows that all of these products are, or the first of those that share its updates; null for products of
 * several.
 */
export function findCommonRelease(productNames: Iterable<string>): string | null {
  const releases = new Set(
    [...productNames].map((name) => {
      const { system } = parseProductName(name);
      return sharedReleases.find((shared) => shared.includes(system ?? ''))?.[0] ?? system;
    }),
  );
  const [release = null] = releases;
  return releases.size === 1 ? release : null;
}

/** Windows 10 and later are serviced by cumulative updates alone. */
export const isModernRelease = (release: string) =>
  !/^(?:Windows (?:Vista|XP|7|8|8\.1|RT|RT 8\.1)|Server (?:2003|2008|2012)(?: R2)?)$/.test(release);

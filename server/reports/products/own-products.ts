/** Resolves a person's choice of products to names in the catalogue: chosen ones, or the releases of the reported machines. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getList } from '@patch/catalogue/lists.ts';
import {
  productKey,
  productOfMachine,
} from '@patch/catalogue/machines/judgement/windows-products.ts';
import {
  maxChosenProducts,
  type OwnProducts,
  type ProductChoice,
} from '@patch/contract/base/product-choice.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { ListMemories } from '../../records/memory/list-memories.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { findSeenMachines } from '../../records/search/seen-machines.ts';
import { codeNames } from '../../records/words/aliases.ts';
import { type MachineRelease, readMachineReleases } from './machine-release-store.ts';

const allPatches = getList('all_patches');

export interface ProductParts {
  readonly database: Queryable;
  readonly memories: Pick<ListMemories, 'load'>;
  readonly store: Pick<SearchStore, 'findIds'>;
}

/** Names of products with their folded forms: the name itself, and the release that a suite such as `jammy-security` is of. */
export async function resolveProducts(
  { database, memories, store }: ProductParts,
  { from, products }: ProductChoice,
  sight: Sight,
): Promise<OwnProducts> {
  const { memory } = await memories.load(allPatches);
  const known = memory.words.get('release')?.listTexts() ?? [];
  if (from === 'chosen') return { from, ...matchProducts(products.map(toChosen), known) };
  const seen = await findSeenMachines(store, sight);
  const releases = await readMachineReleases(database, seen && [...seen]);
  return { from, ...matchProducts(releases.map(toReported), known) };
}

/** A product of the catalogue, as wanted ones are compared with it. */
interface Product {
  readonly name: string;
  readonly folded: string;
  /** The key of a product of Windows, that of its Server Core being the same; undefined for others. */
  readonly windows: string | undefined;
}

const toProduct = (name: string): Product => ({
  name,
  folded: fold(name),
  windows: productKey(name)?.replace('(core)', '(any)'),
});

interface Wanted {
  readonly name: string;
  readonly matches: (product: Product) => boolean;
}

export function matchProducts(
  wanted: readonly Wanted[],
  known: readonly string[],
): Omit<OwnProducts, 'from'> {
  const found = new Set<string>();
  const unmatched = new Set<string>();
  // Once for all that are wanted: a fleet has hundreds of releases.
  const products = known.map(toProduct);
  for (const { name, matches } of wanted) {
    const own = products.filter(matches);
    if (own.length === 0) unmatched.add(name);
    for (const product of own) found.add(product.name);
  }
  const names = [...found].toSorted();
  return {
    names: names.slice(0, maxChosenProducts),
    unmatched: [...unmatched],
    further: Math.max(0, names.length - maxChosenProducts),
  };
}

export function toChosen(name: string): Wanted {
  const chosen = fold(name);
  return { name, matches: ({ folded }) => folded === chosen };
}

/** Windows is found by its build, since its name has an edition and may be in another language; it also has the updates of its Server Core. */
export function toReported({ release: name, build, architecture }: MachineRelease): Wanted {
  const own = build === null ? null : productOfMachine({ build, distribution: name, architecture });
  const release = fold(name);
  return {
    name,
    matches: ({ folded, windows }) =>
      own === null ? isReleaseOf(release, folded) : windows === own,
  };
}

/** `ubuntu 22.04` for `jammy-security`. */
const withoutCodeName = (product: string): string =>
  codeNames.get(product.split('-')[0] ?? '') ?? product;

/** AlmaLinux 9.4 has the updates of AlmaLinux 9; Windows Server 2022 also those of its Server Core, but none of 2012 R2 on 2012. */
function isReleaseOf(machine: string, product: string): boolean {
  const name = withoutCodeName(product);
  if (name === machine) return true;
  const [short, long] = name.length < machine.length ? [name, machine] : [machine, name];
  return long.startsWith(short) && /^(?: (?!r2\b)|\.)/.test(long.slice(short.length));
}

/** Resolves a person's choice of products to names in the catalogue: chosen ones, or the releases of the reported machines. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import {
  maxChosenProducts,
  type OwnProducts,
  type ProductChoice,
} from '@patch/contract/product-choice.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { ListMemories } from '../../records/memory/list-memories.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { findSeenMachines } from '../../records/search/seen-machines.ts';
import { codeNames } from '../../records/words/aliases.ts';
import { readReleasesOf } from './machine-release-store.ts';
import { allPatches } from './month-scope.ts';

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
  const readReleases = async (list: ListDefinition) =>
    (await memories.load(list)).memory.words.get('release')?.listTexts() ?? [];
  const known = await readReleases(allPatches);
  const seen = from === 'chosen' ? null : await findSeenMachines(store, sight);
  const wanted =
    from === 'chosen'
      ? products
      : seen === null
        ? await readReleases(machineList)
        : await readReleasesOf(database, [...seen]);
  return { from, ...matchProducts(wanted, known, from === 'chosen' ? isSame : isReleaseOf) };
}

type Match = (wanted: string, product: string) => boolean;

export function matchProducts(
  wanted: readonly string[],
  known: readonly string[],
  matches: Match,
): Omit<OwnProducts, 'from'> {
  const byFolded = new Map(known.map((name) => [fold(name), name]));
  const found = new Set<string>();
  const unmatched: string[] = [];
  for (const name of wanted) {
    const own = [...byFolded].filter(([product]) => matches(fold(name), product));
    if (own.length === 0) unmatched.push(name);
    for (const [, product] of own) found.add(product);
  }
  const names = [...found].toSorted();
  return {
    names: names.slice(0, maxChosenProducts),
    unmatched,
    further: Math.max(0, names.length - maxChosenProducts),
  };
}

export const isSame: Match = (wanted, product) => wanted === product;

/** `ubuntu 22.04` for `jammy-security`. */
const withoutCodeName = (product: string): string =>
  codeNames.get(product.split('-')[0] ?? '') ?? product;

/** AlmaLinux 9.4 has the updates of AlmaLinux 9; Windows Server 2022 also those of its Server Core, but none of 2012 R2 on 2012. */
export const isReleaseOf: Match = (machine, product) => {
  const name = withoutCodeName(product);
  if (name === machine) return true;
  const [short, long] = name.length < machine.length ? [name, machine] : [machine, name];
  return long.startsWith(short) && /^(?: (?!r2\b)|\.)/.test(long.slice(short.length));
};

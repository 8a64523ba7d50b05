/** One entry for each installed package, although several outputs of one machine name it. */
import type { InstalledPackage } from '../machine.ts';

/** Of two entries for one package the facts of both; packages that another output calls removed are left out. */
export function mergedPackages(
  packages: readonly InstalledPackage[],
  removed: readonly InstalledPackage[],
): readonly InstalledPackage[] {
  const repeated = repeatedNames(packages);
  if (repeated.size === 0 && removed.length === 0) return packages;
  // A package whose name no other has is its own key: writing and comparing one is what takes time.
  const merged = new Map<string | InstalledPackage, InstalledPackage[]>();
  for (const found of packages) {
    const key = repeated.has(found.name) ? keyOf(found) : found;
    const same = merged.get(key) ?? [];
    const index = same.findIndex(
      ({ architecture }) =>
        architecture === found.architecture || architecture === null || found.architecture === null,
    );
    const other = same[index];
    if (other === undefined) same.push(found);
    else same[index] = withFactsOf(other, found);
    merged.set(key, same);
  }
  const gone = new Set(removed.map(keyOf));
  return [...merged.values()].flat().filter((found) => found.stateKnown || !gone.has(keyOf(found)));
}

function repeatedNames(packages: readonly InstalledPackage[]): ReadonlySet<string> {
  const [once, repeated] = [new Set<string>(), new Set<string>()];
  for (const { name } of packages) {
    const before = once.size;
    if (once.add(name).size === before) repeated.add(name);
  }
  return repeated;
}

const keyOf = ({ format, name, version }: InstalledPackage) => `${format} ${name} ${version}`;

function withFactsOf(one: InstalledPackage, other: InstalledPackage): InstalledPackage {
  return {
    ...one,
    epoch: one.epoch ?? other.epoch,
    architecture: one.architecture ?? other.architecture,
    module: one.module.kind === 'unstated' ? other.module : one.module,
    source: one.source ?? other.source,
    stateKnown: one.stateKnown || other.stateKnown,
  };
}

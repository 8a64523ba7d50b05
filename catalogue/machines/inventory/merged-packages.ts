/** Merges entries of one installed package from several outputs of a machine. */
import type { InstalledPackage } from '../machine.ts';

/** Merges the facts of both entries, and drops packages that another output reports as removed. */
export function mergePackages(
  packages: readonly InstalledPackage[],
  removed: readonly InstalledPackage[],
): readonly InstalledPackage[] {
  const repeated = repeatedNames(packages);
  if (repeated.size === 0 && removed.length === 0) return packages;
  // A package with a unique name is its own key, because building and comparing string keys is slow.
  const merged = new Map<string | InstalledPackage, InstalledPackage[]>();
  for (const found of packages) {
    const key = repeated.has(found.name) ? toKey(found) : found;
    const same = merged.get(key) ?? [];
    const index = same.findIndex(
      ({ architecture }) =>
        architecture === found.architecture || architecture === null || found.architecture === null,
    );
    const other = same[index];
    if (other === undefined) same.push(found);
    else same[index] = mergeFacts(other, found);
    merged.set(key, same);
  }
  const gone = new Set(removed.map(toKey));
  return [...merged.values()].flat().filter((found) => found.stateKnown || !gone.has(toKey(found)));
}

function repeatedNames(packages: readonly InstalledPackage[]): ReadonlySet<string> {
  const [once, repeated] = [new Set<string>(), new Set<string>()];
  for (const { name } of packages) {
    const before = once.size;
    if (once.add(name).size === before) repeated.add(name);
  }
  return repeated;
}

const toKey = ({ format, name, version }: InstalledPackage) => `${format} ${name} ${version}`;

function mergeFacts(a: InstalledPackage, b: InstalledPackage): InstalledPackage {
  return {
    ...a,
    epoch: a.epoch ?? b.epoch,
    architecture: a.architecture ?? b.architecture,
    module: a.module.kind === 'unstated' ? b.module : a.module,
    source: a.source ?? b.source,
    stateKnown: a.stateKnown || b.stateKnown,
  };
}

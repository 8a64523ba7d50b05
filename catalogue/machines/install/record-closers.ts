/** Finds which records of a plan close a missing record. */
import type { FixEvidence } from '../judgement/machine-fixes.ts';

/** A record to install. */
export interface InstallStep {
  readonly key: string;
  /** The targets that it fixes, of all missing records. */
  readonly targets: readonly string[];
}

/** Identifies an installed package, KB or application whose fix is missing. */
export const toTarget = ({
  name,
  architecture,
}: Pick<FixEvidence, 'name' | 'architecture'>): string => `${name} ${architecture ?? ''}`;

/** Orders records of a plan, so that it is the same wherever it is made. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key < b.key ? -1 : Number(a.key > b.key);

/** Returns by missing record the keys of the steps that fix its targets. A step has its own key among them. */
export function findClosers(
  missing: Iterable<{ readonly key: string; readonly evidence: readonly FixEvidence[] }>,
  steps: readonly InstallStep[],
): ReadonlyMap<string, readonly string[]> {
  const byTarget = Map.groupBy(
    steps.flatMap(({ key, targets }) => targets.map((target) => ({ key, target }))),
    ({ target }) => target,
  );
  return new Map(
    Array.from(missing, ({ key, evidence }) => {
      const closing = evidence.flatMap((one) => byTarget.get(toTarget(one)) ?? []);
      return [key, [...new Set(closing.map((step) => step.key))]];
    }),
  );
}

/** Returns the steps that close a record in its place: none for a step, which closes itself. */
export function getReplacements(
  key: string,
  closers: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const steps = closers.get(key) ?? [];
  return steps.includes(key) ? [] : steps;
}

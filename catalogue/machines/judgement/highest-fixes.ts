/** Reduces a record's evidence to one fix for each package. */
import type { FixEvidence } from './machine-fixes.ts';

/** Returns the highest of several fixes for one installed package. */
export function highestFixes(
  evidence: readonly FixEvidence[],
  compare: (a: string, b: string) => number,
): readonly FixEvidence[] {
  const highest = new Map<string, FixEvidence>();
  for (const one of evidence) {
    const key = `${one.name} ${one.architecture ?? ''} ${one.installed}`;
    const known = highest.get(key);
    if (known === undefined || compare(known.fixed, one.fixed) < 0) highest.set(key, one);
  }
  return [...highest.values()];
}

/** What parts of an inventory, or a machine, say of a record whose fix they lack. */
import type { FixEvidence, UncertainReason } from '../machines/judgement/machine-fixes.ts';

export const missingStates = ['uncertain', 'needsSubscription', 'missing'] as const;
export type MissingState = (typeof missingStates)[number];

/** The verdict on a record whose fix a part or a machine lacks. */
export interface MissingFinding {
  readonly state: MissingState;
  /** Set for the state `uncertain`. */
  readonly reason: UncertainReason | null;
  readonly evidence: readonly FixEvidence[];
}

/** Combines the findings of several parts about one record: the most certain state counts, with its evidence only. */
export function combinedFinding(findings: readonly MissingFinding[]): MissingFinding | null {
  const state = missingStates.findLast((one) => findings.some((found) => found.state === one));
  if (state === undefined) return null;
  const own = findings.filter((found) => found.state === state);
  const reasons = own.flatMap(({ reason }) => reason ?? []).toSorted();
  return { state, reason: reasons[0] ?? null, evidence: own.flatMap(({ evidence }) => evidence) };
}

/** CVSS scores that the records of a vendor state. See docs/decisions/059. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { type CvssVersion, cvssVersions } from '../definition/risk-facts.ts';
import { wordOf } from '../values/vendor-words.ts';
import { baseScore, versionOfVector } from './cvss-values.ts';

export interface StatedScore {
  /** Upper case. */
  readonly cve: string;
  /** Null where the vector does not tell it. */
  readonly version: CvssVersion | null;
  /** From 0 to 10, as stated; it is not computed from the vector. */
  readonly score: number;
  readonly vector: string | null;
}

export interface VendorScore extends Omit<StatedScore, 'cve'> {
  /** Whose score it is: Microsoft. */
  readonly by: string;
}

const cveName = /^CVE-\d{4}-\d{4,19}$/;

/** The longest vector of version 4 has fewer than 300 characters. */
const maxVectorLength = 400;

/** None of a list whose records state none. What is no CVE or no score is left out. */
export function statedScores(
  { detail: { scores } }: ListDefinition,
  detail: Readonly<Record<string, unknown>>,
): readonly StatedScore[] {
  const rows = scores === undefined ? null : detail[scores.table];
  if (scores === undefined || !Array.isArray(rows)) return [];
  return rows.flatMap((row: Readonly<Record<string, unknown>> | null) => {
    const cve = wordOf(row?.['cve'])?.toUpperCase() ?? '';
    const score = baseScore(row?.[scores.score]);
    if (score === null || !cveName.test(cve)) return [];
    const written = wordOf(row?.[scores.vector]);
    const vector = written !== null && written.length <= maxVectorLength ? written : null;
    return { cve, version: versionOfVector(vector), score, vector };
  });
}

/** The highest version first, one that is not known last; within it the highest score, then by vendor. */
export function comparePreference(one: VendorScore, other: VendorScore): number {
  return (
    rankOf(one.version) - rankOf(other.version) ||
    other.score - one.score ||
    (one.by < other.by ? -1 : Number(one.by > other.by))
  );
}

const rankOf = (version: CvssVersion | null): number =>
  version === null ? cvssVersions.length : cvssVersions.indexOf(version);

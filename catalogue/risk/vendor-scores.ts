/** CVSS scores that records of a vendor state. See docs/decisions/059. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { type CvssVersion, cvssVersions } from '../definition/risk-facts.ts';
import { toWord } from '../values/vendor-words.ts';
import { parseBaseScore, parseVectorVersion } from './cvss-values.ts';

export interface StatedScore {
  /** In upper case. */
  readonly cve: string;
  /** Null when the vector does not state it. */
  readonly version: CvssVersion | null;
  /** From 0 to 10, as stated; not computed from the vector. */
  readonly score: number;
  readonly vector: string | null;
}

export interface VendorScore extends Omit<StatedScore, 'cve'> {
  /** Name of the vendor: Microsoft. */
  readonly by: string;
}

const cveName = /^CVE-\d{4}-\d{4,19}$/;

/** The longest vector of version 4 has fewer than 300 characters. */
const maxVectorLength = 400;

/** Reads the scores of a record; none when the list has no scores. Rows without a CVE or a valid score are left out. */
export function parseStatedScores(
  { detail: { scores } }: ListDefinition,
  detail: Readonly<Record<string, unknown>>,
): readonly StatedScore[] {
  const rows = scores === undefined ? null : detail[scores.table];
  if (scores === undefined || !Array.isArray(rows)) return [];
  return rows.flatMap((row: Readonly<Record<string, unknown>> | null) => {
    const cve = toWord(row?.['cve'])?.toUpperCase() ?? '';
    const score = parseBaseScore(row?.[scores.score]);
    if (score === null || !cveName.test(cve)) return [];
    const written = toWord(row?.[scores.vector]);
    const vector = written !== null && written.length <= maxVectorLength ? written : null;
    return { cve, version: parseVectorVersion(vector), score, vector };
  });
}

/** Sorts by version, highest first and unknown last, then by score, highest first, then by vendor. */
export function comparePreference(a: VendorScore, b: VendorScore): number {
  return (
    getVersionRank(a.version) - getVersionRank(b.version) ||
    b.score - a.score ||
    (a.by < b.by ? -1 : Number(a.by > b.by))
  );
}

const getVersionRank = (version: CvssVersion | null): number =>
  version === null ? cvssVersions.length : cvssVersions.indexOf(version);

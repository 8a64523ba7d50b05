/** Single values of CVSS as publishers write them. */
import { type CvssVersion, cvssVersions } from '../definition/risk-facts.ts';

/** Null for what is no number from 0 to 10. */
export function baseScore(value: unknown): number | null {
  const isNumber =
    typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value));
  const number = isNumber ? Number(value) : Number.NaN;
  return number >= 0 && number <= 10 ? number : null;
}

/** Vectors of version 2 do not name it; null where it cannot be told. */
export function versionOfVector(vector: string | null): CvssVersion | null {
  const named = /^CVSS:(\d+\.\d+)\//i.exec(vector ?? '')?.[1];
  if (named !== undefined) return cvssVersions.find((version) => version === named) ?? null;
  return /(?:^|\/)Au:[MSN](?:\/|$)/i.test(vector ?? '') ? '2.0' : null;
}

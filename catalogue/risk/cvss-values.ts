/** CVSS values as publishers write them. */
import { type CvssVersion, cvssVersions } from '../definition/risk-facts.ts';

/** Returns null for anything but a number from 0 to 10. */
export function parseBaseScore(value: unknown): number | null {
  const isNumber =
    typeof value === 'number' || (typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value));
  const number = isNumber ? Number(value) : Number.NaN;
  return number >= 0 && number <= 10 ? number : null;
}

/** Vectors of version 2 do not state their version. Returns null when it cannot be determined. */
export function parseVectorVersion(vector: string | null): CvssVersion | null {
  const stated = /^CVSS:(\d+\.\d+)\//i.exec(vector ?? '')?.[1];
  if (stated !== undefined) return cvssVersions.find((version) => version === stated) ?? null;
  return /(?:^|\/)Au:[MSN](?:\/|$)/i.test(vector ?? '') ? '2.0' : null;
}

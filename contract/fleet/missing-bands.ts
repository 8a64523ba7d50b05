/** Urgency bands of the records that a machine certainly lacks. */
import { isSerious } from '@patch/catalogue/schemas/severities.ts';
import type { MissingBand, MissingRecord } from './assessment-endpoint.ts';

export const bandLabels: Readonly<Record<MissingBand, string>> = {
  exploited: 'Exploited now',
  serious: 'Critical and important',
  others: 'The rest',
};

/** Returns the band of a record; null for a record that is not certainly missing. */
export function getMissingBand({
  state,
  exploited,
  severity,
}: Pick<MissingRecord, 'state' | 'exploited' | 'severity'>): MissingBand | null {
  if (state !== 'missing') return null;
  if (exploited === true) return 'exploited';
  return isSerious(severity) ? 'serious' : 'others';
}

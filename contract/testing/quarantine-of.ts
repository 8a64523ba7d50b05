/** Builds a quarantine of 860 missing records of Debian 12, with the given properties. */
import type { QuarantineEntry } from '../sources/quarantine-entry.ts';

export function quarantineOf(more: Partial<QuarantineEntry> = {}): QuarantineEntry {
  return {
    part: '12',
    partLabel: 'Debian 12',
    list: 'debian_patch',
    reason: 'records_missing',
    records: 860,
    known: 900,
    losses: [],
    examples: [],
    runId: 1,
    quarantinedAt: 1,
    ...more,
  };
}

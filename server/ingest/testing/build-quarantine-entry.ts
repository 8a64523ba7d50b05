/** Builds a quarantine entry for tests. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';

export function buildQuarantineEntry(
  more: Partial<QuarantineEntry> & { readonly source: SourceKey },
) {
  return {
    part: 'two',
    list: 'almalinux_patch',
    reason: 'records_missing' as const,
    partLabel: 'Small two',
    records: 20,
    known: 30,
    losses: [],
    examples: [],
    runId: 7,
    quarantinedAt: 1,
    ...more,
  };
}

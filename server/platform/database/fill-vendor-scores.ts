/** Keeps the CVSS scores that records of a version without them state. */
import { type Filling, fillFromRecords } from './fill-from-records.ts';
import { keepVendorScores } from './keep-vendor-scores.ts';
import { refreshStatistics } from './refresh-statistics.ts';
import { refreshStaleCves } from './stale-cve-store.ts';

/** Answers how many records were read. Rejects with a DatabaseError. */
export async function fillVendorScores(filling: Filling): Promise<number> {
  const read = await fillFromRecords(filling, {
    table: 'vendor_score_to_fill',
    isOf: ({ detail }) => detail.scores !== undefined,
    keep: (tx, list, records) =>
      keepVendorScores(
        tx,
        list,
        records.map(({ recordId, detail }) => ({ rowId: recordId, detail })),
        { now: Date.now(), fresh: new Set() },
      ),
  });
  if (read > 0) {
    await refreshStaleCves(filling.database, filling.signal);
    await refreshStatistics(filling.database, { vendor_score: read });
  }
  return read;
}

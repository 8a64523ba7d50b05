/** Reads a complete part and checks each entry, before anything is written. */
import type { Conclusion, Part, PartManifest } from '@patch/catalogue/definition/feed.ts';
import { detachText } from '@patch/catalogue/parsers/detach-text.ts';
import type { ConclusionToWrite } from '../../platform/database/records/conclusion-writer.ts';
import type { RenamedEntry } from '../../platform/database/records/former-keys.ts';
import { PackageStatuses } from '../../platform/database/records/package-status-store.ts';
import { contentHash } from '../../platform/database/rows/content-hash.ts';
import { RemarkCollector, type StoredRejection } from '../parts/standing-remarks.ts';
import { UnknownWordCounts } from '../parts/unknown-word-counts.ts';
import type { RunningRun } from '../runs/running-run.ts';
import { findProblem } from './check-entry.ts';
import { EntrySpool } from './entry-spool.ts';

export interface PartReading {
  readonly spool: EntrySpool;
  readonly entries: number;
  /** Content hashes of the entries by natural key, by list. */
  readonly hashesByList: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Natural keys of the vendor's invalid records. */
  readonly rejectedKeys: ReadonlySet<string>;
  /** Entries that had other natural keys before, by list. */
  readonly renamed: ReadonlyMap<string, readonly RenamedEntry[]>;
  readonly remarks: RemarkCollector;
  readonly statuses: PackageStatuses;
  /** Conclusions by list. */
  readonly conclusions: ReadonlyMap<string, readonly ConclusionToWrite[]>;
}

function addConclusion(
  conclusions: Map<string, ConclusionToWrite[]>,
  { list, key, values }: Conclusion,
): void {
  const listConclusions = conclusions.get(list.key) ?? [];
  conclusions.set(list.key, listConclusions);
  listConclusions.push({ key, values, hash: contentHash({}, values) });
}

export async function readPart(
  part: Part,
  contents: PartManifest,
  running: RunningRun,
  folder: string,
): Promise<PartReading> {
  const spool = await EntrySpool.create(folder);
  const hashesByList = new Map<string, Map<string, string>>();
  const rejectedKeys = new Set(
    contents.remarks?.flatMap((remark) =>
      remark.kind === 'rejection' ? (remark.keys ?? [remark.rejected]) : [],
    ),
  );
  const renamed = new Map<string, RenamedEntry[]>();
  const unknownWords = new UnknownWordCounts();
  const remarks = new RemarkCollector(running, part);
  const url = contents.documents[0]?.url ?? '';
  const statuses = new PackageStatuses();
  const conclusions = new Map<string, ConclusionToWrite[]>();
  let entries = 0;

  async function reject(rejection: StoredRejection): Promise<void> {
    for (const key of rejection.keys ?? [rejection.rejected]) rejectedKeys.add(detachText(key));
    await remarks.reject(rejection);
  }

  try {
    for await (const reading of part.read(contents)) {
      running.signal.throwIfAborted();
      if (reading.kind === 'remark') remarks.addRemark(reading);
      else if (reading.kind === 'rejection') await reject(reading);
      else if (reading.kind === 'status') statuses.add(detachText(reading));
      else if (reading.kind === 'conclusion') addConclusion(conclusions, reading);
      if (reading.kind !== 'entry') continue;
      const { list, key, formerKeys = [], row, detail } = reading;
      const problem = findProblem(reading);
      if (problem !== null) {
        await reject({
          rejected: typeof key === 'string' && key !== '' ? key : `(record ${entries + 1})`,
          reason: problem,
          url,
        });
        continue;
      }
      const hash = contentHash(row, detail);
      const keys = hashesByList.get(list.key) ?? new Map<string, string>();
      hashesByList.set(list.key, keys);
      const before = keys.get(key);
      if (before !== undefined) {
        const reason =
          'The vendor lists it twice with different contents. The first entry is used.';
        if (before !== hash) await remarks.reject({ rejected: key, reason, url });
        continue;
      }
      // Copies the key, because a slice of the text of the document would keep the complete text in memory.
      keys.set(detachText(key), hash);
      if (formerKeys.length > 0) {
        const renamedEntries = renamed.get(list.key) ?? [];
        renamed.set(list.key, renamedEntries);
        renamedEntries.push(detachText({ key, formerKeys }));
      }
      entries++;
      unknownWords.count(reading);
      await spool.add(list, { key, row, detail, contentHash: hash });
    }
  } catch (error) {
    await spool.remove();
    throw error;
  }
  remarks.setWords(unknownWords.counted);
  return { spool, entries, hashesByList, rejectedKeys, renamed, remarks, statuses, conclusions };
}

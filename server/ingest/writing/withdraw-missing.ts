/** Withdraws the rows of a part that its vendor does not list any more. Quarantines too many at once. See docs/decisions/065. */

import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { sha256 } from '@patch/catalogue/parsers/sha256.ts';
import { withdraw } from '../../platform/database/records/entry-writer.ts';
import {
  readIdentities,
  readKeysOfPart,
} from '../../platform/database/records/listed-keys-store.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { renewFingerprint } from '../parts/quarantine-store.ts';
import type { RemarkCollector } from '../parts/standing-remarks.ts';
import type { PartReading } from '../reading/read-part.ts';
import { partListParams } from '../runs/part-params.ts';
import { maxExamples } from './loss-tally.ts';
import { batchesOf, logChanges, type PartWriting, rowsPerBatch } from './part-writing.ts';
import { Quarantine } from './quarantine.ts';

/** A part with fewer rows may lose all of them without suspicion. */
export const minSuspiciousRows = 20;
/** The key of the only change: a decision applies to all missing rows together. */
const allRows = 'all';

export interface MissingRows {
  readonly list: ListDefinition;
  /** Count of rows of the part, including missing ones. */
  readonly known: number;
  readonly rowIds: readonly number[];
}

/** Finds the rows of each list that the reading does not contain. Call it before writing, so that new rows do not count as known. */
export async function findMissingRows(
  { database, feed, part }: PartWriting,
  { hashesByList, rejectedKeys }: PartReading,
): Promise<MissingRows[]> {
  const missing: MissingRows[] = [];
  for (const list of feed.fills) {
    const known = await readKeysOfPart(database, list, part.key);
    const listed = hashesByList.get(list.key);
    const rowIds = [...known]
      .filter(([key]) => listed?.has(key) !== true && !rejectedKeys.has(key))
      .map(([, id]) => id);
    missing.push({ list, known: known.size, rowIds });
  }
  return missing;
}

/**
 * Withdraws the missing rows, unless any of them wait for a decision. Returns false in that case; the part then does not count as read.
 *
 * @param hasLostContent the publication has lost content, so that even a few missing rows are quarantined. The same applies to twenty
 * rows or more when a document has become much smaller.
 */
export async function withdrawMissing(
  writing: PartWriting,
  { remarks }: PartReading,
  lists: readonly MissingRows[],
  hasLostContent: boolean,
): Promise<boolean> {
  const verdicts = [];
  for (const missing of lists)
    verdicts.push({
      missing,
      ...(await judgeMissingRows(writing, remarks, missing, { hasLostContent })),
    });
  if (verdicts.some(({ verdict }) => verdict === 'wait')) return false;
  for (const { missing, verdict, quarantine } of verdicts)
    if (verdict === 'withdraw') await withdrawRows(writing, missing, quarantine);
  return true;
}

export type Verdict = 'withdraw' | 'keep' | 'wait';

type PartToWrite = Pick<
  PartWriting,
  'database' | 'running' | 'shrinkageShare' | 'contents' | 'last'
> & { readonly part: AnyPart };

export interface MissingVerdict {
  readonly verdict: Verdict;
  /** Its changes must be released after the verdict has been applied. */
  readonly quarantine: Quarantine;
}

interface LossLimits {
  readonly hasLostContent?: boolean;
  /** Maximum of rows that may be missing; null for the share in the settings of the source. */
  readonly maxRows?: number | null;
}

export async function judgeMissingRows(
  writing: PartToWrite,
  remarks: RemarkCollector,
  missing: MissingRows,
  limits: LossLimits,
): Promise<MissingVerdict> {
  const since = performance.now();
  const judged = await decideOnMissingRows(writing, remarks, missing, limits);
  writing.running.logDecision('missing records were judged', {
    part: writing.part.key,
    list: missing.list.key,
    known: missing.known,
    missing: missing.rowIds.length,
    verdict: judged.verdict,
    ms: msSince(since),
  });
  return judged;
}

async function decideOnMissingRows(
  writing: PartToWrite,
  remarks: RemarkCollector,
  { list, known, rowIds }: MissingRows,
  { hasLostContent = false, maxRows = null }: LossLimits,
): Promise<MissingVerdict> {
  const { database, part, running, shrinkageShare } = writing;
  const quarantine = await Quarantine.open(writing, list, 'records_missing');
  const fingerprint = hashText(hashIds(rowIds));
  const decision = quarantine.findDecision(allRows, fingerprint);
  const areMany =
    maxRows === null
      ? known >= minSuspiciousRows && rowIds.length * 100 > known * shrinkageShare
      : rowIds.length > maxRows;
  const shrunk = rowIds.length >= minSuspiciousRows ? shrunkDocument(writing) : undefined;
  const isSuspicious = areMany || hasLostContent || shrunk !== undefined;
  if (rowIds.length === 0 || decision === 'accepted' || !(isSuspicious || decision === 'rejected'))
    return { verdict: 'withdraw', quarantine };
  const params = {
    ...partListParams(part, list),
    known,
    listed: known - rowIds.length,
    smallerDocument: areMany ? null : (shrunk ?? null),
  };
  if (decision === 'rejected') {
    const decidedBy = quarantine.before.get(allRows)?.decidedBy ?? '';
    remarks.addDecision({ code: 'withdrawals_kept', params: { ...params, decidedBy } });
    return { verdict: 'keep', quarantine };
  }
  const names = await readIdentities(database, list, rowIds.slice(0, maxExamples));
  await quarantine.requestDecision(new Map([[allRows, fingerprint]]), {
    records: rowIds.length,
    known,
    losses: [],
    examples: names.map((name) => ({ name, losses: [] })),
  });
  running.warn({ code: 'withdrawals_held', params });
  return { verdict: 'wait', quarantine };
}

/** Finds a document that has lost more than the share of its bytes. The total of many documents would not show it. */
function shrunkDocument({ contents, last, shrinkageShare }: PartToWrite): string | undefined {
  return contents.documents.find(
    ({ url, size }) => size * 100 < (last?.sizes.get(url) ?? 0) * (100 - shrinkageShare),
  )?.url;
}

/** Withdraws in batches. Each batch limits the decision to the remaining rows, so that it stays valid after an interruption. */
async function withdrawRows(
  writing: PartWriting,
  { list, rowIds }: MissingRows,
  quarantine: Quarantine,
): Promise<void> {
  const { database, running, changed } = writing;
  if (rowIds.length > 0) changed.add(list);
  let remaining = hashIds(rowIds);
  for (const batch of batchesOf(rowIds, rowsPerBatch, running)) {
    remaining ^= hashIds(batch);
    await database.transaction(async (tx) => {
      const changes = await withdraw(tx, list, batch, Date.now());
      await logChanges(tx, writing, list, changes);
      await renewFingerprint(tx, quarantine.entryKey, allRows, hashText(remaining));
      running.counts.withdrawn += changes.length;
    });
  }
  await quarantine.release();
}

/** Hashes the ids independently of their order. The operator ^ removes ids from the hash. */
function hashIds(rowIds: readonly number[]): bigint {
  return rowIds.reduce((hash, id) => hash ^ sha256(String(id)).readBigUInt64BE(), 0n);
}

const hashText = (hash: bigint) => hash.toString(16).padStart(16, '0');

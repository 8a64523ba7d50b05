/** Withdraws the rows of a part that its vendor no longer lists. Too many at once look suspicious: they are quarantined. See docs/decisions/065. */

import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { sha256 } from '@patch/catalogue/parsers/sha256.ts';
import { withdraw } from '../../platform/database/entry-writer.ts';
import { identitiesOf, keysOfPart } from '../../platform/database/listed-keys-store.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { examplesShown } from './loss-summary.ts';
import { partListParams } from './part-params.ts';
import { logChanges, type PartWriting, rowsABatch } from './part-writing.ts';
import { Quarantine } from './quarantine.ts';
import { renewFingerprint } from './quarantine-store.ts';
import type { PartReading } from './read-part.ts';
import type { RemarkCollector } from './standing-remarks.ts';

/** Fewer rows than this may all disappear without suspicion. */
export const fewRows = 20;
/** A decision is about all missing rows together. */
const all = 'all';

export interface MissingRows {
  readonly list: ListDefinition;
  /** The part's row count, missing ones included. */
  readonly known: number;
  readonly rowIds: readonly number[];
}

/** The rows that are missing in what was read, by list. Call before that is written, so that new rows do not count as known. */
export async function missingRows(
  { database, feed, part }: PartWriting,
  { met, rejectedKeys }: PartReading,
): Promise<MissingRows[]> {
  const missing: MissingRows[] = [];
  for (const list of feed.fills) {
    const known = await keysOfPart(database, list, part.key);
    const listed = met.get(list.key);
    const rowIds = [...known]
      .filter(([key]) => listed?.has(key) !== true && !rejectedKeys.has(key))
      .map(([, id]) => id);
    missing.push({ list, known: known.size, rowIds });
  }
  return missing;
}

/**
 * False when something of the part waits for a decision: then none of its rows is withdrawn, and it does not count as read. If a
 * publication has lost content, no row counts as removed, however few are missing; the same holds for twenty rows or more when one of
 * its documents has become much smaller.
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
      ...(await verdictOnMissing(writing, remarks, missing, { hasLostContent })),
    });
  if (verdicts.some(({ verdict }) => verdict === 'wait')) return false;
  for (const { missing, verdict, quarantine } of verdicts)
    if (verdict === 'withdraw') await withdrawRows(writing, missing, quarantine);
  return true;
}

export type Verdict = 'withdraw' | 'keep' | 'wait';

type WritingOfPart = Pick<
  PartWriting,
  'database' | 'running' | 'shrinkageShare' | 'contents' | 'last'
> & { readonly part: AnyPart };

export interface MissingVerdict {
  readonly verdict: Verdict;
  /** Releases its changes once the verdict has been followed. */
  readonly quarantine: Quarantine;
}

interface LossLimits {
  readonly hasLostContent?: boolean;
  /** How many may go at once; null: the share of the source's settings. */
  readonly maxRows?: number | null;
}

export async function verdictOnMissing(
  writing: WritingOfPart,
  remarks: RemarkCollector,
  missing: MissingRows,
  limits: LossLimits,
): Promise<MissingVerdict> {
  const since = performance.now();
  const judged = await judgeMissing(writing, remarks, missing, limits);
  writing.running.decided('missing records were judged', {
    part: writing.part.key,
    list: missing.list.key,
    known: missing.known,
    missing: missing.rowIds.length,
    verdict: judged.verdict,
    ms: msSince(since),
  });
  return judged;
}

async function judgeMissing(
  writing: WritingOfPart,
  remarks: RemarkCollector,
  { list, known, rowIds }: MissingRows,
  { hasLostContent = false, maxRows = null }: LossLimits,
): Promise<MissingVerdict> {
  const { database, part, running, shrinkageShare } = writing;
  const quarantine = await Quarantine.open(writing, list, 'records_missing');
  const fingerprint = hashText(hashOf(rowIds));
  const decision = quarantine.decisionOn(all, fingerprint);
  const areMany =
    maxRows === null
      ? known >= fewRows && rowIds.length * 100 > known * shrinkageShare
      : rowIds.length > maxRows;
  const shrunk = rowIds.length >= fewRows ? shrunkDocument(writing) : undefined;
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
    const decidedBy = quarantine.before.get(all)?.decidedBy ?? '';
    remarks.decision({ code: 'withdrawals_kept', params: { ...params, decidedBy } });
    return { verdict: 'keep', quarantine };
  }
  const names = await identitiesOf(database, list, rowIds.slice(0, examplesShown));
  await quarantine.ask(new Map([[all, fingerprint]]), {
    records: rowIds.length,
    known,
    losses: [],
    examples: names.map((name) => ({ name, losses: [] })),
  });
  running.warn({ code: 'withdrawals_held', params });
  return { verdict: 'wait', quarantine };
}

/** The address of a document that has lost more than the share of its bytes: in a part of many documents the total would hide that. */
function shrunkDocument({ contents, last, shrinkageShare }: WritingOfPart): string | undefined {
  return contents.documents.find(
    ({ url, size }) => size * 100 < (last?.sizes.get(url) ?? 0) * (100 - shrinkageShare),
  )?.url;
}

/** Each batch updates the decision to cover the remaining rows: an interrupted run does not have to ask again. */
async function withdrawRows(
  writing: PartWriting,
  { list, rowIds }: MissingRows,
  quarantine: Quarantine,
): Promise<void> {
  const { database, running, changed } = writing;
  if (rowIds.length > 0) changed.add(list);
  let left = hashOf(rowIds);
  for (let from = 0; from < rowIds.length; from += rowsABatch) {
    running.signal.throwIfAborted();
    const batch = rowIds.slice(from, from + rowsABatch);
    left ^= hashOf(batch);
    await database.transaction(async (tx) => {
      const changes = await withdraw(tx, list, batch, Date.now());
      await logChanges(tx, writing, list, changes);
      await renewFingerprint(tx, quarantine.place, all, hashText(left));
      running.counts.withdrawn += changes.length;
    });
  }
  await quarantine.release();
}

/** Of the ids in any order; ids are removed again with ^. */
function hashOf(rowIds: readonly number[]): bigint {
  return rowIds.reduce((hash, id) => hash ^ sha256(String(id)).readBigUInt64BE(), 0n);
}

const hashText = (hash: bigint) => hash.toString(16).padStart(16, '0');

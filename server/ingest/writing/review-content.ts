/** Quarantines changes of records when a publication has lost too much content at once. See docs/decisions/065. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { carryConclusion } from '../../platform/database/records/concluded-content.ts';
import type { EntryToWrite } from '../../platform/database/records/project-record.ts';
import {
  getRecordIdentity,
  readRecordContents,
  readRowKeys,
} from '../../platform/database/records/stored-record.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import type { PartReading } from '../reading/read-part.ts';
import { partListParams } from '../runs/part-params.ts';
import type { Comparison } from './compare-stored.ts';
import { type ContentChange, compareContent } from './content-loss.ts';
import { LossSummary, LossTally } from './loss-tally.ts';
import { isPartial, type PartWriting } from './part-writing.ts';
import { Quarantine } from './quarantine.ts';

/** Records that are compared at once. A stored record may be far larger than the new one. */
const contentsPerQuery = 50;

export interface ContentVerdict {
  /** Natural keys of the entries that must not be written. */
  readonly quarantined: ReadonlyMap<ListDefinition, ReadonlySet<string>>;
  /** Changes wait for a decision, so that the part does not count as read. */
  readonly isPending: boolean;
  /** Changes are pending or rejected, so that missing records are not withdrawn without a decision either. */
  readonly hasLostContent: boolean;
  /** Removes decisions that do not apply any more. Call it after all other entries are written. */
  readonly settle: () => Promise<void>;
}

/** The review of one list. */
class ListReview {
  readonly list: ListDefinition;
  readonly quarantine: Quarantine;
  /** Natural keys of all reviewed records, by row id. */
  readonly keys = new Map<string, string>();
  /** Row ids whose current content has been rejected. */
  readonly rejected = new Set<string>();
  readonly deciders = new Set<string>();
  /** Records that wait for a decision. Starts with those that were pending or decided with other content. */
  readonly pending = new LossSummary();
  /** Records that lose content for the first time. */
  readonly fresh = new LossSummary();
  /** Records that lose and gain nothing. If others lose much, their changes are probably a consequence, such as a date of a lost document. */
  readonly replaced = new LossSummary();
  /** Ids of quarantined rows that a partial reading has not read. Their entries stay unchanged. */
  unread: ReadonlySet<string> = new Set();

  constructor(list: ListDefinition, quarantine: Quarantine) {
    this.list = list;
    this.quarantine = quarantine;
  }

  get isPending(): boolean {
    return this.pending.fingerprints.size > 0;
  }

  isQuarantined(rowId: string): boolean {
    return this.rejected.has(rowId) || this.pending.fingerprints.has(rowId);
  }
}

/**
 * Reviews all changed records. After a change of the reader's version, which itself changes content, reviews only records that are
 * already quarantined.
 */
export async function reviewContent(
  writing: PartWriting,
  reading: PartReading,
  comparison: Comparison,
): Promise<ContentVerdict> {
  const { feed, last, shrinkageShare, part, running } = writing;
  const since = performance.now();
  const isSameReader = last?.writtenVersion === feed.version;
  const tally = new LossTally(shrinkageShare);
  const reviews = new Map<ListDefinition, ListReview>();
  for (const list of feed.fills)
    reviews.set(list, new ListReview(list, await Quarantine.open(writing, list, 'content_lost')));
  await compareContents(
    writing,
    reading,
    comparison,
    (list, { key, contentHash }, id, name, { lost, replaced, isGain }) => {
      const review = reviews.get(list);
      if (review === undefined) return;
      const rowId = String(id);
      const before = review.quarantine.before.get(rowId);
      const decision = review.quarantine.findDecision(rowId, contentHash);
      if (decision === 'accepted') return;
      if (decision === 'rejected') {
        review.rejected.add(rowId);
        review.deciders.add(before?.decidedBy ?? '');
      } else if (
        before !== undefined &&
        (!isSameReader || (before.decision === 'rejected' && lost.length > 0))
      ) {
        review.pending.add(rowId, contentHash, name, lost.length > 0 ? lost : replaced);
      } else if (isSameReader && lost.length > 0) {
        review.fresh.add(rowId, contentHash, name, lost);
        tally.add(list, name, lost);
      } else if (isSameReader && !isGain) review.replaced.add(rowId, contentHash, name, replaced);
      else return;
      review.keys.set(rowId, key);
    },
  );
  if (tally.isLarge((list) => comparison.get(list)?.listedBefore ?? 0))
    for (const { pending, fresh, replaced } of reviews.values())
      for (const others of [fresh, replaced]) pending.addAll(others);
  for (const review of reviews.values()) {
    review.unread = await findUnreadRows(writing, reading, review);
    const { listedBefore = 0, changed } = comparison.get(review.list) ?? {};
    await requestDecision(writing, reading, review, listedBefore);
    running.logDecision('content was reviewed', {
      part: part.key,
      list: review.list.key,
      compared: changed?.size ?? 0,
      pending: review.pending.fingerprints.size,
      rejected: review.rejected.size,
      ms: msSince(since),
    });
  }
  const quarantined = new Map(
    [...reviews].map(([list, review]) => [
      list,
      new Set([...review.keys].flatMap(([id, key]) => (review.isQuarantined(id) ? [key] : []))),
    ]),
  );
  return {
    quarantined,
    isPending: [...reviews.values()].some((review) => review.isPending),
    hasLostContent: [...quarantined.values()].some((keys) => keys.size > 0),
    settle: async () => {
      for (const review of reviews.values())
        await review.quarantine.release(
          (id) => !review.isQuarantined(id) && !review.unread.has(id),
        );
    },
  };
}

type OnChange = (
  list: ListDefinition,
  entry: EntryToWrite,
  rowId: number,
  name: string,
  change: ContentChange,
) => void;

/** Compares each listed record with its new content. */
async function compareContents(
  { database, feed, running }: PartWriting,
  { spool }: PartReading,
  comparison: Comparison,
  onChange: OnChange,
): Promise<void> {
  const isChanged = (list: ListDefinition, key: string) =>
    comparison.get(list)?.changed.has(key) === true;
  if ([...comparison.values()].every(({ changed }) => changed.size === 0)) return;
  const waiting = new Map<ListDefinition, Map<number, EntryToWrite>>();
  const compare = async (list: ListDefinition, entries: ReadonlyMap<number, EntryToWrite>) => {
    running.signal.throwIfAborted();
    const contents = await readRecordContents(database, list, [...entries.keys()]);
    for (const [rowId, entry] of entries) {
      const was = contents.get(rowId);
      if (was !== undefined)
        onChange(
          list,
          entry,
          rowId,
          getRecordIdentity(list, was.row, entry.key),
          // Adds the conclusions of other parts, which this entry cannot lose.
          compareContent(list, was, carryConclusion(list, was, entry)),
        );
    }
  };
  for await (const { list, entry } of spool.entries(feed.fills, isChanged)) {
    const rowId = comparison.get(list)?.changed.get(entry.key);
    if (rowId === undefined) continue;
    const entries = (waiting.get(list) ?? new Map<number, EntryToWrite>()).set(rowId, entry);
    waiting.set(list, entries);
    if (entries.size < contentsPerQuery) continue;
    waiting.delete(list);
    await compare(list, entries);
  }
  for (const [list, entries] of waiting) await compare(list, entries);
}

async function findUnreadRows(
  { database, contents, last }: PartWriting,
  { hashesByList }: PartReading,
  review: ListReview,
): Promise<ReadonlySet<string>> {
  if (!isPartial(contents, last)) return new Set();
  const { list, quarantine } = review;
  const others = [...quarantine.before.keys()].filter((id) => !review.isQuarantined(id));
  const keys = await readRowKeys(database, list, others.map(Number));
  return new Set(
    others.filter((id) => hashesByList.get(list.key)?.has(keys.get(Number(id)) ?? '') !== true),
  );
}

async function requestDecision(
  { part, running }: PartWriting,
  { remarks }: PartReading,
  { list, quarantine, rejected, deciders, pending, isPending, unread }: ListReview,
  known: number,
): Promise<void> {
  const params = partListParams(part, list);
  if (rejected.size > 0) {
    const decided = { records: rejected.size, decidedBy: [...deciders] };
    remarks.addDecision({ code: 'content_kept', params: { ...params, ...decided } });
  }
  if (!isPending) return;
  const { fingerprints, losses, examples, mostLosses } = pending;
  const counts = { records: fingerprints.size, compared: known };
  running.warn({ code: 'content_held', params: { ...params, ...counts, losses: mostLosses } });
  const all = new Map(fingerprints);
  for (const [id, { fingerprint, decision }] of quarantine.before)
    if (decision === null && unread.has(id)) all.set(id, fingerprint);
  await quarantine.requestDecision(all, { records: all.size, known, losses, examples });
}

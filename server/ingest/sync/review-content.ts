/** Keeps records as they are when a publication takes too much away from them at once, until an administrator decides. See docs/decisions/065. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { carryConclusion } from '../../platform/database/concluded-content.ts';
import type { EntryToWrite } from '../../platform/database/project-record.ts';
import { identityOf, keysOfRows, storedContents } from '../../platform/database/stored-record.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import type { Comparison } from './compare-stored.ts';
import { type ContentChange, contentChange } from './content-loss.ts';
import { LossSummary } from './loss-summary.ts';
import { LossTally } from './loss-tally.ts';
import { partListParams } from './part-params.ts';
import { isPartial, type PartWriting } from './part-writing.ts';
import { Quarantine } from './quarantine.ts';
import type { PartReading } from './read-part.ts';

/** Records that are compared at a time: a stored one may be far larger than the new one. */
const contentsAQuery = 50;

export interface ContentVerdict {
  /** Natural keys of the entries that are not written. */
  readonly quarantined: ReadonlyMap<ListDefinition, ReadonlySet<string>>;
  /** Something waits for a decision: the part does not count as read. */
  readonly isPending: boolean;
  /** Something waits, or was rejected: the publication is not to be believed in what it no longer lists either. */
  readonly hasLostContent: boolean;
  /** Forgets the decisions that no longer apply. To be called when all other entries are written. */
  readonly settle: () => Promise<void>;
}

/** The review of one list. */
class ListReview {
  readonly list: ListDefinition;
  readonly quarantine: Quarantine;
  /** Natural keys of all records below, by row id. */
  readonly keys = new Map<string, string>();
  /** Rejected is exactly what the vendor publishes now. */
  readonly rejected = new Set<string>();
  readonly deciders = new Set<string>();
  /** Wait for a decision: at first those that waited or were decided with other content. */
  readonly pending = new LossSummary();
  readonly fresh = new LossSummary();
  /** They lose nothing and gain nothing. Where others lose much, that is likely to be a consequence: a date that another document gives. */
  readonly replaced = new LossSummary();
  /** Quarantined rows that were not read, in a publication of which only a part was looked at: they stay as they were. */
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
 * A change of the reader changes what records say without the vendor: where its version is another than the one that wrote the rows,
 * only records that are quarantined already are looked at.
 */
export async function reviewContent(
  writing: PartWriting,
  reading: PartReading,
  comparison: Comparison,
): Promise<ContentVerdict> {
  const { feed, last, shrinkageShare, part, running } = writing;
  const since = performance.now();
  const isJudged = last?.writtenVersion === feed.version;
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
      const decision = review.quarantine.decisionOn(rowId, contentHash);
      if (decision === 'accepted') return;
      if (decision === 'rejected') {
        review.rejected.add(rowId);
        review.deciders.add(before?.decidedBy ?? '');
      } else if (
        before !== undefined &&
        (!isJudged || (before.decision === 'rejected' && lost.length > 0))
      ) {
        review.pending.add(rowId, contentHash, name, lost.length > 0 ? lost : replaced);
      } else if (isJudged && lost.length > 0) {
        review.fresh.add(rowId, contentHash, name, lost);
        tally.add(list, name, lost);
      } else if (isJudged && !isGain) review.replaced.add(rowId, contentHash, name, replaced);
      else return;
      review.keys.set(rowId, key);
    },
  );
  if (tally.isLarge((list) => comparison.get(list)?.listedBefore ?? 0))
    for (const { pending, fresh, replaced } of reviews.values())
      for (const others of [fresh, replaced]) pending.join(others);
  for (const review of reviews.values()) {
    review.unread = await unreadRows(writing, reading, review);
    const { listedBefore = 0, changed } = comparison.get(review.list) ?? {};
    await ask(writing, reading, review, listedBefore);
    running.decided('content was reviewed', {
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

/** Each record that is listed with other content. */
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
    for (const [rowId, was] of await storedContents(database, list, [...entries.keys()])) {
      const entry = entries.get(rowId);
      if (entry !== undefined)
        onChange(
          list,
          entry,
          rowId,
          identityOf(list, was.row, entry.key),
          // Only its own part's words can be lost by it.
          contentChange(list, was, carryConclusion(list, was, entry)),
        );
    }
  };
  for await (const { list, entry } of spool.entries(feed.fills, isChanged)) {
    const rowId = comparison.get(list)?.changed.get(entry.key);
    if (rowId === undefined) continue;
    const entries = (waiting.get(list) ?? new Map<number, EntryToWrite>()).set(rowId, entry);
    waiting.set(list, entries);
    if (entries.size < contentsAQuery) continue;
    waiting.delete(list);
    await compare(list, entries);
  }
  for (const [list, entries] of waiting) await compare(list, entries);
}

async function unreadRows(
  { database, contents, last }: PartWriting,
  { met }: PartReading,
  review: ListReview,
): Promise<ReadonlySet<string>> {
  if (!isPartial(contents, last)) return new Set();
  const { list, quarantine } = review;
  const others = [...quarantine.before.keys()].filter((id) => !review.isQuarantined(id));
  const keys = await keysOfRows(database, list, others.map(Number));
  return new Set(
    others.filter((id) => met.get(list.key)?.has(keys.get(Number(id)) ?? '') !== true),
  );
}

async function ask(
  { part, running }: PartWriting,
  { remarks }: PartReading,
  { list, quarantine, rejected, deciders, pending, isPending, unread }: ListReview,
  known: number,
): Promise<void> {
  const params = partListParams(part, list);
  if (rejected.size > 0) {
    const decided = { records: rejected.size, decidedBy: [...deciders] };
    remarks.decision({ code: 'content_kept', params: { ...params, ...decided } });
  }
  if (!isPending) return;
  const { fingerprints, losses, examples, mostLosses } = pending;
  const counts = { records: fingerprints.size, compared: known };
  running.warn({ code: 'content_held', params: { ...params, ...counts, losses: mostLosses } });
  const all = new Map(fingerprints);
  for (const [id, { fingerprint, decision }] of quarantine.before)
    if (decision === null && unread.has(id)) all.set(id, fingerprint);
  await quarantine.ask(all, { records: all.size, known, losses, examples });
}

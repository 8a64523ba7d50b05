/** Keeps records as they are when a publication takes too much away from them at once, until an administrator decides. See docs/decisions/014. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { carryConclusion } from '../../platform/database/concluded-content.ts';
import type { EntryToWrite } from '../../platform/database/project-record.ts';
import { identityOf, keysOfRows, storedContents } from '../../platform/database/stored-record.ts';
import type { Comparison } from './compare-stored.ts';
import { type ContentChange, contentChange } from './content-loss.ts';
import {
  type HeldRecord,
  heldRecords,
  openContentQuestion,
  releaseRecords,
  withdrawQuestion,
} from './held-content-store.ts';
import { HeldQuestion } from './held-question.ts';
import type { HeldPlace } from './held-withdrawal-store.ts';
import { LossTally } from './loss-tally.ts';
import { partListParams } from './part-params.ts';
import { isPartial, type PartWriting } from './part-writing.ts';
import type { PartReading } from './read-part.ts';

/** Few: what is stored may be far larger than what takes its place. */
const contentsAQuery = 50;

export interface ContentVerdict {
  /** Natural keys of the entries that are not written. */
  readonly kept: ReadonlyMap<ListDefinition, ReadonlySet<string>>;
  /** Something waits for a decision: the part does not count as read. */
  readonly waits: boolean;
  /** Something waits, or was decided to be kept: the publication is not to be believed in what it no longer lists either. */
  readonly hasLostContent: boolean;
  /** Forgets the decisions that no longer apply. To be called when all other entries are written. */
  readonly settle: () => Promise<void>;
}

/** Of one list. */
class Losing {
  readonly list: ListDefinition;
  readonly before: ReadonlyMap<number, HeldRecord>;
  readonly keys = new Map<number, string>();
  /** As was decided of exactly what the vendor says now, and by whom. */
  readonly kept = new Set<number>();
  readonly keepers = new Set<string>();
  /** Held or kept before, with other content. */
  readonly again = new HeldQuestion();
  readonly fresh = new HeldQuestion();
  /** They lose nothing and gain nothing. Where others lose much, that is likely to be a consequence: a date that another document gives. */
  readonly replaced = new HeldQuestion();

  constructor(list: ListDefinition, before: ReadonlyMap<number, HeldRecord>) {
    this.list = list;
    this.before = before;
  }
}

/**
 * A change of the reader changes what records say without the vendor: where its version is another than the one that wrote the rows,
 * only records that are held already are looked at.
 */
export async function holdContent(
  writing: PartWriting,
  reading: PartReading,
  comparison: Comparison,
): Promise<ContentVerdict> {
  const { database, feed, last, shrinkageShare } = writing;
  const isJudged = last?.writtenVersion === feed.version;
  const tally = new LossTally(shrinkageShare);
  const lists = new Map<ListDefinition, Losing>();
  for (const list of feed.fills)
    lists.set(list, new Losing(list, await heldRecords(database, placeOf(writing, list))));
  await compareContents(
    writing,
    reading,
    comparison,
    (list, { key, contentHash }, rowId, name, { lost, replaced, isGain }) => {
      const losing = lists.get(list);
      if (losing === undefined) return;
      const before = losing.before.get(rowId);
      const isSame = before?.contentHash === contentHash;
      if (isSame && before.decision === 'accept') return;
      if (isSame && before.decision === 'keep') {
        losing.kept.add(rowId);
        losing.keepers.add(before.decidedBy ?? '');
      } else if (
        before !== undefined &&
        (!isJudged || (before.decision === 'keep' && lost.length > 0))
      ) {
        losing.again.add({ rowId, contentHash }, name, lost.length > 0 ? lost : replaced);
      } else if (isJudged && lost.length > 0) {
        losing.fresh.add({ rowId, contentHash }, name, lost);
        tally.add(list, name, lost);
      } else if (isJudged && !isGain) losing.replaced.add({ rowId, contentHash }, name, replaced);
      else return;
      losing.keys.set(rowId, key);
    },
  );
  const isLarge = tally.isLarge((list) => comparison.get(list)?.listedBefore ?? 0);
  const verdicts = [...lists.values()].map((losing) => ({
    losing,
    question: questionOf(losing, isLarge),
  }));
  for (const { losing, question } of verdicts)
    await ask(writing, reading, losing, question, comparison);
  const kept = verdicts.map(({ losing, question }) => {
    const rowIds = [...losing.kept, ...question.records.map(({ rowId }) => rowId)];
    return [losing.list, new Set(rowIds.map((rowId) => losing.keys.get(rowId) ?? ''))] as const;
  });
  return {
    kept: new Map(kept),
    waits: verdicts.some(({ question }) => question.records.length > 0),
    hasLostContent: kept.some(([, keys]) => keys.size > 0),
    settle: async () => {
      for (const { losing, question } of verdicts) await settle(writing, reading, losing, question);
    },
  };
}

function questionOf({ again, fresh, replaced }: Losing, isLarge: boolean): HeldQuestion {
  if (isLarge) for (const other of [fresh, replaced]) again.join(other);
  return again;
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

async function ask(
  writing: PartWriting,
  { remarks }: PartReading,
  { list, before, kept, keepers }: Losing,
  question: HeldQuestion,
  comparison: Comparison,
): Promise<void> {
  const { database, part, running } = writing;
  const { records, losses, examples } = question;
  if (kept.size > 0) {
    remarks.decision({
      code: 'content_kept',
      params: { ...partListParams(part, list), records: kept.size, decidedBy: [...keepers] },
    });
  }
  if (records.length === 0) return;
  const compared = comparison.get(list)?.listedBefore ?? 0;
  running.warn({
    code: 'content_held',
    params: {
      ...partListParams(part, list),
      records: records.length,
      compared,
      losses: question.mostLosses,
    },
  });
  const undecided = [...before.values()].filter(({ decision }) => decision === null);
  const isAsked =
    undecided.length === records.length &&
    records.every(({ rowId, contentHash }) => isUndecided(before.get(rowId), contentHash));
  if (isAsked) return;
  const place = placeOf(writing, list);
  const told = {
    partLabel: part.label,
    records: records.length,
    compared,
    losses,
    examples,
    runId: running.run.id,
    heldAt: Date.now(),
  };
  await openContentQuestion(database, { ...place, ...told }, records);
}

const isUndecided = (before: HeldRecord | undefined, hash: string) =>
  before?.decision === null && before.contentHash === hash;

/** Where not all was looked at, what was not met stays as it was. */
async function settle(
  writing: PartWriting,
  { met }: PartReading,
  { list, before, kept }: Losing,
  { records }: HeldQuestion,
): Promise<void> {
  const { database, contents, last } = writing;
  const place = placeOf(writing, list);
  const asked = new Set(records.map(({ rowId }) => rowId));
  const others = [...before.values()].filter(({ rowId }) => !kept.has(rowId) && !asked.has(rowId));
  const keys = isPartial(contents, last)
    ? await keysOfRows(
        database,
        list,
        others.map(({ rowId }) => rowId),
      )
    : null;
  const [released, left] = [true, false].map((isReleased) =>
    others.filter(
      ({ rowId }) =>
        isReleased === (keys === null || met.get(list.key)?.has(keys.get(rowId) ?? '') === true),
    ),
  ) as [HeldRecord[], HeldRecord[]];
  await releaseRecords(
    database,
    place,
    released.map(({ rowId }) => rowId),
  );
  if (asked.size === 0 && left.every(({ decision }) => decision !== null))
    await withdrawQuestion(database, place);
}

function placeOf({ part, running }: PartWriting, list: ListDefinition): HeldPlace {
  return { source: running.run.source, part: part.key, list: list.key };
}

/** Withdraws the rows of a part that its vendor no longer lists. Too many at once look suspicious: they are held until an administrator decides. */

import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { sha256 } from '@patch/catalogue/parsers/sha256.ts';
import { withdraw } from '../../platform/database/entry-writer.ts';
import { identitiesOf, keysOfPart } from '../../platform/database/listed-keys-store.ts';
import { heldRows, hold, holdRest, release } from './held-withdrawal-store.ts';
import { partListParams } from './part-params.ts';
import { logChanges, type PartWriting, rowsABatch } from './part-writing.ts';
import type { PartReading } from './read-part.ts';
import type { RemarkCollector } from './standing-remarks.ts';

/** Fewer rows than this may all disappear without suspicion. */
export const fewRows = 20;
const examplesShown = 10;

export interface GoneRows {
  readonly list: ListDefinition;
  /** The part's row count, missing ones included. */
  readonly known: number;
  readonly rowIds: readonly number[];
}

/** The rows that are missing in what was read, by list. Call before that is written, so that new rows do not count as known. */
export async function goneRows(
  { database, feed, part }: PartWriting,
  { met, rejectedKeys }: PartReading,
): Promise<GoneRows[]> {
  const gone: GoneRows[] = [];
  for (const list of feed.fills) {
    const known = await keysOfPart(database, list, part.key);
    const listed = met.get(list.key);
    const rowIds = [...known]
      .filter(([key]) => listed?.has(key) !== true && !rejectedKeys.has(key))
      .map(([, id]) => id);
    gone.push({ list, known: known.size, rowIds });
  }
  return gone;
}

/**
 * False when something of the part is held: then none of its rows is withdrawn, and it does not count as read. If a publication
 * has lost content, no row counts as removed, however few are missing; the same holds for twenty rows or more when one of its
 * documents has become much smaller.
 */
export async function withdrawGone(
  writing: PartWriting,
  { remarks }: PartReading,
  all: readonly GoneRows[],
  hasLostContent: boolean,
): Promise<boolean> {
  const verdicts = [];
  for (const gone of all)
    verdicts.push({ gone, verdict: await verdictOn(writing, remarks, gone, hasLostContent) });
  if (verdicts.some(({ verdict }) => verdict === 'held')) return false;
  for (const { gone, verdict } of verdicts)
    if (verdict === 'withdraw') await withdrawRows(writing, gone);
  return true;
}

export type Verdict = 'withdraw' | 'keep' | 'held';

type WritingOfPart = Pick<
  PartWriting,
  'database' | 'running' | 'shrinkageShare' | 'contents' | 'last'
> & { readonly part: AnyPart };

/**
 * Of something else than rows of lists: whether it may go. `most`: how many may go at once; null: the share of the source's
 * settings. `settle` forgets the decision once it has been followed.
 */
export async function verdictOnGone(
  writing: WritingOfPart,
  remarks: RemarkCollector,
  gone: GoneRows,
  most: number | null,
): Promise<{ readonly verdict: Verdict; readonly settle: () => Promise<void> }> {
  const verdict = await verdictOn(writing, remarks, gone, false, most);
  return { verdict, settle: () => release(writing.database, placeOf(writing, gone.list)) };
}

async function verdictOn(
  writing: WritingOfPart,
  remarks: RemarkCollector,
  gone: GoneRows,
  hasLostContent: boolean,
  most: number | null = null,
): Promise<Verdict> {
  const { database, part, running, shrinkageShare } = writing;
  const { list, known, rowIds } = gone;
  const place = placeOf(writing, list);
  const held = await heldRows(database, place);
  const missingHash = hashText(hashOf(rowIds));
  const isKept = held?.missingHash === missingHash && held.decision === 'keep';
  const areMany =
    most === null
      ? known >= fewRows && rowIds.length * 100 > known * shrinkageShare
      : rowIds.length > most;
  const shrunk = rowIds.length >= fewRows ? shrunkDocument(writing) : undefined;
  if (rowIds.length === 0 || !(areMany || hasLostContent || isKept || shrunk !== undefined))
    return 'withdraw';
  const params = {
    ...partListParams(part, list),
    known,
    listed: known - rowIds.length,
    smallerDocument: areMany ? null : (shrunk ?? null),
  };
  if (held?.missingHash !== missingHash) {
    const examples = await identitiesOf(database, list, rowIds.slice(0, examplesShown));
    const runId = running.run.id;
    const missing = rowIds.length;
    await hold(database, {
      ...place,
      partLabel: part.label,
      known,
      missing,
      examples,
      missingHash,
      runId,
      heldAt: Date.now(),
    });
  } else if (held.decision === 'withdraw') {
    return 'withdraw';
  } else if (held.decision === 'keep') {
    const decidedBy = held.decidedBy ?? '';
    remarks.decision({ code: 'withdrawals_kept', params: { ...params, decidedBy } });
    return 'keep';
  }
  running.warn({ code: 'withdrawals_held', params });
  return 'held';
}

/** The address of a document that has lost more than the share of its bytes: in a part of many documents the total would hide that. */
function shrunkDocument({ contents, last, shrinkageShare }: WritingOfPart): string | undefined {
  return contents.documents.find(
    ({ url, size }) => size * 100 < (last?.sizes.get(url) ?? 0) * (100 - shrinkageShare),
  )?.url;
}

/** Each batch updates the decision to cover the remaining rows: an interrupted run does not have to ask again. */
async function withdrawRows(writing: PartWriting, { list, rowIds }: GoneRows): Promise<void> {
  const { database, running, changed } = writing;
  const place = placeOf(writing, list);
  if (rowIds.length > 0) changed.add(list);
  let left = hashOf(rowIds);
  for (let from = 0; from < rowIds.length; from += rowsABatch) {
    running.signal.throwIfAborted();
    const batch = rowIds.slice(from, from + rowsABatch);
    left ^= hashOf(batch);
    await database.transaction(async (tx) => {
      const changes = await withdraw(tx, list, batch, Date.now());
      await logChanges(tx, writing, list, changes);
      await holdRest(tx, place, hashText(left));
      running.counts.withdrawn += changes.length;
    });
  }
  await release(database, place);
}

function placeOf({ part, running }: Pick<WritingOfPart, 'part' | 'running'>, list: ListDefinition) {
  return { source: running.run.source, part: part.key, list: list.key };
}

/** Of the ids in any order; ids are removed again with ^. */
function hashOf(rowIds: readonly number[]): bigint {
  return rowIds.reduce((hash, id) => hash ^ sha256(String(id)).readBigUInt64BE(), 0n);
}

const hashText = (hash: bigint) => hash.toString(16).padStart(16, '0');

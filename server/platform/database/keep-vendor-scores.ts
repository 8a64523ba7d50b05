/**
 * Keeps the CVSS scores that vendors' records state, in the transaction that writes the records. A score that its record states no
 * longer goes at once; whether another record states one is looked up afterwards, with what else of the CVE is stale.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { factsAlone, lockVulnerabilities, markStale, statedAlone } from './cve-row-store.ts';
import type { Queryable } from './database.ts';
import { lockRisk } from './record-risk-store.ts';
import {
  isKeptOver,
  keptOf,
  keyOfScore,
  knownScoresOf,
  putScores,
  removeScoreRows,
  type ScoreRow,
  scoresInRecords,
  scoresOfCves,
  scoresOfRecords,
} from './vendor-score-store.ts';
import { deriveVendorScored } from './vulnerability-row-store.ts';

export interface WrittenRecord {
  readonly rowId: number;
  readonly detail: Readonly<Record<string, unknown>>;
}

/**
 * Call when the records are in the index and their CVEs have rows. `fresh`: CVEs (folded) that these records alone name: what depends
 * on them is computed with the records.
 */
export async function keepVendorScores(
  tx: Queryable,
  list: ListDefinition,
  records: readonly WrittenRecord[],
  { now, fresh }: { readonly now: number; readonly fresh: ReadonlySet<string> },
): Promise<void> {
  if (list.detail.scores === undefined || records.length === 0) return;
  await lockRisk(tx);
  await lockVulnerabilities(tx);
  const details = new Map(records.map(({ rowId, detail }) => [rowId, detail]));
  const stated = keptOf(await scoresInRecords(tx, list.key, details));
  const cves = [...new Set([...stated.values()].map(({ cve }) => cve))];
  const known = await knownScoresOf(tx, list.key, cves, [...details.keys()]);
  const gone: ScoreRow[] = [];
  for (const row of known) {
    const key = keyOfScore(row);
    const next = stated.get(key);
    const isOwn = details.has(row.recordId);
    if (next !== undefined && isSame(row, next)) stated.delete(key);
    else if (next === undefined || isKeptOver(row, next)) {
      if (isOwn) gone.push(row);
      // What the records state now may still be the highest: that is found out with the others.
      stated.delete(key);
    }
  }
  await takeAway(tx, gone);
  const written = [...stated.values()];
  await putScores(tx, written);
  const changed = await deriveVendorScored(tx, [...new Set(written.map(({ cve }) => cve))], now);
  await markStale(
    tx,
    changed.filter((cve) => !fresh.has(cve)),
    factsAlone,
  );
}

/** Of records that are listed no longer. */
export async function dropVendorScores(
  tx: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<void> {
  if (list.detail.scores === undefined || rowIds.length === 0) return;
  await lockRisk(tx);
  await lockVulnerabilities(tx);
  await takeAway(tx, await knownScoresOf(tx, list.key, [], rowIds));
}

async function takeAway(tx: Queryable, gone: readonly ScoreRow[]): Promise<void> {
  await removeScoreRows(tx, gone);
  await markStale(
    tx,
    gone.map(({ cve }) => cve),
    statedAlone,
  );
}

/** Reads again what records state of these CVEs (folded), with the vulnerabilities locked. Answers which have another score now. */
export async function restateScores(
  tx: Queryable,
  cves: readonly string[],
  now: number,
): Promise<readonly string[]> {
  if (cves.length === 0) return [];
  const stated = keptOf(await scoresOfRecords(tx, cves));
  for (const row of await scoresOfCves(tx, cves)) {
    const key = keyOfScore(row);
    const next = stated.get(key);
    if (next === undefined) await removeScoreRows(tx, [row]);
    else if (isSame(row, next)) stated.delete(key);
  }
  await putScores(tx, [...stated.values()]);
  return deriveVendorScored(tx, cves, now);
}

const isSame = (one: ScoreRow, other: ScoreRow): boolean =>
  !isKeptOver(one, other) && !isKeptOver(other, one) && one.vector === other.vector;

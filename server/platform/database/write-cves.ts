/**
 * Stores the CVEs that records name and the CVSS scores that they state, in the transaction that writes the records. A score that its
 * record no longer states is removed at once; `refreshStaleCves` later finds the next best one.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  addCountedCves,
  lockVulnerabilities,
  markStale,
  type NewCve,
  onlyFacts,
  onlyRecords,
  onlyStated,
} from './cve-row-store.ts';
import type { Queryable } from './database.ts';
import { type CveFigures, readFigures } from './record-risk-store.ts';
import {
  getScoreKey,
  groupVendorScores,
  isPreferred,
  readCveScores,
  readListScores,
  readStatedScores,
  removeScoreRows,
  type ScoreRow,
  selectPreferred,
  writeScoreRows,
} from './vendor-score-store.ts';
import { rederiveScores } from './vulnerability-row-store.ts';

export interface CveChanges {
  /** Scores that the records state now. */
  readonly stated: readonly ScoreRow[];
  /** Ids in the list of records that may have stated scores before. */
  readonly rewritten: readonly number[];
  /** CVEs (folded) that the records named before. */
  readonly formerCves: readonly string[];
  /** CVEs that the records name now, with counts from the rows of the index. */
  readonly counted: ReadonlyMap<string, NewCve>;
  readonly now: number;
}

/**
 * Adds a row and vendor scores for each CVE, and marks stale figures: the counts of CVEs that had a row, and the risk of other records
 * that name a CVE with a changed score. Returns the figures of the CVEs.
 */
export async function writeCves(
  tx: Queryable,
  list: ListDefinition,
  { stated, rewritten, formerCves, counted, now }: CveChanges,
): Promise<ReadonlyMap<string, CveFigures>> {
  const names = [...new Set([...formerCves, ...counted.keys()])];
  if (names.length === 0 && rewritten.length === 0) return new Map();
  await lockVulnerabilities(tx);
  const figures = await readFigures(tx, names);
  const known = [...figures.keys()];
  const scores = groupVendorScores(await writeStatedScores(tx, list, stated, rewritten));
  const scored = [...scores.keys()].filter((cve) => figures.has(cve));
  const added = names.filter((cve) => !figures.has(cve));
  await addCountedCves(tx, added, { counted, scores }, now);
  for (const cve of added)
    figures.set(cve, {
      cvss: scores.get(cve)?.[0]?.score ?? null,
      exploited: false,
      ransomware: false,
      epss: null,
    });
  const rescored = await rederiveScores(tx, scored, now);
  for (const [cve, cvss] of rescored) {
    const before = figures.get(cve);
    if (before !== undefined) figures.set(cve, { ...before, cvss });
  }
  await markStale(tx, [...rescored.keys()], onlyFacts);
  await markStale(tx, known, onlyRecords);
  return figures;
}

/** Replaces the scores that the records `rewritten` stated with the current ones. Returns the written scores. */
export async function writeStatedScores(
  tx: Queryable,
  list: ListDefinition,
  all: readonly ScoreRow[],
  rewritten: readonly number[],
): Promise<readonly ScoreRow[]> {
  if (list.detail.scores === undefined) return [];
  const stated = selectPreferred(all);
  const cves = [...new Set([...stated.values()].map(({ cve }) => cve))];
  const isRewritten = new Set(rewritten);
  const removed: ScoreRow[] = [];
  for (const row of await readListScores(tx, list.key, cves, rewritten)) {
    const key = getScoreKey(row);
    const next = stated.get(key);
    if (next !== undefined && isSame(row, next)) stated.delete(key);
    else if (next === undefined || isPreferred(row, next)) {
      if (isRewritten.has(row.recordId)) removed.push(row);
      // The comparison by `restateScores` decides whether the new score is the highest one.
      stated.delete(key);
    }
  }
  await removeScoreRows(tx, removed);
  await markStale(
    tx,
    removed.map(({ cve }) => cve),
    onlyStated,
  );
  const written = [...stated.values()];
  await writeScoreRows(tx, written);
  return written;
}

/** Rereads the scores that records state for these CVEs (folded). Requires the lock on the vulnerabilities. Returns CVEs with a new score. */
export async function restateScores(
  tx: Queryable,
  cves: readonly string[],
  now: number,
): Promise<readonly string[]> {
  if (cves.length === 0) return [];
  const stated = selectPreferred(await readStatedScores(tx, cves));
  for (const row of await readCveScores(tx, cves)) {
    const key = getScoreKey(row);
    const next = stated.get(key);
    if (next === undefined) await removeScoreRows(tx, [row]);
    else if (isSame(row, next)) stated.delete(key);
  }
  await writeScoreRows(tx, [...stated.values()]);
  return [...(await rederiveScores(tx, cves, now)).keys()];
}

const isSame = (a: ScoreRow, b: ScoreRow): boolean =>
  !isPreferred(a, b) && !isPreferred(b, a) && a.vector === b.vector;

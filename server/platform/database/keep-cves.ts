/**
 * Stores the CVEs that records name and the CVSS scores that they state, in the transaction that writes the records. A score that its
 * record no longer states is removed at once; `refreshStaleCves` later finds the next best one.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  addNamedCves,
  factsAlone,
  figuresOfCves,
  lockVulnerabilities,
  markStale,
  type NewCve,
  recordsAlone,
  statedAlone,
} from './cve-row-store.ts';
import type { Queryable } from './database.ts';
import type { CveFigures } from './record-risk-store.ts';
import {
  isKeptOver,
  keptOf,
  keyOfScore,
  knownScoresOf,
  putScores,
  removeScoreRows,
  type ScoreRow,
  scoresOfCves,
  scoresOfRecords,
  vendorScoresIn,
} from './vendor-score-store.ts';
import { deriveVendorScored } from './vulnerability-row-store.ts';

export interface NamedCves {
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
export async function keepCves(
  tx: Queryable,
  list: ListDefinition,
  { stated, rewritten, formerCves, counted, now }: NamedCves,
): Promise<ReadonlyMap<string, CveFigures>> {
  const named = [...new Set([...formerCves, ...counted.keys()])];
  if (named.length === 0 && rewritten.length === 0) return new Map();
  await lockVulnerabilities(tx);
  const figures = await figuresOfCves(tx, named);
  const known = [...figures.keys()];
  const scores = vendorScoresIn(await keepStatedScores(tx, list, stated, rewritten));
  const scored = [...scores.keys()].filter((cve) => figures.has(cve));
  const added = named.filter((cve) => !figures.has(cve));
  await addNamedCves(tx, added, { counted, scores }, now);
  for (const cve of added)
    figures.set(cve, { cvss: scores.get(cve)?.[0]?.score ?? null, exploited: false, epss: null });
  const rescored = await deriveVendorScored(tx, scored, now);
  for (const [cve, cvss] of rescored) {
    const before = figures.get(cve);
    if (before !== undefined) figures.set(cve, { ...before, cvss });
  }
  await markStale(tx, [...rescored.keys()], factsAlone);
  await markStale(tx, known, recordsAlone);
  return figures;
}

/** Replaces the scores that the records `rewritten` stated with the current ones. Returns the written scores. */
export async function keepStatedScores(
  tx: Queryable,
  list: ListDefinition,
  all: readonly ScoreRow[],
  rewritten: readonly number[],
): Promise<readonly ScoreRow[]> {
  if (list.detail.scores === undefined) return [];
  const stated = keptOf(all);
  const cves = [...new Set([...stated.values()].map(({ cve }) => cve))];
  const isRewritten = new Set(rewritten);
  const gone: ScoreRow[] = [];
  for (const row of await knownScoresOf(tx, list.key, cves, rewritten)) {
    const key = keyOfScore(row);
    const next = stated.get(key);
    if (next !== undefined && isSame(row, next)) stated.delete(key);
    else if (next === undefined || isKeptOver(row, next)) {
      if (isRewritten.has(row.recordId)) gone.push(row);
      // The comparison by `restateScores` decides whether the new score is the highest one.
      stated.delete(key);
    }
  }
  await removeScoreRows(tx, gone);
  await markStale(
    tx,
    gone.map(({ cve }) => cve),
    statedAlone,
  );
  const written = [...stated.values()];
  await putScores(tx, written);
  return written;
}

/** Rereads the scores that records state for these CVEs (folded). Requires the lock on the vulnerabilities. Returns CVEs with a new score. */
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
  return [...(await deriveVendorScored(tx, cves, now)).keys()];
}

const isSame = (a: ScoreRow, b: ScoreRow): boolean =>
  !isKeptOver(a, b) && !isKeptOver(b, a) && a.vector === b.vector;

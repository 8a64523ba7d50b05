/**
 * Stores the CVEs that records name and the CVSS scores that they state, in the transaction that writes the records, and the searchable
 * rows of CVEs, derived from the risk sources and vendor scores. A score that its record no longer states is removed at once;
 * `refreshStaleCves` later finds the next best one.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { CveRecord, KnownExploited } from '@patch/catalogue/definition/risk-facts.ts';
import { toCveRow } from '@patch/catalogue/risk/vulnerability-row.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { jsonText } from '../json-text.ts';
import { ownJson } from '../plain-rows.ts';
import { queryRows } from '../query-rows.ts';
import { columnArrays, columnTypes } from '../rows/column-arrays.ts';
import { raiseRevision } from '../rows/list-revision-store.ts';
import { storedRow } from '../rows/stored-row.ts';
import {
  addCountedCves,
  cveOrder,
  lockVulnerabilities,
  markStale,
  type NewCve,
  onlyFacts,
  onlyRecords,
  onlyStated,
  vulnerabilities,
} from './cve-row-store.ts';
import { type CveFigures, readFigures } from './record-risk-store.ts';
import {
  getScoreKey,
  groupVendorScores,
  isPreferred,
  readCveScores,
  readListScores,
  readStatedScores,
  readVendorScores,
  removeScoreRows,
  type ScoreRow,
  selectPreferred,
  type VendorScores,
  writeScoreRows,
} from './vendor-score-store.ts';

interface CveChanges {
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
      ...scoreFigures(toCveRow(cve, null, null, scores.get(cve))),
      exploited: false,
      ransomware: false,
      epss: null,
    });
  const rescored = await rederiveScores(tx, scored, now);
  for (const [cve, score] of rescored) {
    const before = figures.get(cve);
    if (before !== undefined) figures.set(cve, { ...before, ...score });
  }
  await markStale(tx, [...rescored.keys()], onlyFacts);
  await markStale(tx, known, onlyRecords);
  return figures;
}

/** Replaces the scores that the records `rewritten` stated with the current ones. Returns the written scores. */
async function writeStatedScores(
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

const FactRow = z.object({
  cve: z.string(),
  kev: ownJson<KnownExploited>().nullable(),
  kevHash: z.string().nullable(),
  cveRecord: ownJson<CveRecord>().nullable(),
  cveRecordHash: z.string().nullable(),
});

/** The facts of the risk sources about a CVE, with hashes to detect changes. */
type FactRow = z.infer<typeof FactRow>;

/** Writes the rows of CVEs that have one, each once. Requires the lock on the vulnerabilities. */
export async function writeFactRows(
  tx: Queryable,
  facts: readonly FactRow[],
  vendorScores: VendorScores,
  now: number,
): Promise<void> {
  if (facts.length === 0) return;
  const revision = await raiseRevision(tx, vulnerabilities, 0);
  const rows = factRows(facts, vendorScores, { now, revision });
  const { names, sql, arrays } = columnArrays(factTypes, rows);
  const set = names
    .filter((name) => name !== 'cve_folded')
    .map((name) => `${name} = written.${name}`);
  await tx.query(
    `update vulnerability set ${set.join(', ')}, ${kevTimeSql} from unnest(${sql}) as written(${names.join(', ')})
     where vulnerability.cve_folded = written.cve_folded`,
    arrays,
  );
}

/** Adds a row for each of these CVEs, which have none, so that no record names them. Requires the lock on the vulnerabilities. */
export async function addFactRows(
  tx: Queryable,
  facts: readonly FactRow[],
  vendorScores: VendorScores,
  now: number,
): Promise<void> {
  if (facts.length === 0) return;
  const revision = await raiseRevision(tx, vulnerabilities, facts.length);
  const rows = factRows(facts, vendorScores, { now, revision }).map((row) => ({
    ...row,
    created_time: now,
    kev_known_time: row.kev === null ? null : now,
  }));
  const { names, sql, arrays } = columnArrays(factTypes, rows);
  await tx.query(
    `insert into vulnerability (${names.join(', ')}) select * from unnest(${sql})`,
    arrays,
  );
}

const factTypes = columnTypes(vulnerabilities)
  .set('told_revision', 'bigint')
  .set('kev', 'json')
  .set('cve_record', 'json')
  .set('cve_record_modified', 'bigint')
  .set('cve_order', 'text')
  .set('kev_known_time', 'bigint');

const factRows = (
  facts: readonly FactRow[],
  vendorScores: VendorScores,
  { now, revision }: { readonly now: number; readonly revision: number },
) =>
  facts.map(({ cve, kev, kevHash, cveRecord, cveRecordHash }) => ({
    ...withoutRecords(
      storedRow(
        vulnerabilities,
        toCveRow(cve, kev, cveRecord, vendorScores.get(cve.toLowerCase())),
        {},
      ),
    ),
    cve_order: cveOrder(cve.toLowerCase()),
    kev: kev === null ? null : jsonText(kev),
    kev_hash: kevHash,
    cve_record: cveRecord === null ? null : jsonText(cveRecord),
    cve_record_hash: cveRecordHash,
    cve_record_modified: cveRecord?.lastModified ?? null,
    updated_time: now,
    revision,
    told_revision: revision,
  }));

/** SQL for the time when CISA's listing of the CVE was first read; null while CISA does not list it. */
const kevTimeSql = `kev_known_time = case when written.kev is null then null
  when vulnerability.kev is null then written.updated_time else vulnerability.kev_known_time end`;

/** Removes the counts of records, which are computed separately. */
function withoutRecords({
  record_count: _count,
  vendors: _vendors,
  vendors_folded: _folded,
  days_to_fix: _days,
  vendor_days: _vendorDays,
  vendor_days_folded: _vendorDaysFolded,
  ...row
}: ReturnType<typeof storedRow>): ReturnType<typeof storedRow> {
  return row;
}

const ScoredRow = FactRow.extend({
  cvss: z.number().nullable(),
  cvssVector: z.string().nullable(),
  cvssSource: z.string().nullable(),
});

/**
 * Rederives the rows of these CVEs (folded) after a change of vendor scores, if NVD's file has no score for them. Requires the lock on
 * the vulnerabilities. Returns the CVEs with a changed score, and what it is now.
 */
async function rederiveScores(
  tx: Queryable,
  cves: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, ScoreFigures>> {
  if (cves.length === 0) return new Map();
  const rows = await queryRows(
    tx,
    ScoredRow,
    `select cve_folded as cve, kev, kev_hash as "kevHash", cve_record as "cveRecord", cve_record_hash as "cveRecordHash", cvss, cvss_vector as "cvssVector", cvss_source as "cvssSource"
     from vulnerability where cve_folded = any($1::text[]) and coalesce(jsonb_array_length(cve_record -> 'scores'), 0) = 0`,
    [arrayText(cves)],
  );
  const vendorScores = await readVendorScores(
    tx,
    rows.map(({ cve }) => cve),
  );
  const changed = rows.flatMap((row) => {
    const next = toCveRow(row.cve, row.kev, row.cveRecord, vendorScores.get(row.cve));
    return next.cvss === row.cvss &&
      next.cvssVector === row.cvssVector &&
      next.cvssSource === row.cvssSource
      ? []
      : { row, score: scoreFigures(next) };
  });
  if (changed.length === 0) return new Map();
  await writeFactRows(
    tx,
    changed.map(({ row }) => ({ ...row, cve: row.cve.toUpperCase() })),
    vendorScores,
    now,
  );
  return new Map(changed.map(({ row, score }) => [row.cve, score]));
}

type ScoreFigures = Pick<CveFigures, 'cvss' | 'severityRank'>;

const scoreFigures = ({ cvss, severity }: ReturnType<typeof toCveRow>): ScoreFigures => ({
  cvss: cvss ?? null,
  severityRank: severity === undefined || severity === null ? null : severities.indexOf(severity),
});

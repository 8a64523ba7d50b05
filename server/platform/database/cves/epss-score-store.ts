/** Stores EPSS scores by CVE, apart from the vulnerabilities, because they change every day. */
import type { EpssScore } from '@patch/catalogue/definition/risk-facts.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { queryRows } from '../query-rows.ts';
import { riskRevision } from '../searched-relation.ts';
import {
  addMissingCves,
  lockVulnerabilities,
  markStale,
  onlyRecords,
  onlyScores,
} from './cve-row-store.ts';

const ScoreRow = z.object({
  cve: z.string(),
  epss: z.number(),
  percentile: z.number().nullable(),
});

const pageSize = 8_000;

/** Writes score and percentile as text, for comparison. */
export const toScoreText = ({ epss, percentile }: Pick<EpssScore, 'epss' | 'percentile'>): string =>
  `${epss} ${percentile ?? ''}`;

/** Returns the score text of each CVE (folded), which is compact enough for a few hundred thousand. */
export async function readScoreTexts(database: Queryable): Promise<ReadonlyMap<string, string>> {
  const scores = new Map<string, string>();
  for (let after = ''; ; ) {
    const rows = await queryRows(
      database,
      ScoreRow,
      `select cve_folded as cve, epss, percentile from epss_score where cve_folded > $1 order by cve_folded limit ${pageSize}`,
      [after],
    );
    for (const { cve, epss, percentile } of rows)
      scores.set(cve, toScoreText({ epss, percentile }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return scores;
    after = last.cve;
  }
}

export interface ScoreWriting {
  /** Score texts of CVEs (folded) that have a score already. */
  readonly known?: ReadonlyMap<string, string>;
  /** CVEs whose records become stale; null when all are marked already. */
  readonly stale: ReadonlySet<string> | null;
  readonly now: number;
}

/** Runs inside the caller's transaction. CVEs are folded. */
export async function writeScores(
  tx: Queryable,
  scores: readonly EpssScore[],
  { known = new Map(), stale, now }: ScoreWriting,
): Promise<void> {
  if (scores.length === 0) return;
  const cves = scores.map(({ cve }) => cve);
  await raiseRisk(tx);
  await lockVulnerabilities(tx);
  // CVEs with a score have a row already.
  const fresh = cves.filter((cve) => !known.has(cve));
  if (fresh.length > 0) await addMissingCves(tx, fresh, now);
  await tx.query(
    `insert into epss_score (cve_folded, epss, percentile) select * from unnest($1::text[], $2::double precision[], $3::double precision[])
     on conflict (cve_folded) do update set epss = excluded.epss, percentile = excluded.percentile`,
    arrayTexts(scores, 'cve', 'epss', 'percentile'),
  );
  if (stale !== null)
    await markStale(
      tx,
      cves.filter((cve) => stale.has(cve)),
      onlyScores,
    );
}

/** Raises the revision for which cached totals by score are valid. All writers lock it before the vulnerabilities. */
async function raiseRisk(tx: Queryable): Promise<void> {
  await tx.query('update list_revision set revision = revision + 1 where list = $1', [
    riskRevision,
  ]);
}

/** Runs inside the caller's transaction. */
export async function removeScores(
  tx: Queryable,
  cves: readonly string[],
  marksStale: boolean,
): Promise<void> {
  await raiseRisk(tx);
  await lockVulnerabilities(tx);
  await tx.query('delete from epss_score where cve_folded = any($1::text[])', [arrayText(cves)]);
  // A CVE may have had nothing but its score.
  await markStale(tx, cves, { ...onlyRecords, scores: marksStale });
}

/** The EPSS scores by CVE: apart from the vulnerabilities, because they are written every day. */
import type { EpssScore } from '@patch/catalogue/definition/risk-facts.ts';
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import { addMissing, lockVulnerabilities, markStale, scoresAlone } from './cve-row-store.ts';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';
import { riskRevision } from './searched-relation.ts';

const ScoreRow = z.object({
  cve: z.string(),
  epss: z.number(),
  percentile: z.number().nullable(),
});

const rowsAPage = 8_000;

/** A score is compared as text: score and percentile. */
export const scoreText = ({ epss, percentile }: Pick<EpssScore, 'epss' | 'percentile'>): string =>
  `${epss} ${percentile ?? ''}`;

/** By CVE (folded): score and percentile in one text, as compact as a few hundred thousand should be. */
export async function knownScores(database: Queryable): Promise<ReadonlyMap<string, string>> {
  const scores = new Map<string, string>();
  for (let after = ''; ; ) {
    const rows = await queryRows(
      database,
      ScoreRow,
      `select cve_folded as cve, epss, percentile from epss_score where cve_folded > $1 order by cve_folded limit ${rowsAPage}`,
      [after],
    );
    for (const { cve, epss, percentile } of rows) scores.set(cve, scoreText({ epss, percentile }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAPage) return scores;
    after = last.cve;
  }
}

export interface ScoreWriting {
  /** Those that have a score already, folded. */
  readonly known?: ReadonlyMap<string, string>;
  /** Those of which records are to be computed again; null when all are marked already. */
  readonly stale: ReadonlySet<string> | null;
  readonly now: number;
}

/** Inside the caller's transaction. CVEs are folded. */
export async function writeScores(
  tx: Queryable,
  scores: readonly EpssScore[],
  { known = new Map(), stale, now }: ScoreWriting,
): Promise<void> {
  if (scores.length === 0) return;
  const cves = scores.map(({ cve }) => cve);
  await raiseRisk(tx);
  await lockVulnerabilities(tx);
  // What has a score has a row.
  const fresh = cves.filter((cve) => !known.has(cve));
  if (fresh.length > 0) await addMissing(tx, fresh, now);
  await tx.query(
    `insert into epss_score (cve_folded, epss, percentile) select * from unnest($1::text[], $2::double precision[], $3::double precision[])
     on conflict (cve_folded) do update set epss = excluded.epss, percentile = excluded.percentile`,
    [
      arrayText(cves),
      arrayText(scores.map(({ epss }) => epss)),
      arrayText(scores.map(({ percentile }) => percentile)),
    ],
  );
  if (stale !== null)
    await markStale(
      tx,
      cves.filter((cve) => stale.has(cve)),
      scoresAlone,
    );
}

/** Totals of vulnerabilities that depend on a score are valid for this revision. Locked before the vulnerabilities, as by all writers. */
async function raiseRisk(tx: Queryable): Promise<void> {
  await tx.query('update list_revision set revision = revision + 1 where list = $1', [
    riskRevision,
  ]);
}

/** Inside the caller's transaction. */
export async function removeScores(
  tx: Queryable,
  cves: readonly string[],
  marksStale: boolean,
): Promise<void> {
  await raiseRisk(tx);
  await lockVulnerabilities(tx);
  await tx.query('delete from epss_score where cve_folded = any($1::text[])', [arrayText(cves)]);
  if (marksStale) await markStale(tx, cves, scoresAlone);
}

/** Reads the rows that syncs of risk sources have written, for tests that compare two databases. */
import type { Database } from '../../platform/database/database.ts';

export interface RiskTables {
  /** Rows by CVE, without ids, times and revisions, which differ between databases. */
  readonly vulnerabilities: readonly object[];
  readonly scores: readonly object[];
  /** Rows by list and natural key of the record. */
  readonly records: readonly object[];
}

export async function riskTables(database: Database): Promise<RiskTables> {
  const rows = async (sql: string) => (await database.query(sql)).rows;
  return {
    vulnerabilities: await rows(
      `select to_jsonb(vulnerability) - array['id', 'created_time', 'updated_time', 'revision', 'told_revision', 'kev_known_time'] as content
       from vulnerability order by cve_folded`,
    ),
    scores: await rows('select cve_folded, epss, percentile from epss_score order by 1'),
    records: await rows(
      `select record.list, identifier, exploited, cvss, record_risk.severity_rank, epss from record
       left join record_risk using (record_id) left join record_epss using (record_id) order by 1, 2, record_id`,
    ),
  };
}

/** Removes all data of risk sources. Records and their index stay. */
export async function forgetRisk(database: Database): Promise<void> {
  await database.script(
    `truncate vulnerability, epss_score, record_risk, record_epss, stale_cve, feed_part, quarantine, sync_run cascade`,
  );
}

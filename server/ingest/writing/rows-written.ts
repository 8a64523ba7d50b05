/** Estimates the rows that a run has written by table, which decide whether its statistics are refreshed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { RiskRows } from '../../platform/database/cves/record-risk-store.ts';
import { recordTable } from '../../platform/database/records/list-views.ts';
import { statesPackages } from '../../platform/database/records/package-fix-store.ts';

export interface RunWrites {
  /** Counts of added, changed and withdrawn records by list. */
  readonly lists: readonly (readonly [list: ListDefinition, records: number])[];
  /** Count of CVEs with changed facts of KEV or NVD. */
  readonly facts: number;
  /** Count of changed scores and percentiles of EPSS. */
  readonly scores: number;
  /** Rows that were derived from these changes. */
  readonly refreshed: RiskRows;
}

/** Estimated changes of revisions, which each batch raises. */
const revisionsPerRun = 100;
/** Estimated package fixes of a record with packages. */
const fixesPerRecord = 10;

export function estimateRowsWritten({
  lists,
  facts,
  scores,
  refreshed,
}: RunWrites): Readonly<Record<string, number>> {
  const records = lists.reduce((sum, [, written]) => sum + written, 0);
  const bringing = lists.filter(([list]) => statesPackages(list));
  const fixing = bringing.reduce((sum, [, written]) => sum + written, 0);
  const scoring = lists.filter(([{ detail }]) => detail.scores !== undefined);
  const derived = refreshed.record_epss + refreshed.record_risk;
  return {
    // Each record has rows in the risk tables, and changes the counts of its CVEs.
    [recordTable]: records,
    record_epss: records + refreshed.record_epss,
    record_risk: records + refreshed.record_risk,
    package_fix: fixing * fixesPerRecord,
    fix_series: fixing,
    vendor_score: scoring.reduce((sum, [, written]) => sum + written, 0),
    vulnerability: records + facts,
    epss_score: scores,
    list_revision: records + facts + scores + derived > 0 ? revisionsPerRun : 0,
  };
}

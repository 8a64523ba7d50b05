/** How many rows a run wrote, by table, at most: what the tables' statistics are refreshed by. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { bringsPackages } from '../../platform/database/package-fix-store.ts';
import type { RiskRows } from '../../platform/database/record-risk-store.ts';
import { tableOfList } from '../../platform/database/table-sql.ts';

export interface RunWrites {
  /** Records that were added, changed and withdrawn, by the list of a vendor. */
  readonly lists: readonly (readonly [list: ListDefinition, records: number])[];
  /** CVEs of which KEV or NVD says something else. */
  readonly facts: number;
  /** Scores and percentiles of EPSS. */
  readonly scores: number;
  /** What followed from it. */
  readonly refreshed: RiskRows;
}

/** Revisions are raised with each batch. */
const revisionsOfRun = 100;
/** Of a record that brings packages, about. */
const fixesOfRecord = 10;

export function rowsWritten({
  lists,
  facts,
  scores,
  refreshed,
}: RunWrites): Readonly<Record<string, number>> {
  const records = lists.reduce((sum, [, written]) => sum + written, 0);
  const bringing = lists.filter(([list]) => bringsPackages(list));
  const fixing = bringing.reduce((sum, [, written]) => sum + written, 0);
  const scoring = lists.filter(([{ detail }]) => detail.scores !== undefined);
  const derived = refreshed.record_epss + refreshed.record_risk;
  return {
    ...Object.fromEntries(lists.map(([list, written]) => [tableOfList(list), written])),
    // Each record has its row in the index, its risk, and CVEs whose records are counted.
    record: records,
    record_epss: records + refreshed.record_epss,
    record_risk: records + refreshed.record_risk,
    package_fix: fixing * fixesOfRecord,
    fix_series: fixing,
    vendor_score: scoring.reduce((sum, [, written]) => sum + written, 0),
    vulnerability: records + facts,
    epss_score: scores,
    list_revision: records + facts + scores + derived > 0 ? revisionsOfRun : 0,
  };
}

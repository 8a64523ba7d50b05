/** Tells the planner what a list's rows are like now, and marks what an index may answer alone. After a sync that changed much. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database } from './database.ts';
import { tableOfList } from './table-sql.ts';

/**
 * The embedded database has no autovacuum: without this, counting and paging look every row up. It takes about a second
 * for every million rows, during which the embedded database answers nobody: call it once, after the last batch.
 */
export async function refreshStatistics(database: Database, list: ListDefinition): Promise<void> {
  // Each on its own: vacuum cannot run inside a transaction, which several statements at once would be.
  await database.script(`vacuum (analyze) ${tableOfList(list)}`);
  if (database.kind !== 'embedded') return;
  for (const table of ['list_revision', 'record', 'record_risk', 'record_epss'])
    await database.script(`vacuum (analyze) ${table}`);
}

/** Tells the planner what a list's rows are like now, and marks what an index may answer alone. After a sync that changed much. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database } from './database.ts';

/**
 * The embedded database has no autovacuum: without this, counting and paging look every row up. It takes about a second
 * for every million rows, during which the embedded database answers nobody: call it once, after the last batch.
 */
export async function refreshStatistics(database: Database, list: ListDefinition): Promise<void> {
  // Each on its own: vacuum cannot run inside a transaction, which several statements at once would be.
  await database.script(`vacuum (analyze) ${list.key}`);
  if (database.kind === 'embedded') await database.script('vacuum (analyze) list_revision');
}

/** Compares the catalogue at two moments, list by list. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { ListDifference } from '@patch/contract/licensing/checkpoint-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { getRecordIdentity } from '../../platform/database/records/stored-record.ts';
import { type Revisions, vendorLists } from './checkpoint-store.ts';
import {
  type DifferenceRow,
  hasDecisions,
  newestRevision,
  readContentsAt,
  readDifference,
} from './difference-store.ts';

type Changes = ListDifference['added'];

/**
 * @param after - Null: now.
 * @param ring - For which records may be decided about; 0: none.
 */
export async function compareMoments(
  database: Queryable,
  before: Revisions,
  after: Revisions | null,
  ring = 0,
): Promise<ListDifference[]> {
  const decided = ring !== 0 && (await hasDecisions(database, ring)) ? ring : null;
  const differences: ListDifference[] = [];
  for (const list of vendorLists) {
    const from = before[list.key] ?? 0;
    const to = after === null ? newestRevision : (after[list.key] ?? 0);
    if (from === to) continue;
    const rows = await readDifference(database, list, from, to, decided);
    if (rows.length === 0) continue;
    const changes = (kind: DifferenceRow['kind']) =>
      readChanges(
        database,
        list,
        rows.find((row) => row.kind === kind),
        kind === 'withdrawn' ? from : to,
      );
    differences.push({
      list: list.key,
      label: list.label,
      added: await changes('added'),
      changed: await changes('changed'),
      withdrawn: await changes('withdrawn'),
    });
  }
  return differences;
}

async function readChanges(
  database: Queryable,
  list: CatalogueList,
  found: DifferenceRow | undefined,
  revision: number,
): Promise<Changes> {
  if (found === undefined) return { count: 0, declined: 0, passing: 0, first: [] };
  const contents = await readContentsAt(database, list, found.ids, revision);
  return {
    count: found.count,
    declined: found.declined,
    passing: found.passing,
    first: found.ids.flatMap((id) => {
      const content = contents.get(id);
      if (content === undefined) return [];
      const { row } = JSON.parse(content) as { row: Parameters<typeof getRecordIdentity>[1] };
      const title = (row as Readonly<Record<string, unknown>>)['title'];
      return {
        id,
        name: getRecordIdentity(list, row, String(id)),
        title: typeof title === 'string' ? title : '',
      };
    }),
  };
}

/** Reads the records of searches that changed last, withdrawn ones included. Records of one update count once. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { maxAtomEntries } from '@patch/contract/reports/atom-feed-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/plain-rows.ts';
import { epochOf, readEpochs } from '../../platform/database/rows/epoch-store.ts';
import { updateColumn } from '../../platform/database/rows/update-key.ts';
import { riskRevision, searchedRelation } from '../../platform/database/searched-relation.ts';
import { query } from '../../platform/database/sql-statement.ts';
import { Parameters } from '../../records/criteria/condition-meaning.ts';
import type { Search } from '../../records/criteria/search-request.ts';
import {
  runStatement,
  type Statement,
  searchTests,
  wireColumns,
} from '../../records/search/search-sql.ts';

/** Identifies the content of the lists: it differs after every change of a record or of its risk, and after a restore. */
export async function readContentState(
  database: Queryable,
  lists: readonly ListDefinition[],
): Promise<string> {
  const keys = [...lists.map(({ key }) => key), riskRevision];
  const revisions = await query.rows(database, RevisionRow)`
    select list, revision from list_revision
    where list = any(string_to_array(${keys.join(' ')}, ' ')) order by list`;
  const epochs = await readEpochs(database);
  return revisions
    .map(({ list, revision }) => `${epochOf(epochs, list, revision)}.${revision}`)
    .join();
}

const RevisionRow = z.object({ list: z.string(), revision: z.number() });

const ChangedRecord = z.object({
  /** Identifies the update, or the record, within its source in every installation. */
  key: z.string(),
  /** The index of the search that found the record. */
  search: z.number(),
  /** Epoch milliseconds. */
  created: z.number(),
  changed: z.number(),
  /** True if no record of the update is listed any more. */
  withdrawn: z.boolean(),
  /** The records of the update that the searches find and that are listed. */
  records: z.number(),
  row: jsonObject.transform((row) => row as unknown as WireRow),
});
export type ChangedRecord = z.infer<typeof ChangedRecord>;

const ChangedRecords = z.object({ records: z.array(ChangedRecord) });

/**
 * Returns the first record of each update, the last change first.
 * @param searches - Of lists of one source.
 * @throws AppError `search_too_expensive` when PostgreSQL ended the statement, `caller_left` when `signal` was aborted.
 */
export async function readChangedRecords(
  database: Queryable,
  searches: readonly Search[],
  signal: AbortSignal,
): Promise<readonly ChangedRecord[]> {
  return (await runStatement(database, ChangedRecords, changedRecordsSql(searches), signal))
    .records;
}

function changedRecordsSql(searches: readonly Search[]): Statement {
  const parameters = new Parameters();
  const hits = searches.map((search, index) => hitsSql(search, index, parameters));
  const rows = searches.map(
    (search, index) =>
      `select first.*, (select to_json(r) from (select ${wireColumns(search)} from ${searchedRelation(search.list)} where id = first.id) as r) as row
       from first where search = ${index}`,
  );
  const text = `with hits as materialized (${hits.join(' union all ')}),
    updates as materialized (
      select key, min(created) as created, max(changed) as changed, count(*) filter (where not gone) as records
      from hits group by key order by max(changed) desc, key limit ${maxAtomEntries}),
    first as (
      select distinct on (key) key, search, id, updates.created, updates.changed, updates.records, records = 0 as withdrawn
      from updates join hits using (key) order by key, gone, search, id)
    select coalesce(json_agg(found order by changed desc, key), '[]') as records from (${rows.join(' union all ')}) as found`;
  return { text, values: parameters.values };
}

/** Where each record is an update of its own, those that changed last are enough. */
function hitsSql(search: Search, index: number, parameters: Parameters): string {
  const { list } = search;
  const column = updateColumn(list);
  const own = `'${list.key} ' || natural_key`;
  const key = column === null ? own : `coalesce(${column}, ${own})`;
  const tests = searchTests(search, parameters);
  return `(select ${key} as key, ${index} as search, id, created_time as created, withdrawn_time is not null as gone,
      greatest(updated_time, withdrawn_time) as changed
    from ${searchedRelation(list)}
    ${tests.length === 0 ? '' : `where ${tests.join(' and ')}`}
    ${column === null ? `order by changed desc, key limit ${maxAtomEntries}` : ''})`;
}

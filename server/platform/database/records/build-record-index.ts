/**
 * Rebuilds the index of records, with their fixes and scores, for lists that this version maps differently from the version that wrote
 * them. A migration that deletes a list's row of record_index_state causes a rebuild too. It runs beside the service in batches, and
 * continues after a kill.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { refreshStaleCves } from '../cves/stale-cve-store.ts';
import type { Database, Queryable } from '../database.ts';
import { queryRows, queryValues } from '../query-rows.ts';
import { indexRecords, readProjections } from './record-index.ts';
import { isIndexed, mappingHash } from './record-index-row.ts';

const batchSize = 200;

const StateRow = z.object({ mapping: z.string(), builtTo: z.number(), done: z.boolean() });

export interface IndexBuild {
  readonly database: Database;
  readonly signal?: AbortSignal;
}

/** Returns the number of indexed records. */
export async function buildRecordIndex({ database, signal }: IndexBuild): Promise<number> {
  let indexed = 0;
  for (const list of catalogueLists.filter(isIndexed))
    indexed += await buildList(database, list, signal);
  await refreshStaleCves(database, signal);
  return indexed;
}

const PendingRow = z.object({ list: z.string(), mapping: z.string().nullable() });

/** Returns the keys of lists whose records may be missing in the index, or be stored with an earlier mapping. */
export async function listsBeingIndexed(database: Queryable): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    PendingRow,
    `select list_revision.list, case when done then mapping end as mapping from list_revision
     left join record_index_state using (list) where listed > 0`,
  );
  const built = new Map(rows.map(({ list, mapping }) => [list, mapping]));
  return catalogueLists
    .filter((list) => isIndexed(list) && built.has(list.key))
    .filter((list) => built.get(list.key) !== mappingHash(list))
    .map(({ key }) => key);
}

async function buildList(
  database: Database,
  list: ListDefinition,
  signal: AbortSignal | undefined,
): Promise<number> {
  const mapping = mappingHash(list);
  const [state] = await queryRows(
    database,
    StateRow,
    'select mapping, built_to as "builtTo", done from record_index_state where list = $1',
    [list.key],
  );
  if (state?.mapping === mapping && state.done) return 0;
  let above = state?.mapping === mapping ? state.builtTo : 0;
  for (let indexed = 0; ; ) {
    if (signal?.aborted) return indexed;
    const ids = await queryValues(
      database,
      z.number(),
      `select id from ${list.key} where id > $1 and withdrawn_time is null order by id limit ${batchSize}`,
      [above],
    );
    const last = ids.at(-1);
    const done = last === undefined || ids.length < batchSize;
    above = last ?? above;
    await database.transaction(async (tx) => {
      const records = await readProjections(tx, list, ids);
      await indexRecords(
        tx,
        list,
        records.map((record) => ({ ...record, isNew: false })),
        Date.now(),
      );
      await tx.query(
        `insert into record_index_state (list, mapping, built_to, done) values ($1, $2, $3, $4)
         on conflict (list) do update set mapping = excluded.mapping, built_to = excluded.built_to, done = excluded.done`,
        [list.key, mapping, above, done],
      );
    });
    indexed += ids.length;
    if (done) return indexed;
  }
}

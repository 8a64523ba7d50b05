/** Reads the lists that are published, as licensed clients get their records. */
import { hash } from 'node:crypto';
import { type CatalogueList, catalogueLists, getList } from '@patch/catalogue/lists.ts';
import type { RecordLine } from '@patch/contract/tree/segment-file.ts';
import { z } from 'zod';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { wireRecordSql } from '../../platform/database/rows/wire-record.ts';
import { changeSource, fetchedColumns, readChangeStates } from '../clients/change-store.ts';
import type { ListSource } from './publish-list.ts';

/** Returns the lists of vendors, and the vulnerabilities, which belong to no family. */
export const publishedLists = (): readonly CatalogueList[] =>
  [...catalogueLists.filter(({ source }) => source !== null), getList('vulnerabilities')].toSorted(
    (one, other) => (one.key < other.key ? -1 : 1),
  );

const LineRow = z.object({ id: z.number(), listed: z.boolean(), line: z.string() });

/**
 * Runs `work` with a list as it is at one moment; with null while it has no records yet.
 * @param list - One of publishedLists.
 */
export function withListSource<Result>(
  database: Database,
  list: CatalogueList,
  work: (source: ListSource | null) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read read only');
    const { revisions } = await readChangeStates(tx);
    const revision = revisions[list.key] ?? 0;
    return work(
      revision === 0
        ? null
        : { ...describe(list), revision, read: (since) => readLines(tx, list, since) },
    );
  });
}

const describe = (list: CatalogueList) => ({
  list: list.key,
  family: list.source,
  form: hash('sha256', wireRecordSql(list, fetchedColumns(list))).slice(0, 16),
});

async function* readLines(
  tx: Queryable,
  list: CatalogueList,
  since: number,
): AsyncGenerator<readonly RecordLine[]> {
  const { relation, revision } = changeSource(list);
  // offset 0: otherwise the planner of a cursor may walk through all ids to find a few changes in their order.
  const changed = since === 0 ? '' : `where ${revision} > ${since} offset 0`;
  const select = `select id, withdrawn_time is null as listed, ${wireRecordSql(list, fetchedColumns(list))} as line
    from (select ${list.key}.* from ${relation} ${changed}) as changed order by id`;
  for await (const rows of cursorRows(tx, LineRow, select, ({ line }) => line.length))
    yield rows.map(({ id, listed, line }) => ({ id, isListed: listed, line }));
}

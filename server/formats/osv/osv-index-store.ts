/** Reads which advisories each ecosystem of OSV has, withdrawn ones included, and when they changed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { osvId } from '@patch/catalogue/formats/osv-id.ts';
import { getEcosystem } from '@patch/catalogue/formats/osv-lists.ts';
import { z } from 'zod';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { riskRevision } from '../../platform/database/searched-relation.ts';
import {
  advisoryColumns,
  lastChangeSql,
  programSql,
  readIdentifiers,
} from '../advisories/advisory-store.ts';

/** Returns up to `limit` identifiers of listed records after another one. The empty text is before all. */
export const identifiersAfter = (
  database: Queryable,
  list: ListDefinition,
  after: string,
  limit: number,
): Promise<readonly string[]> =>
  readIdentifiers(database, list, {
    where: `${advisoryColumns(list).folded} > $1 and withdrawn_time is null`,
    values: [after],
    limit,
  });

/** Returns the identifiers of which no record is listed any more. */
export function withdrawnIdentifiers(
  database: Queryable,
  list: ListDefinition,
): Promise<readonly string[]> {
  const { key } = list;
  const { folded } = advisoryColumns(list);
  return readIdentifiers(database, list, {
    where: `withdrawn_time is not null
       and not exists (select from ${key} as listed where listed.${folded} = ${key}.${folded} and listed.withdrawn_time is null)`,
    values: [],
  });
}

export interface ArchiveState {
  /** The program, the database and the day of the EPSS scores: an archive of another base shares nothing. */
  readonly base: string;
  /** Of the list. */
  readonly revision: number;
  /** Revision of the risk of all records. */
  readonly risk: number;
}

const StateRow = z.object({ base: z.string(), revision: z.number(), risk: z.number() });

/** Identifies the content of an archive. */
export async function archiveState(
  database: Queryable,
  { key }: ListDefinition,
): Promise<ArchiveState> {
  const rows = await queryRows(
    database,
    StateRow,
    `select concat_ws('.', ${programSql}, (select epoch from change_epoch),
         (select left(md5(string_agg(sha256, ',' order by url)), 12) from feed_document where source = 'epss')) as base,
       coalesce((select revision from list_revision where list = $1), 0) as revision,
       coalesce((select revision from list_revision where list = $2), 0) as risk`,
    [key, riskRevision],
  );
  return rows[0] ?? { base: '0', revision: 0, risk: 0 };
}

/** Returns the identifiers of records that were written, withdrawn or scored differently since a state. */
export const changedIdentifiers = (
  database: Queryable,
  list: ListDefinition,
  { revision, risk }: ArchiveState,
): Promise<readonly string[]> =>
  readIdentifiers(database, list, {
    where: `id in (select id from ${list.key} where revision > $1 union select record_id from record_risk where revision > $2)`,
    values: [revision, risk],
  });

const ModifiedRow = z.object({
  identifier: z.string(),
  modified: z.number(),
  list: z.string(),
});

/** Yields lines of all advisories of these lists, the one that changed last first. Of several lists, ids stand behind their ecosystem. */
export async function* modifiedLines(
  tx: Queryable,
  lists: readonly ListDefinition[],
): AsyncGenerator<string> {
  const selects = lists.map((list) => {
    const { column, folded } = advisoryColumns(list);
    return `select min(${column}) as identifier, ${lastChangeSql} as modified, '${list.key}' as list
      from ${list.key} where ${column} is not null group by ${folded}`;
  });
  const folders = new Map(
    lists.map((list) => [list.key as string, lists.length > 1 ? `${getEcosystem(list)}/` : '']),
  );
  const select = `${selects.join(' union all ')} order by modified desc, identifier`;
  for await (const rows of cursorRows(
    tx,
    ModifiedRow,
    select,
    ({ identifier }) => identifier.length,
  ))
    yield rows
      .map(
        ({ identifier, modified, list }) =>
          `${new Date(modified).toISOString()},${folders.get(list)}${osvId(identifier)}\n`,
      )
      .join('');
}

const ListRow = z.object({ list: z.string() });

/** Keys of the lists that have listed records. */
export async function listsWithRecords(database: Queryable): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    ListRow,
    'select list from list_revision where listed > 0',
    [],
  );
  return rows.map(({ list }) => list);
}

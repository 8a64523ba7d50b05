/** Reads which advisories each ecosystem of OSV has, withdrawn ones included, and when they changed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { advisoryColumns } from '../advisories/advisory-columns.ts';

const NameRow = z.object({ identifier: z.string() });

/**
 * Returns up to `count` identifiers of listed records after another one, in the order of their folded letters. The empty text is
 * before all.
 */
export async function identifiersAfter(
  database: Queryable,
  list: ListDefinition,
  after: string,
  count: number,
): Promise<readonly string[]> {
  const { column, folded } = advisoryColumns(list);
  const rows = await queryRows(
    database,
    NameRow,
    `select min(${column}) as identifier from ${list.key} where ${folded} > $1 and withdrawn_time is null
     group by ${folded} order by ${folded} limit $2`,
    [after, count],
  );
  return rows.map(({ identifier }) => identifier);
}

/** Returns the identifiers of which no record is listed any more. */
export async function withdrawnIdentifiers(
  database: Queryable,
  list: ListDefinition,
): Promise<readonly string[]> {
  const { column, folded } = advisoryColumns(list);
  const rows = await queryRows(
    database,
    NameRow,
    `select min(${column}) as identifier from ${list.key} as gone where ${folded} is not null and withdrawn_time is not null
       and not exists (select from ${list.key} as listed where listed.${folded} = gone.${folded} and listed.withdrawn_time is null)
     group by ${folded} order by ${folded}`,
    [],
  );
  return rows.map(({ identifier }) => identifier);
}

const ModifiedRow = z.object({ identifier: z.string(), modified: z.number() });
export type ModifiedAdvisory = z.infer<typeof ModifiedRow>;

/** All advisories of a list, the one that changed last first. Times are epoch milliseconds. */
export function modifiedAdvisories(
  database: Queryable,
  list: ListDefinition,
): Promise<readonly ModifiedAdvisory[]> {
  const { column, folded } = advisoryColumns(list);
  return queryRows(
    database,
    ModifiedRow,
    `select min(${column}) as identifier, max(coalesce(withdrawn_time, updated_time)) as modified from ${list.key}
     where ${column} is not null group by ${folded} order by 2 desc, 1`,
  );
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

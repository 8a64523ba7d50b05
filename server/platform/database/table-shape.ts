/** Reads the actual shape of a list's table, and the shape that its definition requires; a migration must align the two. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Database, Queryable } from './database.ts';
import { columnsOfList } from './list-columns.ts';
import { queryRows } from './query-rows.ts';
import { isRiskField } from './searched-relation.ts';
import { getListTable, tableSql } from './table-sql.ts';

export interface TableShape {
  /** Type, `not null` and collation by name; empty if the table does not exist. */
  readonly columns: ReadonlyMap<string, string>;
  /** PostgreSQL's definition of each index by name. */
  readonly indexes: ReadonlyMap<string, string>;
}

const ColumnRow = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.string(),
  collation: z.string().nullable(),
});

const IndexRow = z.object({ name: z.string(), definition: z.string() });

export async function readTableShape(
  database: Queryable,
  table: string,
  schema = 'public',
): Promise<TableShape> {
  return {
    columns: await readColumns(database, table, schema),
    indexes: await readIndexes(database, table, schema),
  };
}

/**
 * Returns the shape that a search of the list uses: the columns of its table or view, and the indexes of its table. The columns of a
 * view have no `not null`, which PostgreSQL does not know for views.
 */
export async function readListShape(
  database: Queryable,
  list: ListDefinition,
): Promise<TableShape> {
  return {
    columns: await readColumns(database, list.key, 'public'),
    indexes: await readIndexes(database, getListTable(list), 'public'),
  };
}

async function readColumns(
  database: Queryable,
  relation: string,
  schema: string,
): Promise<ReadonlyMap<string, string>> {
  const columns = await queryRows(
    database,
    ColumnRow,
    `select column_name as name, data_type as type, is_nullable as nullable, collation_name as collation from information_schema.columns
     where table_schema = $1 and table_name = $2 order by column_name`,
    [schema, relation],
  );
  const describeColumn = ({ type, nullable, collation }: z.infer<typeof ColumnRow>) =>
    [
      type,
      ...(nullable === 'NO' ? ['not null'] : []),
      ...(collation === null ? [] : [`collate "${collation}"`]),
    ].join(' ');
  return new Map(columns.map((column) => [column.name, describeColumn(column)]));
}

async function readIndexes(
  database: Queryable,
  table: string,
  schema: string,
): Promise<ReadonlyMap<string, string>> {
  const indexes = await queryRows(
    database,
    IndexRow,
    'select indexname as name, indexdef as definition from pg_indexes where schemaname = $1 and tablename = $2 order by indexname',
    [schema, table],
  );
  return new Map(
    indexes.map(({ name, definition }) => [
      name,
      definition.replace(' ON ONLY ', ' ON ').replaceAll(`${schema}.`, ''),
    ]),
  );
}

/** Creates the drafted table in a temporary schema, reads its shape and drops it. The database must have the service's tables. */
export function readDraftedShape(database: Database, list: ListDefinition): Promise<TableShape> {
  return database.transaction(async (tx) => {
    await tx.script(
      'create schema draft; set local search_path = draft, public; create table list_revision (like public.list_revision)',
    );
    await tx.script(tableSql(list));
    const shape = await readTableShape(tx, getListTable(list), 'draft');
    await tx.script('drop schema draft cascade');
    return list.viewOf === undefined ? shape : toViewShape(list, shape);
  });
}

/** Returns the shape of a view, which lacks part and content hash but has the record's detail. Its table has its own keys. */
function toViewShape(list: ListDefinition, { columns, indexes }: TableShape): TableShape {
  const shown = [...columns]
    .filter(([name]) => name !== 'part' && name !== 'content_hash')
    .map(([name, type]) => [name, type.replace(' not null', '')] as const);
  const joined = columnsOfList(list)
    .filter(({ field }) => isRiskField(list, field))
    .map(({ column, storage }) => [column, storage.type] as const);
  return { columns: new Map([...shown, ...joined, ['detail', 'jsonb']]), indexes };
}

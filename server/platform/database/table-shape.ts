/** A list's table as a database has it, and as the list's definition asks for it: what a migration has to bring together. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Database, Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';
import { tableSql } from './table-sql.ts';

export interface TableShape {
  /** Type, `not null` and collation by name; empty when there is no such table. */
  readonly columns: ReadonlyMap<string, string>;
  /** As PostgreSQL writes the index, by its name. */
  readonly indexes: ReadonlyMap<string, string>;
}

const ColumnRow = z.object({
  name: z.string(),
  type: z.string(),
  nullable: z.string(),
  collation: z.string().nullable(),
});

const IndexRow = z.object({ name: z.string(), definition: z.string() });

export async function tableShape(
  database: Queryable,
  table: string,
  schema = 'public',
): Promise<TableShape> {
  const columns = await queryRows(
    database,
    ColumnRow,
    `select column_name as name, data_type as type, is_nullable as nullable, collation_name as collation from information_schema.columns
     where table_schema = $1 and table_name = $2 order by column_name`,
    [schema, table],
  );
  const indexes = await queryRows(
    database,
    IndexRow,
    'select indexname as name, indexdef as definition from pg_indexes where schemaname = $1 and tablename = $2 order by indexname',
    [schema, table],
  );
  const words = ({ type, nullable, collation }: z.infer<typeof ColumnRow>) =>
    [
      type,
      ...(nullable === 'NO' ? ['not null'] : []),
      ...(collation === null ? [] : [`collate "${collation}"`]),
    ].join(' ');
  return {
    columns: new Map(columns.map((column) => [column.name, words(column)])),
    indexes: new Map(
      indexes.map(({ name, definition }) => [name, definition.replaceAll(`${schema}.`, '')]),
    ),
  };
}

/** Makes the table in a schema of its own, and leaves nothing behind. The database must have the service's own tables. */
export function draftedShape(database: Database, list: ListDefinition): Promise<TableShape> {
  return database.transaction(async (tx) => {
    await tx.script(
      'create schema draft; set local search_path = draft, public; create table list_revision (like public.list_revision)',
    );
    await tx.script(tableSql(list));
    const shape = await tableShape(tx, list.key, 'draft');
    await tx.script('drop schema draft cascade');
    return shape;
  });
}

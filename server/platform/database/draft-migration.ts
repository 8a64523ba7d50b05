/** Drafts the SQL that brings a list's table to what its definition asks for: a new table, or columns and indexes that it lacks. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database } from './database.ts';
import { draftedShape, listShape, type TableShape } from './table-shape.ts';
import { fieldColumnsSql, indexesSql, tableSql } from './table-sql.ts';

export interface MigrationDraft {
  readonly list: ListDefinition;
  /** Empty when nothing can be drafted. */
  readonly sql: string;
  /** What only a person can decide: columns that changed their type or belong to no field any more. */
  readonly byHand: readonly string[];
}

/** Null when the table is as the definition asks. New columns are nullable, so that rows written before stay readable. */
export async function draftMigration(
  database: Database,
  list: ListDefinition,
): Promise<MigrationDraft | null> {
  const has = await listShape(database, list);
  if (has.columns.size === 0) return { list, sql: tableSql(list), byHand: [] };
  const asked = await draftedShape(database, list);
  if (list.viewOf !== undefined) return draftOfView(list, has, asked);
  const added = fieldColumnsSql(list).filter(({ name }) => !has.columns.has(name));
  const byHand = [
    ...changedTypes(list, has, asked),
    ...[...has.columns.keys()]
      .filter((name) => !asked.columns.has(name))
      .map((name) => `${list.key}.${name} belongs to no field of the definition`),
  ];
  const dropped = [...has.indexes]
    .filter(([name, definition]) => asked.indexes.get(name) !== definition)
    .map(([name]) => name);
  const created = indexesSql(list).filter(
    ({ name }) => has.indexes.get(name) !== asked.indexes.get(name),
  );
  const columns = `alter table ${list.key}\n${added.map(({ sql }) => `  add column ${sql}`).join(',\n')};`;
  const statements = [
    ...byHand.map(toBeWritten),
    ...(added.length > 0 ? [columns] : []),
    ...dropped.map((name) => `drop index ${name};`),
    ...created.map(({ sql }) => sql),
  ];
  return statements.length === 0 ? null : { list, sql: `${statements.join('\n')}\n`, byHand };
}

/** Only indexes can be drafted: what a column of the view is made from, a person must say. */
function draftOfView(
  list: ListDefinition,
  has: TableShape,
  asked: TableShape,
): MigrationDraft | null {
  const byHand = [
    ...changedTypes(list, has, asked),
    ...[...asked.columns.keys()]
      .filter((name) => !has.columns.has(name))
      .map((name) => `the view ${list.key} lacks the column ${name}`),
  ];
  const created = indexesSql(list).filter(
    ({ name }) => has.indexes.get(name) !== asked.indexes.get(name),
  );
  const statements = [...byHand.map(toBeWritten), ...created.map(({ sql }) => sql)];
  return statements.length === 0 ? null : { list, sql: `${statements.join('\n')}\n`, byHand };
}

const toBeWritten = (what: string) => `-- To be written by hand: ${what}.`;

function changedTypes(list: ListDefinition, has: TableShape, asked: TableShape): readonly string[] {
  return [...asked.columns].flatMap(([name, type]) => {
    const before = has.columns.get(name);
    return before === undefined || before === type
      ? []
      : [`${list.key}.${name} is ${before} in the table, ${type} in the definition`];
  });
}

/** Drafts the SQL that adapts a list's table to its definition: a new table, or missing columns and indexes. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { Database } from './database.ts';
import { readDraftedShape, readListShape, type TableShape } from './table-shape.ts';
import { fieldColumnsSql, indexesSql, tableSql } from './table-sql.ts';

export interface MigrationDraft {
  readonly list: ListDefinition;
  /** Empty when nothing can be drafted. */
  readonly sql: string;
  /** Changes that only a person can decide: columns with a changed type or without a field. */
  readonly byHand: readonly string[];
}

/** Returns null when the table matches the definition. New columns are nullable, so that existing rows stay readable. */
export async function draftMigration(
  database: Database,
  list: ListDefinition,
): Promise<MigrationDraft | null> {
  const current = await readListShape(database, list);
  if (current.columns.size === 0) return { list, sql: tableSql(list), byHand: [] };
  const drafted = await readDraftedShape(database, list);
  if (list.viewOf !== undefined) return draftView(list, current, drafted);
  const added = fieldColumnsSql(list).filter(({ name }) => !current.columns.has(name));
  const byHand = [
    ...changedTypes(list, current, drafted),
    ...[...current.columns.keys()]
      .filter((name) => !drafted.columns.has(name))
      .map((name) => `${list.key}.${name} belongs to no field of the definition`),
  ];
  const dropped = [...current.indexes]
    .filter(([name, definition]) => drafted.indexes.get(name) !== definition)
    .map(([name]) => name);
  const created = indexesSql(list).filter(
    ({ name }) => current.indexes.get(name) !== drafted.indexes.get(name),
  );
  const columns = `alter table ${list.key}\n${added.map(({ sql }) => `  add column ${sql}`).join(',\n')};`;
  const statements = [
    ...byHand.map(writeNote),
    ...(added.length > 0 ? [columns] : []),
    ...dropped.map((name) => `drop index ${name};`),
    ...created.map(({ sql }) => sql),
  ];
  return statements.length === 0 ? null : { list, sql: `${statements.join('\n')}\n`, byHand };
}

/** Drafts indexes only: the source of a view's column is a person's decision. */
function draftView(
  list: ListDefinition,
  current: TableShape,
  drafted: TableShape,
): MigrationDraft | null {
  const byHand = [
    ...changedTypes(list, current, drafted),
    ...[...drafted.columns.keys()]
      .filter((name) => !current.columns.has(name))
      .map((name) => `the view ${list.key} lacks the column ${name}`),
  ];
  const created = indexesSql(list).filter(
    ({ name }) => current.indexes.get(name) !== drafted.indexes.get(name),
  );
  const statements = [...byHand.map(writeNote), ...created.map(({ sql }) => sql)];
  return statements.length === 0 ? null : { list, sql: `${statements.join('\n')}\n`, byHand };
}

const writeNote = (what: string) => `-- To be written by hand: ${what}.`;

function changedTypes(
  list: ListDefinition,
  current: TableShape,
  drafted: TableShape,
): readonly string[] {
  return [...drafted.columns].flatMap(([name, type]) => {
    const before = current.columns.get(name);
    return before === undefined || before === type
      ? []
      : [`${list.key}.${name} is ${before} in the table, ${type} in the definition`];
  });
}

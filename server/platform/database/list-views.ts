/**
 * The lists of vendors as views of the one table of records, so that a list needs no migration. The table has the columns that SQL
 * itself uses; all other fields of a list are in its column `own`. See docs/decisions/076.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { RecordMapping, ValuePath } from '@patch/catalogue/records/record-mapping.ts';
import { z } from 'zod';
import { contentHash } from './content-hash.ts';
import type { Queryable, Session } from './database.ts';
import { type FieldColumns, tableColumnsOfList } from './list-columns.ts';
import { oncePerList } from './list-row.ts';
import { queryRows } from './query-rows.ts';
import { getIndexMapping, isIndexed } from './record-index-row.ts';
import type { Cell, StoredRow } from './stored-row.ts';

/** The table of all records, listed and withdrawn. */
export const recordTable = 'stored_record';

const storedLists = catalogueLists.filter(isIndexed);

/** Returns the fields of the list whose column is one of All patches with the same values. */
export const getSharedColumns = oncePerList((list): ReadonlyMap<string, string> => {
  const mapping: RecordMapping = getIndexMapping(list);
  const names = new Map<string, string>();
  const share = (field: string | undefined, column: string) => {
    if (field !== undefined && list.fields[field]?.stamped === undefined) names.set(field, column);
  };
  if (mapping.title.length === 1) share(mapping.title[0], 'title');
  if (mapping.identifier.length === 1) share(mapping.identifier[0], 'identifier');
  share(getFieldName(mapping.releaseDate), 'release_date');
  return names;
});

const getFieldName = (path: ValuePath | null) => (path?.kind === 'field' ? path.name : undefined);

/** Lower case of ASCII letters alone, as PostgreSQL's lower() does it in the collation "C". */
const toAsciiLowerCase = (text: string) =>
  text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Returns the value of the column `own`: what the list's row has beside the shared columns. */
export function toOwnValues(list: ListDefinition, row: StoredRow): Readonly<Record<string, Cell>> {
  const shared = getSharedColumns(list);
  const own: Record<string, Cell> = {};
  const add = (column: string, value: Cell | undefined) => {
    if (value !== null && value !== undefined && value !== '')
      own[column] = typeof value === 'string' ? value.toWellFormed() : value;
  };
  for (const { field, column, folded, rank, stamped } of tableColumnsOfList(list)) {
    if (stamped || shared.has(field)) continue;
    const value = row[column];
    add(column, value);
    if (rank !== null) add(rank, row[rank]);
    if (folded === null || typeof value !== 'string') continue;
    if (row[folded] !== toAsciiLowerCase(value)) add(folded, row[folded]);
  }
  add('keyword', row['keyword']);
  return own;
}

function viewSql(list: ListDefinition): string {
  const shared = getSharedColumns(list);
  const columns = tableColumnsOfList(list)
    .filter(({ stamped }) => !stamped)
    .flatMap((each) => columnSql(each, shared.get(each.field)));
  return `select id, natural_key, part, content_hash, created_time, updated_time, withdrawn_time, list_revision as revision,
  coalesce(own ->> 'keyword', '') collate "C" as keyword, names, own,
  ${columns.join(',\n  ')}
from ${recordTable} where list = '${list.key}'`;
}

function columnSql(
  { column, folded, rank, storage }: FieldColumns,
  shared: string | undefined,
): readonly string[] {
  if (shared !== undefined)
    return [
      `${shared} as ${column}`,
      ...(folded === null ? [] : [`${shared}_folded as ${folded}`]),
    ];
  const value = `(own ->> '${column}')`;
  return [
    `${storage.type === 'text' ? value : `${value}::${storage.type}`} as ${column}`,
    ...(folded === null
      ? []
      : [`coalesce(own ->> '${folded}', lower(${value} collate "C")) collate "C" as ${folded}`]),
    ...(rank === null ? [] : [`(own ->> '${rank}')::smallint as ${rank}`]),
  ];
}

const ViewRow = z.object({ name: z.string(), hash: z.string().nullable() });
const TableRow = z.object({ exists: z.boolean() });

/** Creates the views that are missing or of another definition, and a revision for each list. Does nothing before the table exists. */
export async function createListViews(tx: Queryable & Pick<Session, 'script'>): Promise<void> {
  const [table] = await queryRows(
    tx,
    TableRow,
    `select to_regclass('${recordTable}') is not null as exists`,
  );
  if (table?.exists !== true) return;
  const found = await queryRows(
    tx,
    ViewRow,
    `select relname as name, obj_description(oid, 'pg_class') as hash from pg_class
     where relkind = 'v' and relnamespace = current_schema()::regnamespace`,
  );
  const hashes = new Map(found.map(({ name, hash }) => [name, hash]));
  const statements = storedLists.flatMap((list) => {
    const sql = viewSql(list);
    const hash = contentHash({ sql }, {});
    if (hashes.get(list.key) === hash) return [];
    return `drop view if exists ${list.key};
create view ${list.key} as ${sql};
comment on view ${list.key} is '${hash}';
insert into list_revision (list, revision, listed) values ('${list.key}', 0, 0) on conflict do nothing;`;
  });
  if (statements.length > 0) await tx.script(statements.join('\n'));
}

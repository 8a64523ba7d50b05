/**
 * Drafts the table of a list with its indexes. The draft is committed as a migration; a test compares the two. For a list that is a
 * view, table and view are written by hand, and only the columns and indexes for searches are drafted.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { columnsOfField, type FieldColumns, feedColumnsOfList } from './list-columns.ts';

/** The name of a column or an index, with the SQL that creates it. */
export interface SqlDefinition {
  readonly name: string;
  readonly sql: string;
}

export function tableSql(list: ListDefinition): string {
  const lines = [
    'id bigint generated always as identity primary key',
    'natural_key text collate "C" not null unique',
    'part text not null',
    'content_hash text not null',
    'created_time bigint not null',
    'updated_time bigint not null',
    'withdrawn_time bigint',
    'keyword text collate "C" not null',
    ...fieldColumnsSql(list).map(({ sql }) => sql),
    'revision bigint not null default 0',
  ];
  const revision = `insert into list_revision (list, revision, listed) values ('${list.key}', 0, 0);`;
  return [
    `create table ${getListTable(list)} (`,
    lines.map((line) => `  ${line}`).join(',\n'),
    ');',
    ...indexesSql(list).map(({ sql }) => sql),
    revision,
    '',
  ].join('\n');
}

/** Returns the columns of the fields that a feed writes. */
export function fieldColumnsSql(list: ListDefinition): readonly SqlDefinition[] {
  const lines = feedColumnsOfList(list).flatMap(columnSql);
  return lines.map((sql) => ({ name: sql.split(' ')[0] ?? '', sql }));
}

function columnSql({ column, storage, folded, rank, sortedFrom }: FieldColumns): string[] {
  const isOwnOrder = ![column, folded, rank].includes(sortedFrom);
  return [
    `${column} ${storage.type}`,
    ...(folded === null ? [] : [`${folded} text collate "C"`]),
    ...(rank === null ? [] : [`${rank} smallint`]),
    ...(isOwnOrder ? [`${sortedFrom} text collate "C"`] : []),
  ];
}

/** Returns the table of a list's records. */
export const getListTable = ({ key, viewOf }: ListDefinition): string => viewOf ?? key;

/**
 * Returns the indexes for searches: the default order, for pages without conditions; the first identity field and the lookups, for
 * links; and the revision, for changes including withdrawn rows. All other searches use memory or scan the table. A view has no
 * withdrawn rows.
 */
export function indexesSql(list: ListDefinition): readonly SqlDefinition[] {
  const table = getListTable(list);
  const listed = list.viewOf === undefined ? ' where withdrawn_time is null' : '';
  // The table of a view has a unique key for the identity of its records.
  const names = list.viewOf === undefined ? list.identity.slice(0, 1) : [];
  const compared = [...names, ...(list.lookups ?? [])].flatMap(
    (field) => columnsOfField(list, field).folded ?? [],
  );
  const descending = list.defaultSort.startsWith('-');
  const { sorted } = columnsOfField(list, list.defaultSort.replace(/^-/, ''));
  const order = `${sorted} ${descending ? 'desc' : 'asc'} nulls last, id ${descending ? 'desc' : 'asc'}`;
  const statements = [
    `create index ${table}_in_order on ${table} (${order})${listed};`,
    ...compared.map(
      (column) => `create index ${table}_by_${column} on ${table} (${column}, id)${listed};`,
    ),
    `create index ${table}_by_revision on ${table} (revision, id);`,
  ];
  return statements.map((sql) => ({ name: sql.split(' ')[2] ?? '', sql }));
}

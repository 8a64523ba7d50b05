/**
 * Drafts the table of a list with its indexes. The draft is committed as a migration; a test keeps the two in step. Of a list
 * that is a view, the table and the view are written by hand, and only the columns and indexes that a search needs are drafted.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  columnsOfField,
  type FieldColumns,
  feedColumnsOfList,
  tableColumnsOfList,
} from './list-columns.ts';

/** A column or an index with the SQL that makes it. */
export interface NamedSql {
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
    `create table ${tableOfList(list)} (`,
    lines.map((line) => `  ${line}`).join(',\n'),
    ');',
    ...indexesSql(list).map(({ sql }) => sql),
    revision,
    '',
  ].join('\n');
}

/** The columns of the fields that a feed writes, by name. */
export function fieldColumnsSql(list: ListDefinition): readonly NamedSql[] {
  const lines = feedColumnsOfList(list).flatMap(columnSql);
  return lines.map((sql) => ({ name: sql.split(' ')[0] ?? '', sql }));
}

function columnSql({ column, storage, folded, start, rank, sortedFrom }: FieldColumns): string[] {
  const isOwnOrder = ![column, folded, start, rank].includes(sortedFrom);
  return [
    `${column} ${storage.type}`,
    ...(folded === null ? [] : [`${folded} text collate "C"`]),
    ...(start === null ? [] : [`${start} text collate "C"`]),
    ...(rank === null ? [] : [`${rank} smallint`]),
    ...(isOwnOrder ? [`${sortedFrom} text collate "C"`] : []),
  ];
}

/** natural_order(kb_id_folded) is kb_id_folded_natural in the name of an index. */
const nameOf = (sorted: string) => sorted.replace(/^([a-z]+)_order\((\w+)\)$/, '$2_$1');

/** The table that holds a list's records. */
export const tableOfList = ({ key, viewOf }: ListDefinition): string => viewOf ?? key;

/**
 * One ordered index for every sortable field, ties by id; one for each choice within the list's own order; a trigram index
 * over all words for substring search, with a pending list of 1 MB, which every search scans in full: see migration 267; and one
 * for changes by revision, which includes withdrawn rows. A list that is a view has no withdrawn rows, and its table no
 * searchable column for sealed values.
 */
export function indexesSql(list: ListDefinition): readonly NamedSql[] {
  const isView = list.viewOf !== undefined;
  const table = tableOfList(list);
  const columns = tableColumnsOfList(list).filter(({ sealed }) => !(isView && sealed));
  // Lines whose order is another one are compared as a whole all the same.
  const compared = columns.flatMap(({ start, sorted, sortedFrom }) =>
    sorted !== sortedFrom && start === null ? [sortedFrom] : [],
  );
  const sorted = [...new Set([...columns.map((field) => field.sorted), ...compared])];
  const order = columnsOfField(list, list.defaultSort.replace(/^-/, ''));
  const choices = order.storage.type === 'bigint' ? columns.flatMap(({ rank }) => rank ?? []) : [];
  const listed = isView ? '' : ' where withdrawn_time is null';
  const statements = [
    ...(isView ? [] : [`create index ${table}_listed on ${table} (id)${listed};`]),
    ...sorted.map(
      (column) =>
        `create index ${table}_by_${nameOf(column)} on ${table} (${column}, id)${listed};`,
    ),
    ...choices.map(
      (rank) =>
        `create index ${table}_by_${rank}_in_order on ${table} (${rank}, ${order.sorted}, id)${listed};`,
    ),
    `create index ${table}_by_words on ${table} using gin (keyword gin_trgm_ops) with (gin_pending_list_limit = 1024)${listed};`,
    `create index ${table}_by_revision on ${table} (revision, id);`,
  ];
  return statements.map((sql) => ({ name: sql.split(' ')[2] ?? '', sql }));
}

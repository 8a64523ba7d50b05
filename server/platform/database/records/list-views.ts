/**
 * The lists of vendors, the listed records and All patches as views of the one table of records, so that a list needs no migration. The
 * table has the columns of All patches, which SQL itself uses; its column `own` has what a record's list shows otherwise. No text is
 * stored twice: a folded one only where it is not the text in lower case. See docs/decisions/076.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { RecordMapping, ValuePath } from '@patch/catalogue/records/record-mapping.ts';
import { severities } from '@patch/catalogue/schemas/severities.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import type { Session } from '../database.ts';
import { queryRows, queryValues } from '../query-rows.ts';
import { contentHash } from '../rows/content-hash.ts';
import {
  columnName,
  columnsOfField,
  type FieldColumns,
  feedColumnsOfList,
  oncePerList,
} from '../rows/list-columns.ts';
import type { Cell, StoredRow } from '../rows/stored-row.ts';
import { riskJoins } from '../searched-relation.ts';
import { allPatches, getIndexMapping, isIndexed } from './record-index-row.ts';
import { mergedColumns } from './update-merge.ts';

/** The table of all records, listed and withdrawn. */
export const recordTable = 'stored_record';

const storedLists = catalogueLists.filter(isIndexed);

/** A column of the table whose values a field of a list has too. */
interface SharedColumn {
  readonly column: string;
  /** False if a record can have another value in its list: `own` has it then, null too. */
  readonly isSame: boolean;
}

/** Returns the fields of a list whose values are columns of the table. */
export const getSharedColumns = oncePerList((list): ReadonlyMap<string, SharedColumn> => {
  const mapping: RecordMapping = getIndexMapping(list);
  const shared = new Map<string, SharedColumn>();
  const share = (field: string | null | undefined, shown: string, isSame: boolean) => {
    const definition = list.fields[field ?? ''];
    if (definition === undefined || definition.stamped !== undefined || shared.has(field ?? ''))
      return;
    shared.set(field ?? '', { column: columnsOfField(allPatches, shown).column, isSame });
  };
  if (mapping.title.length === 1) share(mapping.title[0], 'title', mapping.version === null);
  if (mapping.identifier.length === 1) share(mapping.identifier[0], 'identifier', true);
  share(getFieldName(mapping.releaseDate), 'releaseDate', true);
  share(getFieldName(mapping.vendorSeverity), 'vendorSeverity', false);
  share(mapping.severity?.name, 'severity', false);
  share(getFieldName(mapping.release), 'release', false);
  share(getFieldName(mapping.cve), 'cve', false);
  share(getFieldName(mapping.packages), 'packages', false);
  share(mapping.superseded, 'superseded', false);
  return shared;
});

const getFieldName = (path: ValuePath | null) => (path?.kind === 'field' ? path.name : null);

/** Lower case of ASCII letters alone, as PostgreSQL's lower() does it in the collation "C". */
const toAsciiLowerCase = (text: string) =>
  /[^\0-\x7f]/.test(text)
    ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : text.toLowerCase();

const lowerSql = (text: string) => `lower(${text} collate "C")`;

/** Returns the SQL of a folded text of the table, as its indexes have it. */
const foldedSql = (column: string) => `coalesce(${column}_folded, ${lowerSql(column)})`;

/** The texts of the table that have a folded one. */
const foldedTexts = [
  'alias',
  ...feedColumnsOfList(allPatches).flatMap(({ column, folded }) =>
    folded === null || column === 'list' ? [] : column,
  ),
];

/** Returns a row of All patches without folded texts that follow from their texts, and with other columns. */
export function toStoredColumns(shown: StoredRow, others: StoredRow): StoredRow {
  const stored: Record<string, Cell> = { ...shown, ...others };
  // These columns of the view say what the row says already, or follow from the other records of an update.
  for (const column of ['record_id', 'list_folded', 'folded']) delete stored[column];
  for (const column of foldedTexts) {
    const text = shown[column];
    if (typeof text === 'string' && shown[`${column}_folded`] === toAsciiLowerCase(text))
      stored[`${column}_folded`] = null;
  }
  return stored;
}

/**
 * Returns the value of the column `own`: what the list's row has beside the other columns.
 * @param shown The record's row of All patches.
 */
export function toOwnValues(
  list: ListDefinition,
  row: StoredRow,
  shown: StoredRow,
): Readonly<Record<string, Cell>> {
  const own: Record<string, Cell> = {};
  const add = (column: string, value: Cell) => {
    own[column] = typeof value === 'string' ? value.toWellFormed() : value;
  };
  for (const { field, column, folded } of feedColumnsOfList(list)) {
    const shared = getSharedColumns(list).get(field);
    const value = row[column] ?? null;
    const foldedValue = folded === null ? null : (row[folded] ?? null);
    if (shared === undefined) {
      if (value === null) continue;
    } else if (
      shared.isSame ||
      (value === (shown[shared.column] ?? null) &&
        (folded === null || foldedValue === (shown[`${shared.column}_folded`] ?? null)))
    )
      continue;
    add(column, value);
    if (folded !== null && typeof value === 'string' && foldedValue !== toAsciiLowerCase(value))
      add(folded, foldedValue);
  }
  const words = getOtherWords(row, shown);
  if (words !== '') add('keyword', words);
  return own;
}

/** Returns the words of the list's keyword that are not names of the record: each name is a word of the list. */
function getOtherWords({ keyword }: StoredRow, { names }: StoredRow): string {
  if (typeof keyword !== 'string' || typeof names !== 'string') return String(keyword ?? '');
  const known = new Set(names.split('\n'));
  return keyword
    .split('\n')
    .filter((word) => !known.has(word))
    .join('\n');
}

function listViewSql(list: ListDefinition): string {
  const shared = getSharedColumns(list);
  const columns = feedColumnsOfList(list).flatMap((each) =>
    columnSql(list, each, shared.get(each.field)),
  );
  return `select id, natural_key, part, content_hash, created_time, updated_time, withdrawn_time, list_revision as revision,
  concat_ws(E'\\n', own ->> 'keyword', names) collate "C" as keyword, names, detail,
  ${columns.join(',\n  ')}
from ${recordTable} where list = '${list.key}'`;
}

function columnSql(
  list: ListDefinition,
  { field, column, folded, rank, storage }: FieldColumns,
  shared: SharedColumn | undefined,
): readonly string[] {
  const own = `(own ->> '${column}')`;
  const select = (ownSql: string, sharedSql: (shown: string) => string): string => {
    if (shared === undefined) return ownSql;
    if (shared.isSame) return sharedSql(shared.column);
    return `case when own ? '${column}' then ${ownSql} else ${sharedSql(shared.column)} end`;
  };
  const value = select(storage.type === 'text' ? own : `${own}::${storage.type}`, (shown) => shown);
  if (folded === null) return [`${value} as ${column}`];
  const words = select(`coalesce(own ->> '${folded}', ${lowerSql(own)})`, foldedSql);
  return [
    `${value} as ${column}`,
    `(${words}) collate "C" as ${folded}`,
    ...(rank === null ? [] : [`${rankSql(list, field, words)} as ${rank}`]),
  ];
}

/** As `getChoiceRank` does it. */
function rankSql(list: ListDefinition, field: string, folded: string): string {
  const choices = (list.fields[field]?.choices ?? []).map(
    (choice) => `'${fold(String(choice)).replaceAll("'", "''")}'`,
  );
  return `case when (${folded}) is not null then (coalesce(array_position(array[${choices.join(', ')}]::text[], ${folded}), 0) - 1)::smallint end`;
}

/** The listed records, as All patches and what is found by name read them. */
const recordView: View = {
  name: 'record',
  // Without statistics, as in a first sync, PostgreSQL takes "is null" for rare and reads the whole table for each CVE.
  sql: `select id, created_time, updated_time, revision, keyword, list, list collate "C" as list_folded, id as record_id,
  ${foldedTexts.map((column) => `${column}, ${foldedSql(column)} as ${column}_folded`).join(',\n  ')},
  severity_rank, release_date, superseded, folded, update_key, vendor_exploited, names, detail
from ${recordTable} where (withdrawn_time > 0) is not true`,
};

/** A column of All patches: merged, if the record stands for an update of several records. */
function shownSql(column: string): string {
  if (!(mergedColumns as readonly string[]).includes(column)) return `record.${column}`;
  const merged = column.endsWith('_folded')
    ? foldedSql(`merged.${column.slice(0, -'_folded'.length)}`)
    : `merged.${column}`;
  return `case when merged.id is null then record.${column} else ${merged} end`;
}

/** The risk of a record of All patches: the highest of its update, if it stands for one. */
const riskSql = (measure: string): string =>
  `case when merged.id is null then ${measure === 'epss' ? 'record_epss' : 'record_risk'}.${measure} else of_update.${measure} end`;

const unspecifiedRank = severities.indexOf('Unspecified');

const severityWordSql = `(array[${severities.map((word) => `'${word}'`).join(', ')}])[rated.rank + 1]`;

/** All patches: the listed records. One that stands for an update has the values and the highest risk of all its records. */
const allPatchesView: View = {
  name: allPatches.key,
  sql: `select record.id, (record.list || ':' || record.id) collate "C" as natural_key, record.created_time, record.updated_time,
  null::bigint as withdrawn_time, concat_ws(E'\\n', nullif(${shownSql('keyword')}, ''), record.names) collate "C" as keyword, record.revision,
  ${[
    ...foldedTexts
      .filter((column) => column !== 'alias')
      .flatMap((column) => [column, `${column}_folded`]),
    'severity_rank',
    'superseded',
  ]
    .map((column) => `${shownSql(column)} as ${column}`)
    .join(',\n  ')},
  record.release_date, record.list, record.list_folded, record.record_id, record.folded,
  ${severityWordSql} as rated_severity, lower(${severityWordSql}) collate "C" as rated_severity_folded, rated.rank as rated_severity_rank,
  ${['exploited', 'ransomware', 'epss', 'cvss']
    .map((measure) => `${riskSql(measure)} as ${measure}`)
    .join(',\n  ')}, null::json as detail
from record left join update_values as merged on merged.id = record.id
  ${riskJoins('record')}
left join lateral (
  select bool_or(exploited) as exploited, bool_or(ransomware) as ransomware, max(cvss) as cvss, max(epss) as epss,
    max(record_risk.severity_rank) as severity_rank
  from record as member ${riskJoins('member')} where member.update_key = merged.update_key) as of_update on true
cross join lateral (select case when ${shownSql('severity_rank')} > ${unspecifiedRank} then ${shownSql('severity_rank')}
  else coalesce(${riskSql('severity_rank')}, ${shownSql('severity_rank')}) end as rank) as rated`,
};

interface View {
  readonly name: string;
  readonly sql: string;
  /** Of a list: columns whose values are in a column of the table, by their name in the list. */
  readonly shared?: Readonly<Record<string, string>>;
}

const views: readonly View[] = [
  recordView,
  allPatchesView,
  ...storedLists.map((list) => ({
    name: list.key,
    sql: listViewSql(list),
    shared: Object.fromEntries(
      [...getSharedColumns(list)].map(([field, { column }]) => [columnName(field), column]),
    ),
  })),
];

const viewsHash = contentHash({ views }, {});

const ViewRow = z.object({
  name: z.string(),
  comment: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(z.object({ hash: z.string(), shared: z.record(z.string(), z.string()).optional() })),
  columns: z.array(z.string()),
});

/** Creates all views if one is missing or of another definition, and a revision for each list. Does nothing before the table exists. */
export async function createListViews(tx: Session): Promise<void> {
  const [exists] = await queryValues(
    tx,
    z.boolean(),
    `select exists (select from pg_attribute where attrelid = to_regclass('${recordTable}') and attname = 'detail')`,
  );
  if (exists !== true) return;
  const former = await keepShownValues(tx);
  if (views.every(({ name }) => former.get(name) === viewsHash)) return;
  const statements = views.map(
    ({ name, sql, shared }) => `drop view if exists ${name} cascade;
create view ${name} as ${sql};
comment on view ${name} is '${JSON.stringify({ hash: viewsHash, shared })}';
insert into list_revision (list, revision, listed) select '${name}', 0, 0 where '${name}' <> '${recordView.name}' on conflict do nothing;`,
  );
  await tx.script(statements.join('\n'));
}

/**
 * Stores in `own` what lists show in columns that their new definitions share otherwise. Runs before each migration too, which may drop
 * the views: afterwards nothing would say what they showed. The views stay as they are, for processes of the former version; their
 * comments say what is stored. Returns the hash of each view.
 */
export async function keepShownValues(tx: Session): Promise<ReadonlyMap<string, string>> {
  const former = await queryRows(
    tx,
    ViewRow,
    `select relname as name, obj_description(oid, 'pg_class') as comment,
       (select json_agg(attname) from pg_attribute where attrelid = pg_class.oid) as columns
     from pg_class where relkind = 'v' and relnamespace = current_schema()::regnamespace and relname = any($1::text[])
       and obj_description(oid, 'pg_class') is not null`,
    [arrayText(views.map(({ name }) => name))],
  );
  for (const { name, comment, columns } of former) {
    const before = comment.shared ?? {};
    const after = views.find((view) => view.name === name)?.shared ?? {};
    const changed = Object.keys({ ...before, ...after }).filter(
      (column) => before[column] !== after[column] && columns.includes(column),
    );
    if (changed.length === 0) continue;
    const cells = changed
      .flatMap((column) => [column, `${column}_folded`])
      .filter((column) => columns.includes(column));
    const kept = JSON.stringify({ hash: comment.hash, shared: after });
    await tx.script(
      `update ${recordTable} as stored set own = own || kept from (
         select id, jsonb_build_object(${cells.map((column) => `'${column}', ${column}`).join(', ')}) as kept from ${name}) as listed
       where listed.id = stored.id;
       comment on view ${name} is '${kept}'`,
    );
  }
  return new Map(former.map(({ name, comment }) => [name, comment.hash]));
}

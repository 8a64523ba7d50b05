/**
 * Writes the row of each record, with what All patches shows and finds of it, its CVEs, fixes and risk. See docs/decisions/036 and 076.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import { columnArrays, columnTypes } from './column-arrays.ts';
import { countCves } from './cve-row-store.ts';
import type { Queryable } from './database.ts';
import { searchedColumns } from './list-columns.ts';
import { addToListed, raiseRevision } from './list-revision-store.ts';
import { recordTable, toOwnValues, toStoredColumns } from './list-views.ts';
import { writeFixes } from './package-fix-store.ts';
import { IdRow } from './plain-rows.ts';
import { projectRecord, type RecordProjection } from './project-record.ts';
import { queryRows } from './query-rows.ts';
import { allPatches, isIndexed } from './record-index-row.ts';
import {
  lockRisk,
  type RecordReference,
  type RiskScope,
  updateScope,
  writeRisk,
} from './record-risk-store.ts';
import { readRecordContents } from './stored-record.ts';
import type { Cell, StoredRow } from './stored-row.ts';
import { getRepresentative, mergedColumns, mergeRows } from './update-merge.ts';
import { writeCves } from './write-cves.ts';

export interface RecordChange {
  /** Id in the list. */
  readonly rowId: number;
  /** True if it has an id, but no row yet. */
  readonly isNew: boolean;
  /** Null for a record that is about to be withdrawn. */
  readonly projection: RecordProjection | null;
  /** Columns beside those of the projection: key, hash, part, times, detail. Absent when only what is shown of a record is computed again. */
  readonly stamps?: StoredRow;
}

/** Runs inside the caller's transaction. Writes each row once. */
export async function indexRecords(
  tx: Queryable,
  list: ListDefinition,
  changes: readonly RecordChange[],
  now: number,
): Promise<void> {
  if (!isIndexed(list) || changes.length === 0) return;
  const revision = await raiseRevision(tx, allPatches, 0);
  await lockRisk(tx);
  const rewritten = changes.flatMap(({ rowId, isNew }) => (isNew ? [] : rowId));
  const former = await readFormerRows(tx, list, rewritten);
  const own = changes.flatMap(({ rowId, projection }) =>
    projection === null ? [] : toOwnRow(list, rowId, projection),
  );
  const { rows, members } = await mergeUpdates(tx, list, changes, own, [...former.values()]);
  const figures = await writeCves(tx, list, {
    stated: changes.flatMap(({ rowId, projection }) =>
      (projection?.scores ?? []).map((score) => ({ ...score, recordId: rowId })),
    ),
    rewritten,
    formerCves: [...former.values(), ...members].flatMap(
      ({ cve_folded: cves }) => cves?.split('\n') ?? [],
    ),
    counted: countCves(rows.map(({ values }) => values)),
    now,
  });
  await writeRows(tx, changes, rows, revision);
  const appeared = changes.filter(
    ({ rowId, projection }) => projection !== null && !former.has(rowId),
  );
  const removed = changes.filter(
    ({ rowId, projection }) => projection === null && former.has(rowId),
  );
  await addToListed(tx, allPatches, appeared.length - removed.length);
  await writeFixes(
    tx,
    list,
    changes.map(({ rowId, projection }) => ({
      id: rowId,
      isNew: !former.has(rowId),
      fixes: projection?.fixes ?? [],
    })),
  );
  const scopes = rows.flatMap(({ values }) => toScopes(values));
  await writeRisk(tx, scopes, figures, getFormerScopes(list, changes, rows));
}

const words = z.string().nullable();
const flag = z.boolean().nullable();

const FormerRow = z.object({
  id: z.number(),
  record_id: z.number(),
  update_key: words,
  cve_folded: words,
});
type FormerRow = z.infer<typeof FormerRow>;

/** Returns the rows of these records in the index, by their id in the list. */
async function readFormerRows(
  tx: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<ReadonlyMap<number, FormerRow>> {
  if (rowIds.length === 0) return new Map();
  const rows = await queryRows(
    tx,
    FormerRow,
    'select id, record_id, update_key, cve_folded from record where list = $1 and id = any($2::bigint[])',
    [list.key, arrayText(rowIds)],
  );
  return new Map(rows.map((row) => [row.record_id, row]));
}

/** A record's own row, before it is merged. */
interface OwnRow {
  readonly kind: 'own';
  readonly id: number;
  readonly list: string;
  readonly record_id: number;
  readonly update_key: string | null;
  /** Its list, and its row there. */
  readonly listed: { readonly by: ListDefinition; readonly row: StoredRow };
  readonly values: StoredRow;
}

function toOwnRow(by: ListDefinition, rowId: number, { index, row }: RecordProjection): OwnRow {
  const key = index?.['update_key'];
  return {
    kind: 'own',
    id: rowId,
    list: by.key,
    record_id: rowId,
    update_key: typeof key === 'string' ? key : null,
    listed: { by, row },
    values: { ...index, record_id: rowId },
  };
}

/** Columns of a record that are merged, or have words of the merged keyword. */
const memberColumns = [
  ...new Set<string>([...mergedColumns, ...searchedColumns(allPatches), 'names']),
];

const MemberRow = z.object({
  id: z.number(),
  list: z.string(),
  record_id: z.number(),
  update_key: z.string(),
  folded: z.boolean(),
  risk_scope: words,
  release: words,
  release_folded: words,
  cve: words,
  cve_folded: words,
  packages: words,
  packages_folded: words,
  keyword: z.string(),
  severity: words,
  severity_folded: words,
  severity_rank: z.number().nullable(),
  superseded: flag,
  vendor_exploited: flag,
  identifier_folded: words,
  title_folded: words,
  vendor_folded: words,
  vendor_severity: words,
  vendor_severity_folded: words,
  list_folded: words,
  names: words,
} satisfies Record<string, z.ZodType>);
type MemberRow = z.infer<typeof MemberRow>;

/** The stored row of a record of an update. */
interface StoredMember extends Pick<MemberRow, 'id' | 'list' | 'record_id' | 'update_key'> {
  readonly kind: 'stored';
  readonly values: MemberRow;
}

type IndexedRow = Pick<OwnRow, 'id' | 'listed' | 'values'>;

interface MergedRows {
  /** Rows to be written. */
  readonly rows: readonly IndexedRow[];
  /** Stored rows of unchanged records that represent their updates or did so before. */
  readonly members: readonly MemberRow[];
}

/**
 * Returns the rows of the index after these changes: the records' own rows, and for each present or former update of them, the new and
 * the former representative. These two are first reread from their lists, so that nothing of records that left remains.
 */
async function mergeUpdates(
  tx: Queryable,
  list: ListDefinition,
  changes: readonly RecordChange[],
  own: readonly OwnRow[],
  former: readonly FormerRow[],
): Promise<MergedRows> {
  const keys = new Set([...own, ...former].flatMap(({ update_key: key }) => key ?? []));
  if (keys.size === 0) return { rows: own, members: [] };
  const stored = await readMembers(tx, list, changes, [...keys]);
  const updates = Map.groupBy([...own, ...stored], ({ update_key }) => update_key);
  const rows: IndexedRow[] = (updates.get(null) ?? []).filter((each) => each.kind === 'own');
  updates.delete(null);
  const representatives = new Set([...updates.values()].map(getRepresentative));
  const reread = stored.filter((member) => !member.values.folded || representatives.has(member));
  const rereadRows = await rereadMembers(tx, reread);
  for (const members of updates.values()) {
    const memberValues = members.map((member) => (rereadRows.get(member) ?? member).values);
    for (const member of members) {
      const read = rereadRows.get(member) ?? member;
      if (read.kind === 'stored') continue;
      const { values } = read;
      const next = representatives.has(member)
        ? mergeRows(values, memberValues)
        : { ...values, folded: true };
      if (member.kind === 'own' || !isUnchanged(member.values, next))
        rows.push({ ...read, values: next });
    }
  }
  return { rows, members: reread.map(({ values }) => values) };
}

/** Returns the stored rows of these updates, without those of changed records. */
async function readMembers(
  tx: Queryable,
  list: ListDefinition,
  changes: readonly RecordChange[],
  keys: readonly string[],
): Promise<readonly StoredMember[]> {
  const rows = await queryRows(
    tx,
    MemberRow,
    `select id, list, record_id, update_key, folded, risk_scope, ${memberColumns.join(', ')} from record
     where update_key = any($1::text[]) and id <> all($2::bigint[])`,
    [arrayText(keys), arrayText(changes.map(({ rowId }) => rowId))],
  );
  return rows.map((values) => {
    const { id, list: memberList, record_id, update_key } = values;
    return { kind: 'stored', id, list: memberList, record_id, update_key, values };
  });
}

/** Returns the own rows of these records, without records that their list no longer has. */
async function rereadMembers(
  tx: Queryable,
  members: readonly StoredMember[],
): Promise<ReadonlyMap<OwnRow | StoredMember, OwnRow>> {
  const found = new Map<OwnRow | StoredMember, OwnRow>();
  for (const list of catalogueLists) {
    const requested = new Map(
      members.flatMap((member) => (member.list === list.key ? [[member.record_id, member]] : [])),
    );
    for (const { rowId, projection } of await readProjections(tx, list, [...requested.keys()])) {
      const member = requested.get(rowId);
      if (member !== undefined) found.set(member, toOwnRow(list, rowId, projection));
    }
  }
  return found;
}

/** Returns projections of the listed records with these ids. */
export async function readProjections(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<readonly { readonly rowId: number; readonly projection: RecordProjection }[]> {
  if (rowIds.length === 0) return [];
  const listed = await queryRows(
    database,
    IdRow,
    `select id from ${list.key} where id = any($1::bigint[]) and withdrawn_time is null`,
    [arrayText(rowIds)],
  );
  const contents = await readRecordContents(
    database,
    list,
    listed.map(({ id }) => id),
  );
  return [...contents].map(([rowId, content]) => ({
    rowId,
    projection: projectRecord(list, { key: '', contentHash: '', ...content }),
  }));
}

const isUnchanged = (before: MemberRow, next: StoredRow): boolean =>
  (['folded', 'risk_scope', ...mergedColumns] as const).every(
    (column) => before[column] === next[column],
  );

const types = columnTypes(allPatches)
  .set('folded', 'boolean')
  .set('vendor_exploited', 'boolean')
  .set('own_vendor_exploited', 'boolean')
  .set('withdrawn_time', 'bigint')
  .set('list_revision', 'bigint')
  .set('own', 'jsonb')
  .set('detail', 'json');

/** Writes the rows of changed records, and of others what All patches shows of them. */
async function writeRows(
  tx: Queryable,
  changes: readonly RecordChange[],
  rows: readonly IndexedRow[],
  revision: number,
): Promise<void> {
  const changeOfId = new Map(changes.map((change) => [change.rowId, change]));
  const added: StoredRow[] = [];
  const changed: StoredRow[] = [];
  const others: StoredRow[] = [];
  for (const { id, listed, values } of rows) {
    const change = changeOfId.get(id);
    const own = JSON.stringify(toOwnValues(listed.by, listed.row, values));
    const row = toStoredColumns(values, { id, ...change?.stamps, own, revision });
    if (change === undefined) others.push(row);
    else (change.isNew ? added : changed).push(row);
  }
  await updateRows(tx, changed);
  await updateRows(tx, others);
  if (added.length === 0) return;
  const { names, sql, arrays } = columnArrays(types, added, getFilledColumns(added));
  await tx.query(
    `insert into ${recordTable} (${names.join(', ')}) select * from unnest(${sql})`,
    arrays,
  );
}

/** Returns the columns that one of the rows has a value for: most folded texts have none. */
const getFilledColumns = (rows: readonly StoredRow[]): readonly string[] =>
  Object.keys(rows[0] ?? {}).filter((name) => rows.some((row) => (row[name] ?? null) !== null));

async function updateRows(tx: Queryable, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  const { names, sql, arrays } = columnArrays(types, rows);
  const set = names
    .filter((name) => name !== 'id')
    .map((name) =>
      name === 'updated_time'
        ? 'updated_time = coalesce(written.updated_time, stored.updated_time)'
        : `${name} = written.${name}`,
    );
  await tx.query(
    `update ${recordTable} as stored set ${set.join(', ')} from unnest(${sql}) as written(${names.join(', ')}) where stored.id = written.id`,
    arrays,
  );
}

const toText = (cell: Cell | undefined) => (typeof cell === 'string' ? cell : null);
const toFlag = (cell: Cell | undefined) => (typeof cell === 'boolean' ? cell : null);

/** Returns the scopes of the record's own risk, and of the update that it represents. */
function toScopes(row: StoredRow): readonly RiskScope[] {
  const recordId = Number(row['record_id']);
  const list = String(row['list']);
  const shown = {
    recordId,
    cves: toText(row['cve_folded']),
    vendorExploited: toFlag(row['vendor_exploited']),
  };
  const update = toText(row['risk_scope']);
  if (update === null) return [{ list, ...shown }];
  const own = {
    recordId,
    cves: toText(row['own_cve_folded']),
    vendorExploited: toFlag(row['own_vendor_exploited']),
  };
  return [
    { list, ...own },
    { list: update, ...shown },
  ];
}

/** Returns the scopes of withdrawn records, and of updates that these records do not represent. */
function getFormerScopes(
  { key: list }: ListDefinition,
  changes: readonly RecordChange[],
  rows: readonly IndexedRow[],
): readonly RecordReference[] {
  const removed = changes.flatMap(({ rowId: recordId, projection }) =>
    projection === null
      ? [
          { list, recordId },
          { list: updateScope(list), recordId },
        ]
      : [],
  );
  const notRepresenting = rows.flatMap(({ values }) =>
    values['update_key'] === null || values['risk_scope'] !== null
      ? []
      : { list: updateScope(String(values['list'])), recordId: Number(values['record_id']) },
  );
  return [...removed, ...notRepresenting];
}

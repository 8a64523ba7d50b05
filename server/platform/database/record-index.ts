/**
 * The index of records: one row for each listed record of a vendor's list, written in the transaction that writes the record. The
 * list of all patches, the identifiers and the risk of records are read from it. See docs/decisions/036.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import { columnArrays, columnTypes } from './column-arrays.ts';
import { countsIn, keepCves, namedCves } from './cve-row-store.ts';
import type { Queryable } from './database.ts';
import { dropVendorScores, keepVendorScores } from './keep-vendor-scores.ts';
import { addToListed, raiseRevision } from './list-revision-store.ts';
import { dropFixes, keepFixes } from './package-fix-store.ts';
import { queryRows } from './query-rows.ts';
import { allPatches, indexRow, isIndexed, type RecordToIndex } from './record-index-row.ts';
import {
  dropUpdateRisk,
  lockRisk,
  type RecordPlace,
  refreshRecordRisk,
  updateScope,
} from './record-risk-store.ts';
import { storedContents } from './stored-record.ts';
import type { StoredRow } from './stored-row.ts';
import { firstOf, mergedColumns, mergedRow } from './update-merge.ts';

export interface Indexing {
  readonly now: number;
  /** The records have just been added to their list: the index knows nothing of them. */
  readonly areAdded?: boolean;
}

/** Runs inside the caller's transaction, after the rows are written. */
export async function indexRecords(
  tx: Queryable,
  list: ListDefinition,
  records: readonly RecordToIndex[],
  { now, areAdded = false }: Indexing,
): Promise<void> {
  if (!isIndexed(list) || records.length === 0) return;
  const appearing = areAdded ? records.length : 0;
  const revision = await raiseRevision(tx, allPatches, appearing);
  const own = records.map(({ rowId }) => ({ list: list.key, recordId: rowId }));
  const before = areAdded ? [] : await namedCves(tx, own);
  const rows = records.map((record) => ownRow(list, record));
  const keys = new Set([
    ...(areAdded ? [] : await updateKeysOf(tx, list, records)),
    ...rows.flatMap(({ update_key }) => update_key ?? []),
  ]);
  const united = await unitedRows(tx, [...keys], rows);
  const written = await writeIndexRows(tx, united.rows, { now, revision });
  const ofRecord = new Map(
    written.flatMap((row) => (row.list === list.key ? [[row.record_id, row]] : [])),
  );
  const places = records.flatMap(({ rowId, row, detail }) => {
    const { id, inserted: isNew } = ofRecord.get(rowId) ?? {};
    return id === undefined || isNew === undefined ? [] : [{ id, isNew, row, detail }];
  });
  await addToListed(tx, allPatches, places.filter(({ isNew }) => isNew).length - appearing);
  await keepFixes(tx, list, places);
  if (list.countedBy !== undefined) {
    await dropUpdateRisk(tx, 'record.update_key = any($1::text[])', [arrayText([...keys])]);
    await dropUpdateRisk(tx, 'record.list = $1 and record.record_id = any($2::bigint[])', [
      list.key,
      arrayText(records.map(({ rowId }) => rowId)),
    ]);
  }
  const all = [...own, ...united.readAgain];
  await lockRisk(tx);
  const counted = countsIn(united.rows);
  const named = [...before, ...counted.keys(), ...(await namedCves(tx, united.readAgain))];
  const fresh = await keepCves(tx, [...new Set(named)], counted, now);
  await keepVendorScores(tx, list, records, { now, fresh });
  await refreshRecordRisk(tx, all);
}

/** Takes withdrawn records out of the index. Runs inside the caller's transaction. */
export async function dropFromIndex(
  tx: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
  now: number,
): Promise<void> {
  if (!isIndexed(list) || rowIds.length === 0) return;
  const revision = await raiseRevision(tx, allPatches, 0);
  const ids = arrayText(rowIds);
  const before = await namedCves(
    tx,
    rowIds.map((recordId) => ({ list: list.key, recordId })),
  );
  const gone = await queryRows(
    tx,
    z.object({ id: z.number(), update_key: z.string().nullable() }),
    'delete from record where list = $1 and record_id = any($2::bigint[]) returning id, update_key',
    [list.key, ids],
  );
  await dropFixes(
    tx,
    gone.map(({ id }) => id),
  );
  for (const table of ['record_epss', 'record_risk'])
    await tx.query(
      `delete from ${table} where list in ($1::text, $2::text) and record_id = any($3::bigint[])`,
      [list.key, updateScope(list.key), ids],
    );
  await addToListed(tx, allPatches, -gone.length);
  const keys = [...new Set(gone.flatMap(({ update_key }) => update_key ?? []))];
  const united = await unitedRows(tx, keys, []);
  await writeIndexRows(tx, united.rows, { now, revision });
  if (keys.length > 0)
    await dropUpdateRisk(tx, 'record.update_key = any($1::text[])', [arrayText(keys)]);
  await refreshRecordRisk(tx, united.readAgain);
  await keepCves(tx, before, new Map(), now);
  await dropVendorScores(tx, list, rowIds);
}

const UpdateKeyRow = z.object({ update_key: z.string() });

/** The updates that these records belonged to so far. */
async function updateKeysOf(
  tx: Queryable,
  list: ListDefinition,
  records: readonly RecordToIndex[],
): Promise<readonly string[]> {
  if (list.countedBy === undefined) return [];
  const rows = await queryRows(
    tx,
    UpdateKeyRow,
    'select distinct update_key from record where list = $1 and record_id = any($2::bigint[]) and update_key is not null',
    [list.key, arrayText(records.map(({ rowId }) => rowId))],
  );
  return rows.map(({ update_key }) => update_key);
}

/** A record as its list says it. */
interface OwnRow {
  readonly kind: 'own';
  readonly list: string;
  readonly record_id: number;
  readonly update_key: string | null;
  readonly values: StoredRow;
}

function ownRow(list: ListDefinition, record: RecordToIndex): OwnRow {
  const values = indexRow(list, record);
  const key = values['update_key'];
  return {
    kind: 'own',
    list: list.key,
    record_id: record.rowId,
    update_key: typeof key === 'string' ? key : null,
    values,
  };
}

const words = z.string().nullable();
const flag = z.boolean().nullable();

const MemberRow = z.object({
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
} satisfies Record<(typeof mergedColumns)[number], z.ZodType> & Record<string, z.ZodType>);
type MemberRow = z.infer<typeof MemberRow>;

/** A record of an update as the index has it. */
interface StoredMember {
  readonly kind: 'stored';
  readonly list: string;
  readonly record_id: number;
  readonly update_key: string;
  readonly values: MemberRow;
}

interface UnitedRows {
  /** To be written. */
  readonly rows: readonly StoredRow[];
  /** The records beside those being written that stand for the updates, or did so far. */
  readonly readAgain: readonly RecordPlace[];
}

/**
 * The rows of the index after these records have been written: `written`, and of each update in `keys` the record that stands for it
 * now and the one that did so far. Those two are first read again from their list: nothing stays of records that have left.
 */
async function unitedRows(
  tx: Queryable,
  keys: readonly string[],
  written: readonly OwnRow[],
): Promise<UnitedRows> {
  if (keys.length === 0) return { rows: written.map(({ values }) => values), readAgain: [] };
  const stored = await storedMembers(tx, keys, written);
  const updates = Map.groupBy([...written, ...stored], ({ update_key }) => update_key);
  const alone = updates.get(null) ?? [];
  updates.delete(null);
  const first = new Set([...updates.values()].map(firstOf));
  const asked = stored.filter((member) => !member.values.folded || first.has(member));
  const again = await readAgain(tx, asked);
  const rows: StoredRow[] = alone.map(({ values }) => values);
  for (const members of updates.values()) {
    const together = members.map((member) => (again.get(member) ?? member).values);
    for (const member of members) {
      const own = again.get(member) ?? member;
      if (own.kind === 'stored') continue;
      const next = first.has(member)
        ? mergedRow(own.values, together)
        : { ...own.values, folded: true };
      if (member.kind === 'own' || !saysTheSame(member.values, next)) rows.push(next);
    }
  }
  return {
    rows,
    readAgain: asked.map(({ list, record_id }) => ({ list, recordId: record_id })),
  };
}

/** The records of these updates that are in the index, without those being written. */
async function storedMembers(
  tx: Queryable,
  keys: readonly string[],
  written: readonly OwnRow[],
): Promise<readonly StoredMember[]> {
  const rows = await queryRows(
    tx,
    MemberRow,
    `select list, record_id, update_key, folded, risk_scope, ${mergedColumns.join(', ')} from record
     where update_key = any($1::text[])
       and not exists (select from unnest($2::text[], $3::bigint[]) as written(list, record_id)
         where written.list = record.list and written.record_id = record.record_id)`,
    [
      arrayText(keys),
      arrayText(written.map(({ list }) => list)),
      arrayText(written.map(({ record_id }) => record_id)),
    ],
  );
  return rows.map((values) => {
    const { list, record_id, update_key } = values;
    return { kind: 'stored', list, record_id, update_key, values };
  });
}

/** What these records say by themselves. One that its list no longer has stays as it is. */
async function readAgain(
  tx: Queryable,
  members: readonly StoredMember[],
): Promise<ReadonlyMap<OwnRow | StoredMember, OwnRow>> {
  const found = new Map<OwnRow | StoredMember, OwnRow>();
  for (const list of catalogueLists) {
    const asked = new Map(
      members.flatMap((member) => (member.list === list.key ? [[member.record_id, member]] : [])),
    );
    for (const record of await recordsToIndex(tx, list, [...asked.keys()])) {
      const member = asked.get(record.rowId);
      if (member !== undefined) found.set(member, ownRow(list, record));
    }
  }
  return found;
}

const saysTheSame = (before: MemberRow, next: StoredRow): boolean =>
  (['folded', 'risk_scope', ...mergedColumns] as const).every(
    (column) => before[column] === next[column],
  );

interface Stamp {
  readonly now: number;
  readonly revision: number;
}

const WrittenRow = z.object({
  id: z.number(),
  list: z.string(),
  record_id: z.number(),
  inserted: z.boolean(),
});

async function writeIndexRows(
  tx: Queryable,
  rows: readonly StoredRow[],
  { now, revision }: Stamp,
): Promise<readonly z.infer<typeof WrittenRow>[]> {
  if (rows.length === 0) return [];
  const stamped = rows.map((row) => ({ ...row, created_time: now, updated_time: now, revision }));
  const types = columnTypes(allPatches)
    .set('folded', 'boolean')
    .set('vendor_exploited', 'boolean')
    .set('risk_scope', 'text')
    .set('own_cve_folded', 'text')
    .set('own_vendor_exploited', 'boolean');
  const { names, sql, arrays } = columnArrays(types, stamped);
  const set = names
    .filter((name) => name !== 'created_time')
    .map((name) => `${name} = excluded.${name}`);
  return queryRows(
    tx,
    WrittenRow,
    `insert into record (${names.join(', ')}) select * from unnest(${sql})
     on conflict (list, record_id) do update set ${set.join(', ')} returning id, list, record_id, (xmax = 0) as inserted`,
    arrays,
  );
}

const KeywordRow = z.object({ id: z.number(), keyword: z.string() });

/** The listed records of these numbers as the index takes them. */
export async function recordsToIndex(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<readonly RecordToIndex[]> {
  if (rowIds.length === 0) return [];
  const keywords = await queryRows(
    database,
    KeywordRow,
    `select id, keyword from ${list.key} where id = any($1::bigint[]) and withdrawn_time is null`,
    [arrayText(rowIds)],
  );
  const contents = await storedContents(database, list, rowIds);
  return keywords.flatMap(({ id, keyword }) => {
    const content = contents.get(id);
    return content === undefined ? [] : [{ rowId: id, keyword, ...content }];
  });
}

/**
 * Writes a vendor's entries into a list's table: only new and changed ones, and reports what became of each.
 * A writer first increments the list's revision, which blocks other writers until the transaction ends, and stores it in
 * the rows: revisions become visible in order, so a reader that has reached one has missed nothing before it.
 */
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import type { ListDefinition, NewRow } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import { jsonbArray } from './binary-array.ts';
import { columnArrays, columnTypes } from './column-arrays.ts';
import { carriedEntry, isSameContent } from './concluded-content.ts';
import type { Queryable } from './database.ts';
import { addToListed, raiseRevision } from './list-revision-store.ts';
import { displayShape, NaturalKeyRow, oncePerList } from './list-row.ts';
import { queryRows } from './query-rows.ts';
import { dropFromIndex, indexRecords } from './record-index.ts';
import { type RecordToIndex } from './record-index-row.ts';
import {
  displayColumns,
  identityOf,
  type KnownRow,
  knownRows,
  type RecordContent,
  storedContents,
} from './stored-record.ts';
import { jsonWithoutNul, type StoredRow, storedRow, wireRow } from './stored-row.ts';

export interface EntryToWrite {
  readonly key: string;
  readonly row: NewRow<Fields>;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Hash of row and detail: see content-hash.ts. */
  readonly contentHash: string;
}

export interface WrittenChange {
  readonly rowId: number;
  readonly key: string;
  /** `returned`: it was withdrawn and is listed again, changed or not. */
  readonly kind: 'added' | 'changed' | 'returned' | 'withdrawn';
  /** The record's display name: the first non-empty one of the list's identity fields, else its key. */
  readonly identity: string;
  /** Row and detail before; only of `changed` and `returned`. */
  readonly was?: RecordContent;
  /** Row and detail now; absent on `withdrawn`. */
  readonly is?: RecordContent;
}

/**
 * Runs inside the caller's transaction. Entries with known content are skipped; each key may occur once in a batch.
 * On the embedded database a batch blocks every other query: pass a few hundred entries at a time.
 */
export async function writeEntries(
  tx: Queryable,
  list: ListDefinition,
  part: string,
  entries: readonly EntryToWrite[],
  now: number,
): Promise<readonly WrittenChange[]> {
  if (entries.length === 0) return [];
  const known = await knownRows(
    tx,
    list,
    entries.map(({ key }) => key),
  );
  const added: EntryToWrite[] = [];
  const rewritten: { entry: EntryToWrite; row: KnownRow }[] = [];
  const moved: number[] = [];
  for (const entry of entries) {
    const row = known.get(entry.key);
    if (row === undefined) added.push(entry);
    else if (!isSameContent(row.content_hash, entry.contentHash) || row.withdrawn_time !== null)
      rewritten.push({ entry, row });
    else if (row.part !== part) moved.push(row.id);
  }
  if (moved.length > 0) {
    await tx.query(`update ${list.key} set part = $1 where id = any($2::bigint[])`, [
      part,
      arrayText(moved),
    ]);
  }
  if (added.length + rewritten.length === 0) return [];
  const returned = rewritten.filter(({ row }) => row.withdrawn_time !== null).length;
  const revision = await raiseRevision(tx, list, added.length + returned);
  const stamp = { now, revision };
  return [
    ...(await addEntries(tx, list, part, added, stamp)),
    ...(await rewriteEntries(tx, list, part, rewritten, stamp)),
  ];
}

interface Stamp {
  readonly now: number;
  readonly revision: number;
}

const withdrawnRow = oncePerList((list) =>
  z.object({ ...displayShape(list), ...NaturalKeyRow.shape }),
);

/** Marks rows as no longer listed by their vendor. Skips rows that are already withdrawn. */
export async function withdraw(
  tx: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
  now: number,
): Promise<readonly WrittenChange[]> {
  if (rowIds.length === 0) return [];
  const { rows: listed } = await tx.query(
    `select 1 from ${list.key} where id = any($1::bigint[]) and withdrawn_time is null limit 1`,
    [arrayText(rowIds)],
  );
  if (listed.length === 0) return [];
  const revision = await raiseRevision(tx, list, 0);
  const rows = await queryRows(
    tx,
    withdrawnRow(list),
    `update ${list.key} set withdrawn_time = $1, revision = $2 where id = any($3::bigint[]) and withdrawn_time is null
     returning id, natural_key, ${displayColumns(list)}`,
    [now, revision, arrayText(rowIds)],
  );
  await addToListed(tx, list, -rows.length);
  await dropFromIndex(
    tx,
    list,
    rows.map(({ id }) => id),
    now,
  );
  return rows.map((row) => ({
    rowId: row.id,
    key: row.natural_key,
    kind: 'withdrawn',
    identity: identityOf(list, wireRow(list, row), row.natural_key),
  }));
}

async function addEntries(
  tx: Queryable,
  list: ListDefinition,
  part: string,
  entries: readonly EntryToWrite[],
  { now, revision }: Stamp,
): Promise<WrittenChange[]> {
  if (entries.length === 0) return [];
  const stored = entries.map((entry) => ({
    ...storedRow(list, entry.row, entry.detail),
    natural_key: entry.key,
    content_hash: entry.contentHash,
    part,
    created_time: now,
    updated_time: now,
    revision,
  }));
  const { names, sql, arrays } = columnArrays(columnTypes(list), stored);
  const rows = await queryRows(
    tx,
    NaturalKeyRow,
    `insert into ${list.key} (${names.join(', ')}) select * from unnest(${sql}) returning id, natural_key`,
    arrays,
  );
  const ids = new Map(rows.map((row) => [row.natural_key, row.id]));
  const idOf = (entry: EntryToWrite): number => {
    const id = ids.get(entry.key);
    if (id === undefined) throw new Error(`${list.key}: ${entry.key} was not written`);
    return id;
  };
  await writeDetails(
    tx,
    list,
    entries.map((entry) => ({ id: idOf(entry), detail: entry.detail })),
  );
  const records = entries.map((entry, place) => toIndex(idOf(entry), entry, stored[place]));
  await indexRecords(tx, list, records, { now, areAdded: true });
  return entries.map((entry, place) => {
    const is = { row: wireRow(list, stored[place] ?? {}), detail: entry.detail };
    return {
      rowId: idOf(entry),
      key: entry.key,
      kind: 'added',
      identity: identityOf(list, is.row, entry.key),
      is,
    };
  });
}

async function rewriteEntries(
  tx: Queryable,
  list: ListDefinition,
  part: string,
  rewritten: readonly { readonly entry: EntryToWrite; readonly row: KnownRow }[],
  { now, revision }: Stamp,
): Promise<WrittenChange[]> {
  if (rewritten.length === 0) return [];
  const was = await storedContents(
    tx,
    list,
    rewritten.map(({ row }) => row.id),
  );
  const pairs = rewritten.map(({ entry, row }) => ({
    entry: carriedEntry(list, { hash: row.content_hash, content: was.get(row.id) }, entry),
    row,
  }));
  const stored = pairs.map(({ entry, row }) => ({
    id: row.id,
    ...storedRow(list, entry.row, entry.detail),
    content_hash: entry.contentHash,
    part,
    // Its content may be the same as before the withdrawal: then it has not changed since.
    updated_time: row.content_hash === entry.contentHash ? null : now,
    revision,
  }));
  const { names, sql, arrays } = columnArrays(columnTypes(list), stored);
  const set = names
    .filter((name) => name !== 'id' && name !== 'updated_time')
    .map((name) => `${name} = written.${name}`);
  await tx.query(
    `update ${list.key} as kept set ${set.join(', ')}, updated_time = coalesce(written.updated_time, kept.updated_time), withdrawn_time = null
     from unnest(${sql}) as written(${names.join(', ')})
     where kept.id = written.id`,
    arrays,
  );
  await writeDetails(
    tx,
    list,
    pairs.map(({ entry, row }) => ({ id: row.id, detail: entry.detail })),
  );
  const records = pairs.map(({ entry, row }, place) => toIndex(row.id, entry, stored[place]));
  await indexRecords(tx, list, records, { now });
  return pairs.map(({ entry, row }, place) => {
    const is = { row: wireRow(list, stored[place] ?? {}), detail: entry.detail };
    const kind = row.withdrawn_time === null ? 'changed' : 'returned';
    const content = was.get(row.id);
    return {
      rowId: row.id,
      key: entry.key,
      kind,
      identity: identityOf(list, is.row, entry.key),
      ...(content && { was: content }),
      is,
    };
  });
}

function toIndex(
  rowId: number,
  { row, detail }: EntryToWrite,
  stored: StoredRow | undefined,
): RecordToIndex {
  return { rowId, row, detail, keyword: String(stored?.['keyword'] ?? '') };
}

async function writeDetails(
  tx: Queryable,
  list: ListDefinition,
  details: readonly { readonly id: number; readonly detail: Readonly<Record<string, unknown>> }[],
): Promise<void> {
  await tx.query(
    `insert into entry_detail (list, row_id, detail) select $1, * from unnest($2::bigint[], $3::jsonb[])
     on conflict (list, row_id) do update set detail = excluded.detail`,
    [
      list.key,
      arrayText(details.map(({ id }) => id)),
      jsonbArray(details.map(({ detail }) => jsonWithoutNul(detail))),
    ],
  );
}

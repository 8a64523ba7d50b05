/**
 * Writes new and changed entries of a vendor, and reports the kind of each change.
 * A writer first increments the list's revision, which blocks other writers until the transaction ends, and stores it in
 * the rows: revisions become visible in order, so a reader that has reached one has missed none before it.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import type { Queryable } from '../database.ts';
import { queryRows, queryValues } from '../query-rows.ts';
import { displayShape, NaturalKeyRow, oncePerList } from '../rows/list-columns.ts';
import { addToListed, raiseRevision } from '../rows/list-revision-store.ts';
import { type StoredRow, wireRow } from '../rows/stored-row.ts';
import { carryEntry, isSameContent } from './concluded-content.ts';
import { keepRecords } from './kept-record-store.ts';
import { recordTable } from './list-views.ts';
import { type EntryToWrite, projectRecord, type RecordProjection } from './project-record.ts';
import { indexRecords } from './record-index.ts';
import {
  displayColumns,
  getRecordIdentity,
  type KnownRow,
  type RecordContent,
  readKnownRows,
  readRecordContents,
} from './stored-record.ts';

export interface WrittenChange {
  readonly rowId: number;
  readonly key: string;
  /** `returned`: it was withdrawn and is listed again, changed or not. */
  readonly kind: 'added' | 'changed' | 'returned' | 'withdrawn';
  /** The record's display name: the first non-empty one of the list's identity fields, else its key. */
  readonly identity: string;
  /** Row and detail before the change; only for `changed` and `returned`. */
  readonly was?: RecordContent;
  /** Row and detail after the change; absent for `withdrawn`. */
  readonly is?: RecordContent;
}

/** Projects entries of a feed and writes them like `writeRecords`. */
export const writeEntries = (
  tx: Queryable,
  list: ListDefinition,
  part: string,
  entries: readonly EntryToWrite[],
  now: number,
): Promise<readonly WrittenChange[]> =>
  writeRecords(
    tx,
    list,
    part,
    entries.map((entry) => projectRecord(list, entry)),
    now,
  );

/** Runs inside the caller's transaction. Skips records with unchanged content. Each key may occur once in a batch of about a thousand. */
export async function writeRecords(
  tx: Queryable,
  list: ListDefinition,
  part: string,
  projections: readonly RecordProjection[],
  now: number,
): Promise<readonly WrittenChange[]> {
  if (projections.length === 0) return [];
  const known = await readKnownRows(
    tx,
    list,
    projections.map(({ entry }) => entry.key),
  );
  const added: RecordProjection[] = [];
  const rewrites: { projection: RecordProjection; row: KnownRow }[] = [];
  const moved: number[] = [];
  for (const projection of projections) {
    const { key, contentHash } = projection.entry;
    const row = known.get(key);
    if (row === undefined) added.push(projection);
    else if (!isSameContent(row.content_hash, contentHash) || row.withdrawn_time !== null)
      rewrites.push({ projection, row });
    else if (row.part !== part) moved.push(row.id);
  }
  if (moved.length > 0) {
    await tx.query(`update ${list.key} set part = $1 where id = any($2::bigint[])`, [
      part,
      arrayText(moved),
    ]);
  }
  if (added.length + rewrites.length === 0) return [];
  const returned = rewrites.filter(({ row }) => row.withdrawn_time !== null).length;
  const revision = await raiseRevision(tx, list, added.length + returned);
  const rewritten = rewrites.map(({ row }) => row.id);
  await keepRecords(tx, list, rewritten, revision);
  const stamp = { part, now, revision };
  const written = [
    ...(await addRows(tx, added, stamp)),
    ...(await rewriteRows(tx, list, rewrites, stamp)),
  ];
  await indexRecords(tx, list, written, now);
  return written.map(({ rowId, projection: { entry, row }, kind, was }) => {
    const is = { row: wireRow(list, row), detail: entry.detail };
    const identity = getRecordIdentity(list, is.row, entry.key);
    return { rowId, key: entry.key, kind, identity, ...(was && { was }), is };
  });
}

interface Stamp {
  readonly part: string;
  readonly now: number;
  readonly revision: number;
}

interface WrittenRecord extends Pick<WrittenChange, 'rowId' | 'kind' | 'was'> {
  readonly isNew: boolean;
  readonly projection: RecordProjection;
  readonly stamps: StoredRow;
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
  const listed = await queryValues(
    tx,
    z.number(),
    `select id from ${list.key} where id = any($1::bigint[]) and withdrawn_time is null`,
    [arrayText(rowIds)],
  );
  if (listed.length === 0) return [];
  const revision = await raiseRevision(tx, list, 0);
  await keepRecords(tx, list, listed, revision);
  // Before they are marked, since what All patches shows of them is read once more.
  const withdrawnRecords = listed.map((rowId) => ({ rowId, isNew: false, projection: null }));
  await indexRecords(tx, list, withdrawnRecords, now);
  const rows = await queryRows(
    tx,
    withdrawnRow(list),
    `update ${list.key} set withdrawn_time = $1, revision = $2 where id = any($3::bigint[]) and withdrawn_time is null
     returning id, natural_key, ${displayColumns(list)}`,
    [now, revision, arrayText(rowIds)],
  );
  await addToListed(tx, list, -rows.length);
  return rows.map((row) => ({
    rowId: row.id,
    key: row.natural_key,
    kind: 'withdrawn',
    identity: getRecordIdentity(list, wireRow(list, row), row.natural_key),
  }));
}

/** Gives new records their ids. */
async function addRows(
  tx: Queryable,
  projections: readonly RecordProjection[],
  { part, now, revision }: Stamp,
): Promise<readonly WrittenRecord[]> {
  if (projections.length === 0) return [];
  const ids = await queryValues(
    tx,
    z.number(),
    `select nextval(sequence) from (select pg_get_serial_sequence('${recordTable}', 'id')::regclass as sequence offset 0) as serial, generate_series(1, $1)`,
    [projections.length],
  );
  return projections.map((projection, index) => ({
    rowId: ids[index] ?? 0,
    isNew: true,
    kind: 'added',
    projection,
    stamps: {
      natural_key: projection.entry.key,
      content_hash: projection.entry.contentHash,
      part,
      created_time: now,
      updated_time: now,
      list_revision: revision,
      detail: projection.detailText,
    },
  }));
}

async function rewriteRows(
  tx: Queryable,
  list: ListDefinition,
  records: readonly { readonly projection: RecordProjection; readonly row: KnownRow }[],
  { part, now, revision }: Stamp,
): Promise<readonly WrittenRecord[]> {
  if (records.length === 0) return [];
  const contents = await readRecordContents(
    tx,
    list,
    records.map(({ row }) => row.id),
  );
  return records.map(
    ({ projection, row: { id, content_hash: hash, withdrawn_time: withdrawn } }) => {
      const was = contents.get(id);
      const entry = carryEntry(list, { hash, content: was }, projection.entry);
      const carried = entry === projection.entry ? projection : projectRecord(list, entry);
      return {
        rowId: id,
        isNew: false,
        kind: withdrawn === null ? 'changed' : 'returned',
        ...(was && { was }),
        projection: carried,
        stamps: {
          content_hash: entry.contentHash,
          part,
          // Of a row that returns unchanged too: what is made of it must not be older than its withdrawal.
          updated_time: now,
          withdrawn_time: null,
          list_revision: revision,
          detail: carried.detailText,
        },
      };
    },
  );
}

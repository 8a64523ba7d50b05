/**
 * Writes the row of each record, with what All patches shows and finds of it, its CVEs, fixes and risk. See docs/decisions/036 and 076.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../array-text.ts';
import { countCves } from '../cves/cve-row-store.ts';
import { lockRisk, removeRisk, writeRisk } from '../cves/record-risk-store.ts';
import { writeCves } from '../cves/write-cves.ts';
import type { Queryable } from '../database.ts';
import { queryRows, queryValues } from '../query-rows.ts';
import { columnArrays, columnTypes } from '../rows/column-arrays.ts';
import { addToListed, raiseRevision } from '../rows/list-revision-store.ts';
import type { StoredRow } from '../rows/stored-row.ts';
import { recordTable, toOwnValues, toStoredColumns } from './list-views.ts';
import { writeFixes } from './package-fix-store.ts';
import { projectRecord, type RecordProjection } from './project-record.ts';
import { allPatches, isIndexed } from './record-index-row.ts';
import { readRecordContents } from './stored-record.ts';
import { mergeUpdates } from './update-store.ts';

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
  const rows = changes.flatMap((change) => toRow(list, change));
  await writeRows(tx, list, rows, revision);
  const kept = new Map(rows.map(({ change, shown }) => [change.rowId, getUpdateKey(shown)]));
  const removed = [...former.keys()].filter((id) => !kept.has(id));
  const updates = await mergeUpdates(tx, {
    joined: [...kept.values()].filter((key) => key !== null),
    left: [...former.values()].flatMap(({ id, update_key: key }) =>
      key === null || kept.get(id) === key ? [] : key,
    ),
    removed,
    revision,
  });
  const figures = await writeCves(tx, list, {
    stated: changes.flatMap(({ rowId, projection }) =>
      (projection?.scores ?? []).map((score) => ({ ...score, recordId: rowId })),
    ),
    rewritten,
    formerCves: [...former.values(), ...updates.members].flatMap(
      ({ cve_folded: cves }) => cves?.split('\n') ?? [],
    ),
    counted: countCves([
      ...rows.map(({ shown }) => shown).filter((shown) => getUpdateKey(shown) === null),
      ...updates.shown,
    ]),
    now,
  });
  const appeared = [...kept.keys()].filter((id) => !former.has(id));
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
  await removeRisk(tx, removed);
  await writeRisk(
    tx,
    rows.map(({ change, shown }) => ({
      recordId: change.rowId,
      cves: (shown['cve_folded'] ?? null) as string | null,
      vendorExploited: (shown['vendor_exploited'] ?? null) as boolean | null,
    })),
    figures,
  );
}

const FormerRow = z.object({
  id: z.number(),
  update_key: z.string().nullable(),
  cve_folded: z.string().nullable(),
});
type FormerRow = z.infer<typeof FormerRow>;

/** Returns the listed records of these ids as they were. */
async function readFormerRows(
  tx: Queryable,
  list: ListDefinition,
  ids: readonly number[],
): Promise<ReadonlyMap<number, FormerRow>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows(
    tx,
    FormerRow,
    'select id, update_key, cve_folded from record where list = $1 and id = any($2::bigint[])',
    [list.key, arrayText(ids)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

interface ChangedRow {
  readonly change: RecordChange;
  /** As its list shows it. */
  readonly listed: StoredRow;
  /** As All patches would show it without the other records of its update. */
  readonly shown: StoredRow;
}

function toRow(list: ListDefinition, change: RecordChange): readonly ChangedRow[] {
  const { index = null, row = {} } = change.projection ?? {};
  return index === null ? [] : [{ change, listed: row, shown: { list: list.key, ...index } }];
}

const getUpdateKey = ({ update_key: key }: StoredRow) => (typeof key === 'string' ? key : null);

/** Returns projections of the listed records with these ids. */
export async function readProjections(
  database: Queryable,
  list: ListDefinition,
  rowIds: readonly number[],
): Promise<readonly { readonly rowId: number; readonly projection: RecordProjection }[]> {
  if (rowIds.length === 0) return [];
  const listed = await queryValues(
    database,
    z.number(),
    `select id from ${list.key} where id = any($1::bigint[]) and withdrawn_time is null`,
    [arrayText(rowIds)],
  );
  const contents = await readRecordContents(database, list, listed);
  return [...contents].map(([rowId, content]) => ({
    rowId,
    projection: projectRecord(list, { key: '', contentHash: '', ...content }),
  }));
}

const types = columnTypes(allPatches)
  .set('folded', 'boolean')
  .set('vendor_exploited', 'boolean')
  .set('withdrawn_time', 'bigint')
  .set('list_revision', 'bigint')
  .set('own', 'jsonb')
  .set('detail', 'json');

async function writeRows(
  tx: Queryable,
  list: ListDefinition,
  rows: readonly ChangedRow[],
  revision: number,
): Promise<void> {
  const [changed, added] = [false, true].map((isNew) =>
    rows
      .filter(({ change }) => change.isNew === isNew)
      .map(({ change: { rowId: id, stamps }, listed, shown }) => {
        const own = JSON.stringify(toOwnValues(list, listed, shown));
        return toStoredColumns(shown, { id, ...stamps, own, revision });
      }),
  ) as [StoredRow[], StoredRow[]];
  await updateRows(tx, changed);
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
  // Records of an update are folded once all of them are written.
  set.push('folded = stored.folded and written.update_key is not null');
  await tx.query(
    `update ${recordTable} as stored set ${set.join(', ')} from unnest(${sql}) as written(${names.join(', ')}) where stored.id = written.id`,
    arrays,
  );
}

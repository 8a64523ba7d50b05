/** Reads the changes of a list in the order of their commits, as JSON text that is sent unchanged. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { recordFields } from '@patch/catalogue/risk/vulnerability-list.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { Epochs } from '../../platform/database/rows/epoch-store.ts';
import {
  columnsOfList,
  type FieldColumns,
  tableColumnsOfList,
} from '../../platform/database/rows/list-columns.ts';
import { wireRecordSql } from '../../platform/database/rows/wire-record.ts';
import { query } from '../../platform/database/sql-statement.ts';
import { type ChangeCursor, completeCursor, endOfRevision } from './change-cursor.ts';
import { readNews } from './news-store.ts';
import { endNews } from './ring-passes.ts';
import { readScanBatch } from './scan-store.ts';

/** The state of one list's changes. */
export interface ListChangeState {
  readonly epochs: Epochs;
  /** The revision of the newest change. */
  readonly revision: number;
}

/** The revisions of all lists at one moment. */
export interface ChangeStates {
  /** The epoch of the database: see change_epoch. */
  readonly epoch: string;
  /** Changes when a service starts and begins an epoch. */
  readonly starts: number;
  readonly revisions: Readonly<Record<string, number>>;
}

const StatesRow = z.object({
  epoch: z.string(),
  starts: z.number(),
  revisions: z.record(z.string(), z.number()).nullable(),
});

export async function readChangeStates(database: Queryable): Promise<ChangeStates> {
  const { revisions, ...state } = await query.requiredRow(database, StatesRow)`
    select epoch, coalesce((select max(id) from started_epoch), 0) as starts,
      (select json_object_agg(list, revision) from list_revision) as revisions from change_epoch`;
  return { ...state, revisions: revisions ?? {} };
}

export interface ChangePage {
  /** JSON objects joined by commas; may be empty. */
  readonly rows: string;
  readonly next: ChangeCursor;
  readonly more: boolean;
}

/** Rows of one statement. The length of a page is checked between statements. */
const batchRows = 500;
/** A page ends early after this many characters: records with their packages can be large. */
const maxPageChars = 8 * 1024 * 1024;

export async function readChanges(
  database: Queryable,
  list: ListDefinition,
  since: ChangeCursor,
  size: number,
): Promise<ChangePage> {
  const batches: string[] = [];
  let next = since;
  for (let found = 0, length = 0; ; ) {
    const limit = Math.min(batchRows, size - found);
    const batch = await readNextBatch(database, list, next, limit);
    if (batch.end === null) return { rows: batches.join(','), next, more: true };
    if (batch.rows !== null) batches.push(batch.rows);
    found += batch.found;
    length += batch.rows?.length ?? 0;
    if (batch.found < limit || batch.last === null)
      return { rows: batches.join(','), next: batch.end, more: false };
    next = batch.last;
    if (found >= size || length >= maxPageChars)
      return { rows: batches.join(','), next, more: true };
  }
}

interface NextBatch {
  readonly rows: string | null;
  readonly found: number;
  /** After the last row; null without one. */
  readonly last: ChangeCursor | null;
  /** After the last row that there is; null when a checkpoint was removed, so that the rows are not to be sent. */
  readonly end: ChangeCursor | null;
}

async function readNextBatch(
  database: Queryable,
  list: ListDefinition,
  since: ChangeCursor,
  limit: number,
): Promise<NextBatch> {
  const { scan, passes } = since;
  if (scan === undefined && passes?.news === undefined) {
    const { rows, found, revision, id, newest } = await readBatch(database, list, since, limit);
    const end = { ...since, revision: newest, id: endOfRevision };
    return { rows, found, last: moveTo(since, revision, id), end };
  }
  const batch = await (scan === undefined
    ? readNews(database, list, since, limit)
    : readScanBatch(database, list, { ...since, scan }, limit));
  const { rows, found, revision, id, hasTarget, lacks } = batch;
  const own = lacks && passes !== undefined ? { ...since, passes: { ...passes, lacks } } : since;
  if (!hasTarget) return { rows, found, last: null, end: null };
  if (scan !== undefined) {
    const end = { ...completeCursor(own, scan.target), ...(own.passes && { passes: own.passes }) };
    return { rows, found, last: moveTo(own, revision, id), end };
  }
  return { rows, found, last: moveNewsTo(own, id), end: endNews(own) };
}

const moveTo = (since: ChangeCursor, revision: number | null, id: number | null) =>
  revision === null || id === null ? null : { ...since, revision, id };

function moveNewsTo(since: ChangeCursor, id: number | null): ChangeCursor | null {
  const { passes } = since;
  if (passes?.news === undefined || id === null) return null;
  return { ...since, passes: { ...passes, news: { ...passes.news, id } } };
}

/** Returns the columns to send. Fields that count records of this repository are left out: a client counts its own. */
export function fetchedColumns(list: ListDefinition): readonly FieldColumns[] {
  if (list.viewOf === undefined) return tableColumnsOfList(list);
  const counted: readonly string[] = recordFields;
  return columnsOfList(list).filter(({ field }) => !counted.includes(field));
}

/** Returns the relation to read, and the revision that orders its changes. */
export const changeSource = ({ key, viewOf }: ListDefinition) =>
  viewOf === undefined
    ? { relation: key, revision: 'revision', id: 'id' }
    : {
        relation: `${key} join ${viewOf} as source on source.id = ${key}.id`,
        revision: 'source.told_revision',
        id: 'source.id',
      };

const BatchRow = z.object({
  rows: z.string().nullable(),
  found: z.number(),
  /** Revision and id are those of the last row; null when no row was found. */
  revision: z.number().nullable(),
  id: z.number().nullable(),
  /** The list's newest revision at the same moment: all changes up to it were considered. */
  newest: z.number(),
});
type BatchRow = z.infer<typeof BatchRow>;

/** Reads `newest` and the rows in one statement, so that a later commit has a higher revision. */
async function readBatch(
  database: Queryable,
  list: ListDefinition,
  since: ChangeCursor,
  limit: number,
): Promise<BatchRow> {
  const { relation, revision, id } = changeSource(list);
  const rows = await queryRows(
    database,
    BatchRow,
    `select count(*) as found, string_agg(json, ',') as rows, (array_agg(change_revision))[count(*)::integer] as revision,
       (array_agg(id))[count(*)::integer] as id, coalesce((select revision from list_revision where list = $1), 0) as newest
     from (
       select change_revision, id, ${wireRecordSql(list, fetchedColumns(list))} as json
       from (
         select ${list.key}.*, ${revision} as change_revision from ${relation}
         where (${revision}, ${id}) > ($2, $3) and (${list.key}.withdrawn_time is null or ${revision} > $4) order by ${revision}, ${id} limit $5
       ) as changed
       order by change_revision, id
     ) as page`,
    [list.key, since.revision, since.id, since.begunAt, limit],
  );
  const [batch] = rows;
  if (batch === undefined) throw new Error('An aggregate without a row');
  return batch;
}

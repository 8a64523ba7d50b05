/** The changes of a list in the order in which they were committed, as JSON text that is sent as it is. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { recordFields } from '@patch/catalogue/risk/vulnerability-list.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import {
  columnsOfList,
  type FieldColumns,
  tableColumnsOfList,
} from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { type ChangeCursor, endOfRevision } from './change-cursor.ts';

/** Of a list, for those who follow its changes. */
export interface ListChangeState {
  /** Of the database: see change_epoch. */
  readonly epoch: string;
  /** Of the newest change. */
  readonly revision: number;
}

/** Of all lists, at one moment. */
export interface ChangeStates {
  readonly epoch: string;
  readonly revisions: Readonly<Record<string, number>>;
}

const StatesRow = z.object({
  epoch: z.string(),
  revisions: z.record(z.string(), z.number()).nullable(),
});

export async function changeStates(database: Queryable): Promise<ChangeStates> {
  const [row] = await queryRows(
    database,
    StatesRow,
    'select epoch, (select json_object_agg(list, revision) from list_revision) as revisions from change_epoch',
  );
  if (row === undefined) throw new Error('The database has no change epoch');
  return { epoch: row.epoch, revisions: row.revisions ?? {} };
}

export interface ChangePage {
  /** JSON objects joined by commas; may be empty. */
  readonly rows: string;
  readonly next: ChangeCursor;
  readonly more: boolean;
}

/** Rows of one statement. The length of a page is looked at between two. */
const rowsAtOnce = 500;
/** Characters after which a page ends early: records with their packages can be large. */
const longEnough = 8 * 1024 * 1024;

export async function changesSince(
  database: Queryable,
  list: ListDefinition,
  since: ChangeCursor,
  size: number,
): Promise<ChangePage> {
  const pieces: string[] = [];
  let next = since;
  for (let found = 0, length = 0; ; ) {
    const most = Math.min(rowsAtOnce, size - found);
    const piece = await pieceSince(database, list, next, most);
    if (piece.rows !== null) pieces.push(piece.rows);
    found += piece.found;
    length += piece.rows?.length ?? 0;
    if (piece.found < most || piece.revision === null || piece.id === null)
      return {
        rows: pieces.join(','),
        next: { ...next, revision: piece.newest, id: endOfRevision },
        more: false,
      };
    next = { ...next, revision: piece.revision, id: piece.id };
    if (found >= size || length >= longEnough) return { rows: pieces.join(','), next, more: true };
  }
}

/** Fields that count this repository's records are not told: a client has records of its own. */
function fetchedColumns(list: ListDefinition): readonly FieldColumns[] {
  if (list.viewOf === undefined) return tableColumnsOfList(list);
  const counted: readonly string[] = recordFields;
  return columnsOfList(list).filter(({ field }) => !counted.includes(field));
}

/** What is read, the revision in whose order changes are told, and where the detail of a row is. */
function placesOf({ key, viewOf }: ListDefinition) {
  return viewOf === undefined
    ? {
        relation: key,
        revision: 'revision',
        id: 'id',
        detail: {
          value: 'entry_detail.detail',
          join: 'left join entry_detail on entry_detail.list = $1 and entry_detail.row_id = changed.id',
        },
      }
    : {
        relation: `${key} join ${viewOf} as kept on kept.id = ${key}.id`,
        revision: 'kept.told_revision',
        id: 'kept.id',
        detail: { value: 'changed.detail', join: '' },
      };
}

const Piece = z.object({
  rows: z.string().nullable(),
  found: z.number(),
  /** Of the last row; null when none was found. */
  revision: z.number().nullable(),
  id: z.number().nullable(),
  /** Of the list, at the same moment: all that was committed up to it has been looked at. */
  newest: z.number(),
});
type Piece = z.infer<typeof Piece>;

/** Newest, rows and the last row's place are of one statement, so of one moment: what is committed after it has a higher revision. */
async function pieceSince(
  database: Queryable,
  list: ListDefinition,
  since: ChangeCursor,
  most: number,
): Promise<Piece> {
  const shown = fetchedColumns(list).map(
    ({ field, column, storage }) =>
      `'${field}', ${storage.several ? `string_to_array(${column}, E'\\n')` : column}`,
  );
  const { relation, revision, id, detail } = placesOf(list);
  const rows = await queryRows(
    database,
    Piece,
    `select count(*) as found, string_agg(json, ',') as rows, (array_agg(told))[count(*)::integer] as revision,
       (array_agg(id))[count(*)::integer] as id, coalesce((select revision from list_revision where list = $1), 0) as newest
     from (
       select told, id, concat('{"id":', id, ',"row":', json_build_object(${shown.join(', ')}), ',"detail":', coalesce(${detail.value}, '{}'),
         ',"firstSeenTime":', created_time, ',"changedTime":', updated_time, ',"withdrawnTime":', coalesce(withdrawn_time::text, 'null'), '}') as json
       from (
         select ${list.key}.*, ${revision} as told from ${relation}
         where (${revision}, ${id}) > ($2, $3) and (withdrawn_time is null or ${revision} > $4) order by ${revision}, ${id} limit $5
       ) as changed ${detail.join}
       order by told, id
     ) as page`,
    [list.key, since.revision, since.id, since.begunAt, most],
  );
  const [piece] = rows;
  if (piece === undefined) throw new Error('An aggregate without a row');
  return piece;
}

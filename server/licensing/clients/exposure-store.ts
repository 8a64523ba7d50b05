/** Counts the updates of a list that are newer than each of several revisions, severe ones separately. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { getChoiceRank } from '../../platform/database/rows/stored-row.ts';
import { updateKeySql } from '../../platform/database/rows/update-key.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

/** Numbers of updates. Several records of one update count once; it is critical when one of its newer records is. */
export const NewerUpdates = z.object({
  all: z.number(),
  critical: z.number(),
  important: z.number(),
});
export type NewerUpdates = z.infer<typeof NewerUpdates>;

const BucketRow = NewerUpdates.extend({ bucket: z.number() });

/** Returns the counts by revision. Reads the list once for any number of revisions. */
export async function countNewerUpdates(
  database: Queryable,
  list: ListDefinition,
  severity: string | null,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, NewerUpdates>> {
  const distinct = [...new Set(revisions)].toSorted((a, b) => a - b);
  if (distinct.length === 0) return new Map();
  const rank = severity === null ? null : columnsOfField(list, severity).rank;
  const isRated = (word: string) =>
    rank === null || severity === null
      ? 'false'
      : `${rank} = ${getChoiceRank(list, severity, word)}`;
  const newer = `from ${list.key} where withdrawn_time is null and revision > $2`;
  // Bucket n contains the records that are newer than n of the revisions.
  const bucket = (value: string) => `width_bucket(${value}, $1::bigint[])`;
  const statement =
    list.countedBy === undefined
      ? `select ${bucket('revision')} as bucket, count(*) as all, count(*) filter (where ${isRated('critical')}) as critical,
           count(*) filter (where ${isRated('important')}) as important ${newer} group by 1`
      : // An update is newer than a revision when the newest of its records is.
        `select bucket, count(*) filter (where counted = 1) as all, count(*) filter (where counted = 2) as critical,
           count(*) filter (where counted = 3) as important
         from (select max(revision) as all, max(revision) filter (where ${isRated('critical')}) as critical,
             max(revision) filter (where ${isRated('important')}) as important ${newer} group by ${updateKeySql(list)}) as newest
         cross join lateral (values (1, ${bucket('newest.all')}), (2, ${bucket('newest.critical')}), (3, ${bucket('newest.important')}))
           as each (counted, bucket)
         where bucket is not null group by bucket`;
  const rows = await queryRows(database, BucketRow, statement, [
    arrayText(distinct.map((revision) => revision + 1)),
    distinct[0],
  ]);
  return new Map(
    distinct.map((revision, index) => {
      const above = rows.filter((row) => row.bucket > index);
      const sum = (field: keyof NewerUpdates) =>
        above.reduce((total, row) => total + row[field], 0);
      return [
        revision,
        { all: sum('all'), critical: sum('critical'), important: sum('important') },
      ];
    }),
  );
}

/** Returns the list revision at which a record was last written; null when the record is not listed. */
export const readRecordRevision = (database: Queryable, list: ListDefinition, id: number) =>
  query.value(database, z.number())`
    select revision from ${sql.raw(list.key)} where id = ${id} and withdrawn_time is null`;

/** How many updates of a list are newer than each of several revisions, the severe ones counted apart. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { rankOfWord } from '../../platform/database/stored-row.ts';
import { updateKeySql } from '../../platform/database/update-key.ts';

/** Updates: several records of one count once, in `critical` when one of those that are newer is critical. */
export const NewerUpdates = z.object({
  all: z.number(),
  critical: z.number(),
  important: z.number(),
});
export type NewerUpdates = z.infer<typeof NewerUpdates>;

const BucketRow = NewerUpdates.extend({ bucket: z.number() });

/** By revision. Reads the list once, however many revisions are asked. */
export async function newerThan(
  database: Queryable,
  list: ListDefinition,
  severity: string | null,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, NewerUpdates>> {
  const asked = [...new Set(revisions)].toSorted((a, b) => a - b);
  if (asked.length === 0) return new Map();
  const rank = severity === null ? null : columnsOfField(list, severity).rank;
  const isRated = (word: string) =>
    rank === null || severity === null ? 'false' : `${rank} = ${rankOfWord(list, severity, word)}`;
  const newer = `from ${list.key} where withdrawn_time is null and revision > $2`;
  // The n-th bucket holds what is newer than n of them.
  const bucket = (of: string) => `width_bucket(${of}, $1::bigint[])`;
  const sql =
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
  const rows = await queryRows(database, BucketRow, sql, [
    arrayText(asked.map((revision) => revision + 1)),
    asked[0],
  ]);
  return new Map(
    asked.map((revision, place) => {
      const above = rows.filter((row) => row.bucket > place);
      const sum = (of: keyof NewerUpdates) => above.reduce((total, row) => total + row[of], 0);
      return [
        revision,
        { all: sum('all'), critical: sum('critical'), important: sum('important') },
      ];
    }),
  );
}

const RevisionRow = z.object({ revision: z.number() });

/** At which revision of its list a record was last written; null when it is not listed. */
export async function revisionOfRecord(
  database: Queryable,
  list: ListDefinition,
  id: number,
): Promise<number | null> {
  const rows = await queryRows(
    database,
    RevisionRow,
    `select revision from ${list.key} where id = $1 and withdrawn_time is null`,
    [id],
  );
  return rows[0]?.revision ?? null;
}

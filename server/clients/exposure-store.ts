/** How many records of a list are newer than each of several revisions, the severe ones counted apart. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { arrayText } from '../database/array-text.ts';
import type { Queryable } from '../database/database.ts';
import { columnsOfField } from '../database/list-columns.ts';
import { rankOfWord } from '../database/stored-row.ts';

export interface NewerRecords {
  readonly all: number;
  readonly critical: number;
  readonly important: number;
}

/** By revision. Reads the list once, however many revisions are asked. */
export async function newerThan(
  database: Queryable,
  list: ListDefinition,
  severity: string | null,
  revisions: readonly number[],
): Promise<ReadonlyMap<number, NewerRecords>> {
  const asked = [...new Set(revisions)].toSorted((one, other) => one - other);
  if (asked.length === 0) return new Map();
  const rank = severity === null ? null : columnsOfField(list, severity).rank;
  const ranked = (word: string) =>
    rank === null || severity === null ? '0::bigint' : `count(*) filter (where ${rank} = ${rankOfWord(list, severity, word)})`;
  // The n-th bucket holds what is newer than n of them.
  const { rows } = await database.query<NewerRecords & { readonly bucket: number }>(
    `select width_bucket(revision, $1::bigint[]) as bucket, count(*) as all, ${ranked('critical')} as critical, ${ranked('important')} as important
     from ${list.key} where withdrawn_time is null and revision > $2 group by 1`,
    [arrayText(asked.map((revision) => revision + 1)), asked[0]],
  );
  return new Map(
    asked.map((revision, place) => {
      const newer = rows.filter(({ bucket }) => bucket > place);
      const sum = (of: keyof NewerRecords) => newer.reduce((total, row) => total + row[of], 0);
      return [revision, { all: sum('all'), critical: sum('critical'), important: sum('important') }];
    }),
  );
}

/** At which revision of its list a record was last written; null when it is not listed. */
export async function revisionOfRecord(database: Queryable, list: ListDefinition, id: number): Promise<number | null> {
  const { rows } = await database.query<{ revision: number }>(`select revision from ${list.key} where id = $1 and withdrawn_time is null`, [
    id,
  ]);
  return rows[0]?.revision ?? null;
}

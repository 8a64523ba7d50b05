/** Reads release dates of lists through the index of the date, in time independent of the size of the list. */
import { type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { dayLength, daysOfRhythm } from '@patch/contract/sources/release-rhythm.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { updateKeySql } from '../../platform/database/rows/update-key.ts';

export interface ReleaseDays {
  /** Null when no listed record has a date. */
  readonly newest: { readonly id: number; readonly releaseDate: number } | null;
  /** The newest distinct days with records, as days since 1970, newest first. */
  readonly days: readonly number[];
  readonly ahead: { readonly records: number; readonly latest: number } | null;
}

/** Returns the column of the release date; null when the rows have none. A date in the detail has no index. */
export function getReleaseDateColumn(list: ListDefinition): string | null {
  const field = releaseDateField(list);
  return field?.of === 'row' ? columnsOfField(list, field.name).column : null;
}

const ReleaseDaysRow = z.object({
  id: z.number().nullable(),
  releaseDate: z.number().nullable(),
  /** Days since 1970, joined by commas. */
  days: z.string().nullable(),
  records: z.number(),
  latest: z.number().nullable(),
});

/**
 * Reads the newest days with records. Jumps from day to day through the index, so that days with many records are as fast as others.
 *
 * @param upTo later dates are returned as `ahead`
 */
export async function readReleaseDays(
  database: Queryable,
  list: ListDefinition,
  upTo: number,
): Promise<ReleaseDays> {
  const date = getReleaseDateColumn(list);
  if (date === null) return { newest: null, days: [], ahead: null };
  const listed = `from ${list.key} where withdrawn_time is null and ${date}`;
  const rows = await queryRows(
    database,
    ReleaseDaysRow,
    `with recursive newest as (select id, ${date} as at ${listed} between 0 and $1 order by ${date} desc, id desc limit 1),
       jump as (
         select at / ${dayLength} as day, 1 as ordinal from newest
         union all
         select (select ${date} / ${dayLength} ${listed} between 0 and jump.day * ${dayLength} - 1 order by ${date} desc limit 1), ordinal + 1
         from jump where day is not null and ordinal < ${daysOfRhythm}
       )
     select (select id from newest) as id, (select at from newest) as "releaseDate",
       (select string_agg(day::text, ',' order by ordinal) from jump) as days, ahead.records, ahead.latest
     from (select count(*) as records, max(${date}) as latest ${listed} > $1) as ahead`,
    [upTo],
  );
  const { id = null, releaseDate = null, days = null, records = 0, latest = null } = rows[0] ?? {};
  return {
    newest: id === null || releaseDate === null ? null : { id, releaseDate },
    days: days === null ? [] : days.split(',').map(Number),
    ahead: latest === null ? null : { records, latest },
  };
}

const DayRow = z.object({ day: z.number(), updates: z.number() });

/** Counts the updates of all these lists of a source by day since 1970, from `from` up to `until`, without it. Omits days without updates. */
export async function countReleasesPerDay(
  database: Queryable,
  lists: readonly ListDefinition[],
  { from, until }: { readonly from: number; readonly until: number },
): Promise<ReadonlyMap<number, number>> {
  const dated = lists.flatMap((list) => {
    const date = getReleaseDateColumn(list);
    return date === null
      ? []
      : [
          {
            list,
            day: `${date} / ${dayLength}`,
            within: `withdrawn_time is null and ${date} >= $1 and ${date} < $2`,
          },
        ];
  });
  if (dated.length === 0) return new Map();
  // Without updates of several records, an index-only scan of the date is sufficient.
  const sharing = dated.some(({ list }) => list.countedBy !== undefined);
  const parts = dated.map(({ list, day, within }) =>
    sharing
      ? `select ${day} as day, ${updateKeySql(list)} as update_key from ${list.key} where ${within}`
      : `select ${day} as day, count(*) as updates from ${list.key} where ${within} group by 1`,
  );
  const rows = await queryRows(
    database,
    DayRow,
    sharing
      ? `select day, count(*) as updates from (${parts.join(' union ')}) as each_once group by day`
      : `select day, sum(updates) as updates from (${parts.join(' union all ')}) as by_list group by day`,
    [from, until],
  );
  return new Map(rows.map(({ day, updates }) => [day, updates]));
}

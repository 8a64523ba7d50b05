/** The vendor's release dates of a list, found by the index of the date: the time taken does not grow with the list. */
import { type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import { dayLength, daysOfRhythm } from '@patch/contract/release-rhythm.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { updateKeySql } from '../../platform/database/update-key.ts';

export interface ReleaseDays {
  /** Null: no listed record is dated. */
  readonly newest: { readonly id: number; readonly releaseDate: number } | null;
  /** The newest distinct days with records, in days since 1970, newest first. */
  readonly days: readonly number[];
  readonly ahead: { readonly records: number; readonly latest: number } | null;
}

/** The column of the release date; null when the list has none in its rows. A date in the detail alone has no index. */
export function releaseDateColumn(list: ListDefinition): string | null {
  const field = releaseDateField(list);
  return field?.of === 'row' ? columnsOfField(list, field.name).column : null;
}

const ReleaseDaysRow = z.object({
  id: z.number().nullable(),
  releaseDate: z.number().nullable(),
  /** Numbers of days, joined by commas. */
  days: z.string().nullable(),
  records: z.number(),
  latest: z.number().nullable(),
});

/** `upTo`: later dates are ahead of their time. Jumps from day to day through the index, so that a day of many records costs no more than one. */
export async function releaseDaysOf(
  database: Queryable,
  list: ListDefinition,
  upTo: number,
): Promise<ReleaseDays> {
  const date = releaseDateColumn(list);
  if (date === null) return { newest: null, days: [], ahead: null };
  const listed = `from ${list.key} where withdrawn_time is null and ${date}`;
  const rows = await queryRows(
    database,
    ReleaseDaysRow,
    `with recursive newest as (select id, ${date} as at ${listed} between 0 and $1 order by ${date} desc, id desc limit 1),
       jump as (
         select at / ${dayLength} as day, 1 as place from newest
         union all
         select (select ${date} / ${dayLength} ${listed} between 0 and jump.day * ${dayLength} - 1 order by ${date} desc limit 1), place + 1
         from jump where day is not null and place < ${daysOfRhythm}
       )
     select (select id from newest) as id, (select at from newest) as "releaseDate",
       (select string_agg(day::text, ',' order by place) from jump) as days, ahead.records, ahead.latest
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

/** How many updates each day from `from` to before `until` brought over all these lists of one source, by day since 1970. Days without any are absent. */
export async function releasesPerDay(
  database: Queryable,
  lists: readonly ListDefinition[],
  { from, until }: { readonly from: number; readonly until: number },
): Promise<ReadonlyMap<number, number>> {
  const dated = lists.flatMap((list) => {
    const date = releaseDateColumn(list);
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
  // Without updates that several records are about, the index of the date alone is read.
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

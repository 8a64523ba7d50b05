/** The rows that a bundle takes along, and what is known of those that one brings. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { displayShape, oncePerList } from '../../platform/database/list-row.ts';
import { IdRow, TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { displayColumns } from '../../platform/database/stored-record.ts';
import { wireRow } from '../../platform/database/stored-row.ts';

export interface SinceRun {
  readonly id: number;
  readonly startedAt: number;
}

/** Null: all rows that are listed. */
type Since = SinceRun | null;

/** What came back without having changed is only in the runs' own records, and what was written while the clock was behind. */
function chosen({ key }: CatalogueList, since: Since): string {
  if (since === null) return 'withdrawn_time is null';
  const { id, startedAt } = since;
  return `(created_time >= ${startedAt} or updated_time >= ${startedAt} or withdrawn_time >= ${startedAt}
    or id in (select row_id from sync_change where list = '${key}' and run_id >= ${id}))`;
}

export async function countOfBundle(
  tx: Queryable,
  list: CatalogueList,
  since: Since,
): Promise<number> {
  const rows = await queryRows(
    tx,
    TotalRow,
    `select count(*) as total from ${list.key} where ${chosen(list, since)}`,
  );
  return rows[0]?.total ?? 0;
}

const bundledRow = oncePerList((list) =>
  z.object({
    ...displayShape(list),
    natural_key: z.string(),
    part: z.string(),
    content_hash: z.string(),
    withdrawn_time: z.number().nullable(),
    former_keys: z.array(z.string()).nullable(),
    detail: z.string(),
  }),
);

/** Lines of JSON, without line feeds. */
export async function* bundleLines(
  tx: Queryable,
  list: CatalogueList,
  since: Since,
): AsyncGenerator<readonly string[]> {
  const select = `select natural_key, part, content_hash, withdrawn_time, coalesce(detail::text, '{}') as detail, ${displayColumns(list)},
      ${formerKeysOf(list)} as former_keys
    from ${list.key} left join entry_detail on entry_detail.list = '${list.key}' and row_id = id where ${chosen(list, since)}`;
  const lengthOf = ({ detail }: z.infer<ReturnType<typeof bundledRow>>) => detail.length + 1000;
  for await (const rows of cursorRows(tx, bundledRow(list), select, lengthOf))
    yield rows.map(
      ({
        natural_key: key,
        part,
        content_hash: hash,
        withdrawn_time: gone,
        former_keys,
        detail,
        ...row
      }) => {
        if (gone !== null) return JSON.stringify({ key, part, withdrawn: true });
        const formerKeys = former_keys ?? undefined;
        return `${JSON.stringify({ key, part, formerKeys, hash, row: withoutNulls(wireRow(list, row)) }).slice(0, -1)},"detail":${detail}}`;
      },
    );
}

/** A former key that another record has now is left out. */
function formerKeysOf({ key }: CatalogueList): string {
  return `(select jsonb_agg(former.key order by former.key) from feed_former_key as former
    where former.list = '${key}' and former.row_id = ${key}.id and not exists (select 1 from ${key} as other where other.natural_key = former.key))`;
}

function withoutNulls(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

const PartRow = z.object({ part: z.string() });

/** The parts of which the list has rows. */
export async function partsOfList(tx: Queryable, list: CatalogueList): Promise<readonly string[]> {
  const rows = await queryRows(
    tx,
    PartRow,
    `select distinct part from ${list.key} where withdrawn_time is null order by part`,
  );
  return rows.map(({ part }) => part);
}

export const KnownRow = z.object({
  hash: z.string(),
  withdrawn: z.boolean(),
});
export type KnownRow = z.infer<typeof KnownRow>;

const KnownRowOfKey = KnownRow.extend({ key: z.string() });

export async function knownRowsOf(
  database: Queryable,
  list: CatalogueList,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const rows = await queryRows(
    database,
    KnownRowOfKey,
    `select natural_key as key, content_hash as hash, withdrawn_time is not null as withdrawn from ${list.key} where natural_key = any($1::text[])`,
    [arrayText(keys)],
  );
  return new Map(rows.map(({ key, hash, withdrawn }) => [key, { hash, withdrawn }]));
}

/** Ids of those of these keys that are listed now. */
export async function listedIds(
  database: Queryable,
  list: CatalogueList,
  keys: readonly string[],
): Promise<readonly number[]> {
  const rows = await queryRows(
    database,
    IdRow,
    `select id from ${list.key} where natural_key = any($1::text[]) and withdrawn_time is null`,
    [arrayText(keys)],
  );
  return rows.map(({ id }) => id);
}

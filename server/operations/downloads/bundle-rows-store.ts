/** The rows that a bundle takes along, and what is known of those that one brings. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfList } from '../../platform/database/list-columns.ts';
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
  const { rows } = await tx.query<{ total: number }>(
    `select count(*) as total from ${list.key} where ${chosen(list, since)}`,
  );
  return rows[0]?.total ?? 0;
}

/** Lines of JSON, without line feeds. */
export async function* bundleLines(
  tx: Queryable,
  list: CatalogueList,
  since: Since,
): AsyncGenerator<readonly string[]> {
  type Found = Record<string, unknown> & {
    natural_key: string;
    part: string;
    content_hash: string;
    withdrawn_time: number | null;
    former_keys: readonly string[] | null;
    detail: string;
  };
  const shown = columnsOfList(list).flatMap(({ stamped, column }) => (stamped ? [] : [column]));
  const select = `select natural_key, part, content_hash, withdrawn_time, coalesce(detail::text, '{}') as detail, ${shown.join(', ')},
      ${formerKeysOf(list)} as former_keys
    from ${list.key} left join entry_detail on entry_detail.list = '${list.key}' and row_id = id where ${chosen(list, since)}`;
  const lengthOf = ({ detail }: Found) => detail.length + 1000;
  for await (const rows of cursorRows<Found>(tx, select, lengthOf))
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

/** The parts of which the list has rows. */
export async function partsOfList(tx: Queryable, list: CatalogueList): Promise<readonly string[]> {
  const { rows } = await tx.query<{ part: string }>(
    `select distinct part from ${list.key} where withdrawn_time is null order by part`,
  );
  return rows.map(({ part }) => part);
}

export interface KnownRow {
  readonly hash: string;
  readonly withdrawn: boolean;
}

export async function knownRowsOf(
  database: Queryable,
  list: CatalogueList,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const { rows } = await database.query<KnownRow & { key: string }>(
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
  const { rows } = await database.query<{ id: number }>(
    `select id from ${list.key} where natural_key = any($1::text[]) and withdrawn_time is null`,
    [arrayText(keys)],
  );
  return rows.map(({ id }) => id);
}

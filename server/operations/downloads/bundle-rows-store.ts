/** Reads the rows that a bundle exports, and the known rows that an import compares. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { countRows } from '../../platform/database/counted-rows.ts';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { displayColumns } from '../../platform/database/records/stored-record.ts';
import { displayShape, oncePerList } from '../../platform/database/rows/list-columns.ts';
import { wireRow } from '../../platform/database/rows/stored-row.ts';
import { query } from '../../platform/database/sql-statement.ts';

export interface SinceRun {
  readonly id: number;
  readonly startedAt: number;
  /** The end of the run of the same source before; 0: there is none. */
  readonly follows: number;
}

export const readSinceRun = async (
  tx: Queryable,
  { id, source, startedAt, queuedAt }: Pick<Run, 'id' | 'source' | 'startedAt' | 'queuedAt'>,
): Promise<SinceRun> => ({
  id,
  startedAt: startedAt ?? queuedAt,
  follows: await query.requiredValue(tx, z.number())`
    select coalesce(max(ended_time), 0) from sync_run where source = ${source} and id < ${id}`,
});

/** Null: all listed rows. */
type Since = SinceRun | null;

/** The runs' own records add rows that were written while the clock was behind. */
function rowCondition({ key }: CatalogueList, since: Since): string {
  if (since === null) return 'withdrawn_time is null';
  const { id, startedAt } = since;
  return `(created_time >= ${startedAt} or updated_time >= ${startedAt} or withdrawn_time >= ${startedAt}
    or id in (select row_id from sync_change where list = '${key}' and run_id >= ${id}))`;
}

export const countBundleRows = (
  tx: Queryable,
  list: CatalogueList,
  since: Since,
): Promise<number> => countRows(tx, `${list.key} where ${rowCondition(list, since)}`);

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

/** Yields lines of JSON without line feeds. */
export async function* readBundleLines(
  tx: Queryable,
  list: CatalogueList,
  since: Since,
): AsyncGenerator<readonly string[]> {
  const select = `select natural_key, part, content_hash, withdrawn_time, coalesce(detail::text, '{}') as detail, ${displayColumns(list)},
      ${formerKeysSql(list)} as former_keys
    from ${list.key} where ${rowCondition(list, since)}`;
  const rowLength = ({ detail }: z.infer<ReturnType<typeof bundledRow>>) => detail.length + 1000;
  for await (const rows of cursorRows(tx, bundledRow(list), select, rowLength))
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

/** Leaves out a former key that another record has now. */
function formerKeysSql({ key }: CatalogueList): string {
  return `(select jsonb_agg(former.key order by former.key) from feed_former_key as former
    where former.list = '${key}' and former.row_id = ${key}.id and not exists (select 1 from ${key} as other where other.natural_key = former.key))`;
}

function withoutNulls(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

const PartRow = z.object({ part: z.string() });

/** Returns the parts of the list's rows, also those that list nothing any more: an import withdraws what it has of them. */
export async function readParts(tx: Queryable, list: CatalogueList): Promise<readonly string[]> {
  const rows = await queryRows(tx, PartRow, `select distinct part from ${list.key} order by part`);
  return rows.map(({ part }) => part);
}

export const KnownRow = z.object({
  hash: z.string(),
  withdrawn: z.boolean(),
});
export type KnownRow = z.infer<typeof KnownRow>;

const KnownRowWithKey = KnownRow.extend({ key: z.string() });

export async function readKnownRows(
  database: Queryable,
  list: CatalogueList,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const rows = await queryRows(
    database,
    KnownRowWithKey,
    `select natural_key as key, content_hash as hash, withdrawn_time is not null as withdrawn from ${list.key} where natural_key = any($1::text[])`,
    [arrayText(keys)],
  );
  return new Map(rows.map(({ key, hash, withdrawn }) => [key, { hash, withdrawn }]));
}

/** Returns the ids of the listed records among these keys. */
export async function readListedIds(
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

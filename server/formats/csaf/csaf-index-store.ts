/** Reads which CSAF documents there are, withdrawn ones included, and when they were first read and last changed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { csafLists } from '@patch/catalogue/formats/csaf-lists.ts';
import { z } from 'zod';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { advisoryColumns, lastChangeSql, listState } from '../advisories/advisory-store.ts';
import { vexIndexSelect, vexState } from './csaf-vex-store.ts';

const IndexRow = z.object({
  identifier: z.string(),
  /** Epoch milliseconds. */
  created: z.number(),
  changed: z.number(),
});
export type CsafIndexRow = z.infer<typeof IndexRow>;

/** Identifies the content of all lists and VEX documents. */
export async function csafState(database: Queryable): Promise<string> {
  const states = await Promise.all(csafLists.map((list) => listState(database, list)));
  return [...states, await vexState(database)].join('.');
}

/** Yields batches of all documents, the one that changed last first. */
export function csafIndex(tx: Queryable): AsyncGenerator<readonly CsafIndexRow[]> {
  const sources = [...Map.groupBy(csafLists, ({ source }) => source).values()];
  const select = [...sources.map(sourceSelect), vexIndexSelect].join(' union all ');
  return cursorRows(
    tx,
    IndexRow,
    `${select} order by changed desc, identifier`,
    ({ identifier }) => identifier.length,
  );
}

const LastRow = z.object({ changed: z.number().nullable() });

/** When the last document changed; null without documents. */
export async function lastCsafChange(database: Queryable): Promise<number | null> {
  const selects = csafLists.map(
    (list) =>
      `select ${lastChangeSql} as changed from ${list.key} where ${advisoryColumns(list).column} is not null`,
  );
  selects.push('select max(changed_time) as changed from package_status');
  const rows = await queryRows(
    database,
    LastRow,
    `select max(changed) as changed from (${selects.join(' union all ')}) each_list`,
  );
  return rows[0]?.changed ?? null;
}

/** SQL of the advisories of one source's lists. The list that provides a document, and its times, are those of `readCsafDocument`. */
function sourceSelect(lists: readonly ListDefinition[]): string {
  const selects = lists.map((list, place) => {
    const { column, folded } = advisoryColumns(list);
    return `select ${folded} as folded, min(${column}) as identifier, min(created_time) as created, ${lastChangeSql} as changed,
      ${place} as place, bool_or(withdrawn_time is null) as listed
      from ${list.key} where ${column} is not null group by ${folded}`;
  });
  if (selects.length === 1)
    return `select identifier, created, changed from (${selects[0]}) of_list`;
  return `select min(identifier) as identifier, min(created) as created,
      max(changed) filter (where provider is null or place <= provider) as changed
    from (select *, min(place) filter (where listed) over (partition by folded) as provider
      from (${selects.join(' union all ')}) of_list) of_source
    group by folded`;
}

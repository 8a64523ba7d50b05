/** Reads which CSAF documents there are, withdrawn ones included, and when they were first read and last changed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { csafLists, precedingLists } from '@patch/catalogue/formats/csaf-lists.ts';
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
  const select = [...csafLists.map(listSelect), vexIndexSelect].join(' union all ');
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

/** An advisory that an earlier list has too has its document from there. */
function listSelect(list: ListDefinition): string {
  const { column, folded } = advisoryColumns(list);
  const earlier = precedingLists(list).map((other) => {
    const own = advisoryColumns(other).folded;
    return ` and not exists (select 1 from ${other.key} where ${other.key}.${own} = ${list.key}.${folded})`;
  });
  return `select min(${column}) as identifier, min(created_time) as created, ${lastChangeSql} as changed
    from ${list.key} where ${column} is not null${earlier.join('')} group by ${folded}`;
}

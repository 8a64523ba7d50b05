/** Finds the rows of a list whose risk has changed. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../database.ts';
import { queryRows } from '../query-rows.ts';
import { recordTable } from './list-views.ts';
import { allPatches } from './record-index-row.ts';

/** Sorts after every risk of earlier pages. */
export type RiskCursor = readonly [revision: number, recordId: number];

export interface ChangedRisk {
  /** Ids in the list. */
  readonly ids: readonly number[];
  /** Null after the last page. */
  readonly next: RiskCursor | null;
}

const ChangedRow = z.object({
  ids: z.array(z.number()),
  found: z.number(),
  last: z.tuple([z.number(), z.number()]).nullable(),
});

const representatives = `union select update_values.id from changed join record on record.id = changed.record_id
  join update_values on update_values.update_key = record.update_key`;

export const beginAfter = (revision: number): RiskCursor => [revision + 1, 0];

/** Reads a page of up to `limit` changes. In All patches, the record that represents an update has the risk of all its records. */
export async function readChangedRisk(
  database: Queryable,
  { key }: ListDefinition,
  from: RiskCursor,
  limit: number,
): Promise<ChangedRisk> {
  const isIndex = key === allPatches.key;
  const [page] = await queryRows(
    database,
    ChangedRow,
    `with changed as materialized (select record_risk.revision, record_id from record_risk
         ${isIndex ? '' : `join ${recordTable} as stored on stored.id = record_id and stored.list = '${key}'`}
         where (record_risk.revision, record_id) > ($1::bigint, $2::bigint)
         order by record_risk.revision, record_id limit ${limit})
     select to_json(array(select record_id from changed ${isIndex ? representatives : ''})) as ids, (select count(*) from changed) as found,
       (select json_build_array(revision, record_id) from changed order by revision desc, record_id desc limit 1) as last`,
    from,
  );
  if (page === undefined) throw new Error('An aggregate without a row');
  return { ids: page.ids, next: page.found < limit ? null : page.last };
}

/** Reads records of the catalogue for the standing judgement, beside those that the judgement of one machine reads. */
import { getList } from '@patch/catalogue/lists.ts';
import { productKey } from '@patch/catalogue/machines/judgement/windows-products.ts';
import { z } from 'zod';
import { type RecordOfList, readRecords } from '../../machines/machine-records-store.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import { findRecordsWithAny } from '../../platform/database/cves/cve-records-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';

export const windowsUpdates = getList('patch_repository');
export const macReleases = getList('macos_patch');
export const applicationReleases = getList('thirdparty_patch');

/** Returns the names under which the list of updates has a product. */
export async function readProductNames(
  database: Queryable,
  product: string,
): Promise<readonly string[]> {
  const names = await queryValues(
    database,
    z.string(),
    `select distinct product_name from ${windowsUpdates.key} where withdrawn_time is null and product_name is not null`,
  );
  return names.filter((name) => productKey(name) === product);
}

const ReleaseRow = z.object({ record_id: z.number(), names: z.string() });

/** Returns releases of applications with the folded names under which the index has them. */
export async function readApplicationsByName(
  database: Queryable,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly { readonly record: RecordOfList; readonly names: ReadonlySet<string> }[]> {
  const found = await findRecordsWithAny(database, 'names', names);
  const rows = await queryRows(
    database,
    ReleaseRow,
    'select record_id, names from record where list = $1 and id = any($2::bigint[])',
    [applicationReleases.key, arrayText(found)],
  );
  const namesById = new Map(rows.map(({ record_id, names: lines }) => [record_id, lines]));
  const records = await readRecords(database, applicationReleases, [...namesById.keys()], signal);
  return records.map((record) => ({
    record,
    names: new Set(namesById.get(record.recordId)?.split('\n')),
  }));
}

/** Reads records of the catalogue for the standing judgement, beside those that the judgement of one machine reads. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import { productKey } from '@patch/catalogue/machines/judgement/windows-products.ts';
import { z } from 'zod';
import { type RecordOfList, toRecordKey } from '../../machines/machine-records-store.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { findRecordsWithAny } from '../../platform/database/record-words-store.ts';
import { readRecordContents } from '../../platform/database/stored-record.ts';

export const windowsUpdates = getList('patch_repository');
export const macReleases = getList('macos_patch');
export const applicationReleases = getList('thirdparty_patch');

const ProductRow = z.object({ product_name: z.string() });

/** Returns the names under which the list of updates has a product. */
export async function readProductNames(
  database: Queryable,
  product: string,
): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    ProductRow,
    `select distinct product_name from ${windowsUpdates.key} where withdrawn_time is null and product_name is not null`,
  );
  return rows
    .map(({ product_name }) => product_name)
    .filter((name) => productKey(name) === product);
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
  const ids = rows.map(({ record_id }) => record_id);
  const records = await readRecordsById(database, applicationReleases, ids, signal);
  return rows.flatMap(({ record_id, names: lines }) => {
    const record = records.get(record_id);
    return record === undefined ? [] : [{ record, names: new Set(lines.split('\n')) }];
  });
}

/** Reads records of one list by id, withdrawn ones too. */
export async function readRecordsById(
  database: Queryable,
  list: ListDefinition,
  ids: readonly number[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, RecordOfList>> {
  const records = new Map<number, RecordOfList>();
  for (let from = 0; from < ids.length; from += 100) {
    signal.throwIfAborted();
    const contents = await readRecordContents(database, list, ids.slice(from, from + 100));
    for (const [recordId, content] of contents)
      records.set(recordId, {
        key: toRecordKey(list.key, recordId),
        list: list.key,
        recordId,
        content,
      });
  }
  return records;
}

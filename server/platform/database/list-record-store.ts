/** Reads the listed records of a list in the order of their natural keys, page by page. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { ListedRecord } from '@patch/catalogue/parsers/list-document.ts';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { oncePerList } from './list-columns.ts';
import { displayShape } from './list-row.ts';
import { jsonObject } from './plain-rows.ts';
import { queryRows } from './query-rows.ts';
import { displayColumns } from './stored-record.ts';
import { wireRow } from './stored-row.ts';

/** Rows in memory at a time: a fingerprint has two short columns, a record all columns and its detail. */
const fingerprintPageSize = 20_000;
const recordPageSize = 200;

export interface RecordFingerprint {
  readonly key: string;
  readonly contentHash: string;
}

const FingerprintRow = z.object({ natural_key: z.string(), content_hash: z.string() });

export async function* readFingerprints(
  database: Queryable,
  list: ListDefinition,
): AsyncGenerator<RecordFingerprint> {
  const pages = readPages(
    database,
    list,
    FingerprintRow,
    'natural_key, content_hash',
    fingerprintPageSize,
  );
  for await (const { natural_key: key, content_hash: contentHash } of pages)
    yield { key, contentHash };
}

const recordRow = oncePerList((list) =>
  z.object({ ...displayShape(list), natural_key: z.string(), detail: jsonObject.nullable() }),
);

export async function* readListedRecords(
  database: Queryable,
  list: ListDefinition,
): AsyncGenerator<ListedRecord> {
  const pages = readPages(
    database,
    list,
    recordRow(list),
    `natural_key, detail, ${displayColumns(list)}`,
    recordPageSize,
  );
  for await (const { natural_key: key, detail, ...row } of pages)
    yield { key, row: wireRow(list, row), detail: detail ?? {} };
}

async function* readPages<Row extends { readonly natural_key: string }>(
  database: Queryable,
  { key: table }: ListDefinition,
  schema: z.ZodType<Row>,
  columns: string,
  pageSize: number,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const rows = await queryRows(
      database,
      schema,
      `select ${columns} from ${table} where natural_key > $1 and withdrawn_time is null order by natural_key limit ${pageSize}`,
      [after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = last.natural_key;
  }
}

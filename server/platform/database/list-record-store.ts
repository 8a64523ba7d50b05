/** The listed records of a list in the order of their natural keys, a page at a time. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { ListedRecord } from '@patch/catalogue/parsers/list-document.ts';
import type { Queryable } from './database.ts';
import { columnsOfList } from './list-columns.ts';
import { wireRow } from './stored-row.ts';

/** So that no single query takes long: a fingerprint reads two short columns, a record all of them. */
const fingerprintsAPage = 20_000;
const recordsAPage = 200;

export interface RecordFingerprint {
  readonly key: string;
  readonly contentHash: string;
}

export async function* recordFingerprints(
  database: Queryable,
  list: ListDefinition,
): AsyncGenerator<RecordFingerprint> {
  type Found = { readonly natural_key: string; readonly content_hash: string };
  const pages = inPages<Found>(database, list, 'natural_key, content_hash', fingerprintsAPage);
  for await (const { natural_key: key, content_hash: contentHash } of pages)
    yield { key, contentHash };
}

export async function* listedRecords(
  database: Queryable,
  list: ListDefinition,
): AsyncGenerator<ListedRecord> {
  const shown = columnsOfList(list).flatMap(({ stamped, column }) => (stamped ? [] : [column]));
  const detailOf = `(select detail from entry_detail where list = '${list.key}' and row_id = id) as detail`;
  type Found = Record<string, unknown> & {
    natural_key: string;
    detail: Readonly<Record<string, unknown>> | null;
  };
  const pages = inPages<Found>(
    database,
    list,
    `natural_key, ${shown.join(', ')}, ${detailOf}`,
    recordsAPage,
  );
  for await (const { natural_key: key, detail, ...row } of pages)
    yield { key, row: wireRow(list, row), detail: detail ?? {} };
}

async function* inPages<Row extends { readonly natural_key: string }>(
  database: Queryable,
  { key: table }: ListDefinition,
  columns: string,
  rowsAPage: number,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const { rows } = await database.query<Row>(
      `select ${columns} from ${table} where natural_key > $1 and withdrawn_time is null order by natural_key limit ${rowsAPage}`,
      [after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAPage) return;
    after = last.natural_key;
  }
}

/** Reads what the formats of advisories share: states of lists, identifiers, releases and contents of records. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { identifierField } from '@patch/catalogue/formats/csaf-lists.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import {
  type RecordContent,
  readRecordContents,
} from '../../platform/database/records/stored-record.ts';
import { epochOf, readEpochs } from '../../platform/database/rows/epoch-store.ts';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { productVersion } from '../../platform/http/product-version.ts';

/** Records that are read and mapped at once: about 10 ms of the thread that answers requests. */
export const recordsAPage = 25;

const StateRow = z.object({
  program: z.string(),
  revision: z.number().nullable(),
  listed: z.number().nullable(),
});

/** SQL of the program's version and the number of the last migration: another one can make other files of the same records. */
export const programSql = `(select concat_ws('.', '${productVersion}', left(max(name), 3)) from migration)`;

/** Identifies the content of a list, by which files made of it are known to be current: it differs after every change of a record, after a restore and after an update of the program. */
export async function listState(database: Queryable, list: ListDefinition): Promise<string> {
  const rows = await queryRows(
    database,
    StateRow,
    `select ${programSql} as program, max(revision) as revision, max(listed) as listed from list_revision where list = $1`,
    [list.key],
  );
  const { program = '', revision, listed } = rows[0] ?? {};
  const epoch = epochOf(await readEpochs(database), list.key, revision ?? 0);
  return [epoch, revision ?? 0, listed ?? 0, program].join('.');
}

/** The columns of the field that names an advisory. */
export function advisoryColumns(list: ListDefinition) {
  const { column, folded } = columnsOfField(list, identifierField(list));
  return { column, folded: folded ?? column };
}

/** SQL of the time when an advisory last changed: its last record that was written, listed again or withdrawn. */
export const lastChangeSql = 'max(greatest(updated_time, withdrawn_time))';

const IdentifierRow = z.object({ identifier: z.string() });

/** Returns the identifiers of the advisories with records that meet a condition, in the order of their folded letters. */
export async function readIdentifiers(
  database: Queryable,
  list: ListDefinition,
  { where, values, limit }: { where: string; values: readonly unknown[]; limit?: number },
): Promise<readonly string[]> {
  const { column, folded } = advisoryColumns(list);
  const rows = await queryRows(
    database,
    IdentifierRow,
    `select min(${column}) as identifier from ${list.key} where ${folded} is not null and ${where}
     group by ${folded} order by ${folded}${limit === undefined ? '' : ` limit ${limit}`}`,
    values,
  );
  return rows.map(({ identifier }) => identifier);
}

const ReleaseRow = z.object({ release: z.string() });

/** Returns the releases with records, as records write them: `AlmaLinux 9`. */
export async function readReleases(
  database: Queryable,
  lists: readonly ListDefinition[],
): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    ReleaseRow,
    'select distinct release from fix_release where list = any($1::text[]) order by release',
    [arrayText(lists.map(({ key }) => key))],
  );
  return rows.map(({ release }) => release);
}

/** Adds their contents to rows of records. Omits records that have left the list meanwhile. */
export async function readContents<Row extends { readonly id: number }>(
  database: Queryable,
  list: ListDefinition,
  rows: readonly Row[],
): Promise<readonly (Row & RecordContent)[]> {
  const ids = rows.map(({ id }) => id);
  const contents = await readRecordContents(database, list, ids);
  return rows.flatMap((row) => {
    const content = contents.get(row.id);
    return content === undefined ? [] : [{ ...row, ...content }];
  });
}

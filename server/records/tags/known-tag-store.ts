/** Reads the tags of the rows, and the email addresses that the service stores. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { ListKey } from '@patch/catalogue/lists.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

const ListRevisionRow = z.object({ list: z.string(), revision: z.number() });

/** Returns the revision of each list by its key. Every change of rows raises it. */
export async function readListRevisions(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await query.rows(
    database,
    ListRevisionRow,
  )`select list, revision from list_revision`;
  return new Map(rows.map(({ list, revision }) => [list, revision]));
}

/** Returns the distinct tags of a list. */
export async function readTagsOfList(
  database: Queryable,
  list: ListDefinition,
): Promise<readonly string[]> {
  const queries = getTagFields(list).map((name) => {
    const { column, storage } = columnsOfField(list, name);
    // Distinct texts first: splitting every row would take longer.
    const texts = `select distinct ${column} as tag from ${list.key} where withdrawn_time is null and ${column} is not null`;
    return storage.several
      ? `select unnest(string_to_array(tag, E'\\n')) as tag from (${texts}) as texts`
      : texts;
  });
  if (queries.length === 0) return [];
  const tags = await query.values(database, z.array(z.string()))`
    select coalesce(json_agg(tag order by tag collate "C"), '[]') from (${sql.raw(queries.join(' union '))}) as known where tag <> ''`;
  return tags.flat();
}

/** Returns the email addresses of users and of the mail settings. */
export const readKnownAddresses = (database: Queryable) =>
  query.values(database, z.string())`
    select email from users where email <> ''
    union
    select trim(address) from settings,
      unnest(string_to_array(concat_ws(',', value ->> 'email', value ->> 'replyToEmail', value ->> 'toEmailId'), ',')) as address
    where name = 'email_config' and trim(address) <> ''`;

/** Text fields with few distinct values, in addition to the kinds that are always tags. */
const textFields: Readonly<Partial<Record<ListKey, readonly string[]>>> = {
  patch_repository: ['productName', 'productFamily', 'impact'],
  thirdparty_patch: ['manufacturer'],
};

/** Tags that state a number, such as `Debian 12` days: nobody looks for one, and a thousand of them would hide the others. */
const statements: Readonly<Partial<Record<ListKey, readonly string[]>>> = {
  vulnerabilities: ['vendorDays'],
};

export function getTagFields(list: ListDefinition): readonly string[] {
  const words = textFields[list.key as ListKey] ?? [];
  const others = statements[list.key as ListKey] ?? [];
  return Object.keys(list.fields).filter(
    (name) =>
      !isRestricted(list, name) &&
      !others.includes(name) &&
      (['tags', 'choice'].includes(getField(list, name).kind) || words.includes(name)),
  );
}

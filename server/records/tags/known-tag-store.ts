/** Reads the tags of the rows, and the email addresses that the service stores. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { getTagFields } from './tag-fields.ts';

const ListRevisionRow = z.object({ list: z.string(), revision: z.number() });

/** Returns the revision of each list by its key. Every change of rows raises it. */
export async function readListRevisions(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await queryRows(
    database,
    ListRevisionRow,
    'select list, revision from list_revision',
  );
  return new Map(rows.map(({ list, revision }) => [list, revision]));
}

const TagsRow = z.object({ tags: z.array(z.string()) });

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
  const rows = await queryRows(
    database,
    TagsRow,
    `select coalesce(json_agg(tag order by tag collate "C"), '[]') as tags from (${queries.join(' union ')}) as known where tag <> ''`,
  );
  return rows[0]?.tags ?? [];
}

const AddressRow = z.object({ address: z.string() });

/** Returns the email addresses of users and of the mail settings. */
export async function readKnownAddresses(database: Queryable): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    AddressRow,
    `select email as address from users where email <> ''
     union
     select trim(address) from settings,
       unnest(string_to_array(concat_ws(',', value ->> 'email', value ->> 'replyToEmail', value ->> 'toEmailId'), ',')) as address
     where name = 'email_config' and trim(address) <> ''`,
  );
  return rows.map(({ address }) => address);
}

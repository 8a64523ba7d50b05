/** The tags that the lists' rows hold, and the addresses that the service knows. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { tagFieldsOf } from './tag-fields.ts';

const ListRevisionRow = z.object({ list: z.string(), revision: z.number() });

/** By the key of the list: raised whenever its rows change. */
export async function listRevisions(database: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await queryRows(
    database,
    ListRevisionRow,
    'select list, revision from list_revision',
  );
  return new Map(rows.map(({ list, revision }) => [list, revision]));
}

const TagsRow = z.object({ tags: z.array(z.string()) });

/** Each once. */
export async function tagsOfList(
  database: Queryable,
  list: ListDefinition,
): Promise<readonly string[]> {
  const ofFields = tagFieldsOf(list).map((name) => {
    const { column, storage } = columnsOfField(list, name);
    // The texts are made few before they are taken apart.
    const texts = `select distinct ${column} as tag from ${list.key} where withdrawn_time is null and ${column} is not null`;
    return storage.several
      ? `select unnest(string_to_array(tag, E'\\n')) as tag from (${texts}) as texts`
      : texts;
  });
  if (ofFields.length === 0) return [];
  const rows = await queryRows(
    database,
    TagsRow,
    `select coalesce(json_agg(tag order by tag collate "C"), '[]') as tags from (${ofFields.join(' union ')}) as known where tag <> ''`,
  );
  return rows[0]?.tags ?? [];
}

const AddressRow = z.object({ address: z.string() });

/** Of the people who sign in, and of the outgoing mail. */
export async function knownAddresses(database: Queryable): Promise<readonly string[]> {
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

/** Reads machines with their parts and their standing, and the ids of missing records. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { Plan } from '@patch/contract/fleet/machine-plan-endpoints.ts';
import { z } from 'zod';
import { type RecordReference, toRecordKey } from '../../machines/machine-records-store.ts';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { keysOfMachines, machinesOfIds } from '../machines/machines-of-ids-store.ts';
import { NumberSet } from '../parts/number-set.ts';

const MachineRow = z.object({
  id: z.number(),
  clientId: z.number(),
  name: z.string(),
  parts: NumberSet,
  /** Epoch milliseconds. */
  lastSeen: z.number(),
  /** Whether the last report was judged. */
  isCounted: z.boolean(),
  notJudged: z.boolean(),
  platform: z.string().nullable(),
  release: z.string().nullable(),
  build: z.string().nullable(),
  architecture: z.string().nullable(),
});
export type PlannedMachine = z.infer<typeof MachineRow>;

/** Returns the machines with these ids that exist, in the order of their ids. @param ids Each once. */
export const readPlannedMachines = (
  database: Queryable,
  ids: readonly number[],
): Promise<readonly PlannedMachine[]> =>
  queryRows(
    database,
    MachineRow,
    `select id, client_id as "clientId", coalesce(name, machine_key, '') as name, parts, last_seen as "lastSeen",
       counted_hash is not null as "isCounted", not_judged as "notJudged", platform, release, build, architecture
     from ${machinesOfIds} join machine_standing using (client_id, id) order by id`,
    keysOfMachines(ids),
  );

const NamesakeRow = z.object({ id: z.number(), name: z.string(), key: z.string().nullable() });

/** Keys as the collectors make them of the identifier of the machine, so that scripts can make them too. */
const keyOfCollectors = /^[0-9a-f]{32}$/;

/** Returns those of the machines whose name another of them has, or another one of the same client. */
export async function readSameNames(
  database: Queryable,
  names: ReadonlyMap<number, string>,
): Promise<Plan['sameNames']> {
  const rows = await queryRows(
    database,
    NamesakeRow,
    `select id, coalesce(name, machine_key) as name, machine_key as key from machine where client_id = any($1::bigint[])
       and (name_folded = any($2::text[]) or (name is null and machine_key_folded = any($2::text[]))) order by id`,
    [
      arrayText([...new Set([...names.keys()].map(clientOfMachine))]),
      arrayText([...new Set([...names.values()].map(fold))]),
    ],
  );
  const byName = Map.groupBy(rows, ({ name }) => fold(name));
  return [...byName.values()].flatMap((same) =>
    same.flatMap(({ id, name, key }) => {
      if (!names.has(id)) return [];
      const others = same.filter(
        (one) =>
          one.id !== id && (names.has(one.id) || clientOfMachine(one.id) === clientOfMachine(id)),
      );
      if (others.length === 0) return [];
      const tells = keyOfCollectors.test(key ?? '') && others.every((one) => one.key !== key);
      return [{ id, name, key: tells ? key : null }];
    }),
  );
}

const MissingRecordRow = z.object({ id: z.number(), list: z.string(), recordId: z.number() });
export type ReferencedRecord = z.infer<typeof MissingRecordRow>;

/** Returns the records by the ids of `missing_record`. */
export async function readReferences(
  database: Queryable,
  missingIds: readonly number[],
): Promise<ReadonlyMap<number, ReferencedRecord>> {
  const rows = await queryRows(
    database,
    MissingRecordRow,
    'select id, list, record_id as "recordId" from missing_record where id = any($1::int[])',
    [arrayText(missingIds)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const NamedRow = z.object({ id: z.number(), key: z.string() });

/** Returns the ids of `missing_record` by list and identifier: 'almalinux_patch ALSA-2024:1'. */
export async function readIdsByIdentifier(
  database: Queryable,
  identifiers: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await queryRows(
    database,
    NamedRow,
    `select missing_record.id, list || ' ' || identifier as key from missing_record join record using (list, record_id)
     where identifier_folded = any($1::text[])`,
    [arrayText([...new Set(identifiers.map(fold))])],
  );
  const own = Map.groupBy(rows, ({ key }) => key);
  return new Map(Array.from(own, ([key, ids]) => [key, ids.map(({ id }) => id)]));
}

/** Returns the ids of `missing_record` by the keys of records; none for records that no machine misses. */
export async function readMissingIds(
  database: Queryable,
  records: readonly RecordReference[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await queryRows(
    database,
    MissingRecordRow,
    `select id, list, record_id as "recordId" from missing_record
     where (list, record_id) in (select * from unnest($1::text[], $2::bigint[]))`,
    arrayTexts(records, 'list', 'recordId'),
  );
  return new Map(rows.map(({ id, list, recordId }) => [toRecordKey(list, recordId), id]));
}

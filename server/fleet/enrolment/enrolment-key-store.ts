/** Counts the reports that machines send with an enrolment key, and the machines. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';

/** Returns the id of the group that reports with the key; null when the key belongs to no group or was revoked. */
export const countReport = (database: Queryable, keyId: number) =>
  query.value(database, z.number())`
    update api_key set report_count = report_count + 1 where id = ${keyId} and group_id is not null returning group_id`;

/** Records that a machine reported with the key. The key may be revoked meanwhile. */
export const recordKeyMachine = (database: Queryable, keyId: number, machineId: number) =>
  query.run(database)`
    insert into api_key_machine (key_id, machine_id)
    select api_key.id, ${machineId}::bigint from api_key where api_key.id = ${keyId}
    on conflict (key_id, machine_id) do nothing`;

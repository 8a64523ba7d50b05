/** Events about machines that had no overdue record at the tally before. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { query } from '../../platform/database/sql-statement.ts';
import { addEvent, chunkItems } from '../../platform/events/event-store.ts';
import { keysOfMachines, machinesOfIds } from '../machines/machines-of-ids-store.ts';

const FoundMachine = z.object({
  id: z.number(),
  clientId: z.number(),
  name: z.string(),
  client: z.string(),
  missing: z.number(),
});

/**
 * Requires a transaction. The first call announces nothing: what is overdue then is no news. Neither is what was overdue before a machine was not
 * judged for a time.
 * @param overdue Numbers of all machines that miss an overdue record now.
 */
export async function announceOverdue(
  tx: Queryable,
  overdue: ReadonlySet<number>,
  now: number,
): Promise<void> {
  const ids = arrayText([...overdue]);
  await query.run(tx)`
    delete from overdue_machine where machine_id <> all(${ids}::bigint[])
      and machine_id not in (select id from machine_standing where not_judged)`;
  const added = await query.values(tx, z.number())`
    insert into overdue_machine select unnest(${ids}::bigint[]) on conflict do nothing returning machine_id`;
  const isFirst = await query.runOne(tx)`
    update fleet_worker set overdue_known = true where not overdue_known`;
  if (isFirst || added.length === 0) return;
  const found = await queryRows(
    tx,
    FoundMachine,
    `select machine.id, machine.client_id as "clientId", coalesce(machine.name, machine.machine_key, '') as name,
       coalesce(machine.client, '') as client, coalesce(missing, 0) as missing
     from ${machinesOfIds} join machine_standing using (client_id, id) order by machine.client_id, name, machine.id`,
    keysOfMachines(added),
  );
  for (const machines of Map.groupBy(found, ({ clientId }) => clientId).values())
    for (const chunk of chunkItems(machines)) await addEvent(tx, toEvent(chunk), now);
}

function toEvent(machines: readonly z.infer<typeof FoundMachine>[]) {
  const [first] = machines;
  const isOne = machines.length === 1;
  const who = isOne ? first?.name : `${machines.length} machines`;
  return {
    type: 'machine.overdue' as const,
    title: `${who} of ${first?.client ?? ''} ${isOne ? 'has' : 'have'} overdue records now`,
    path: isOne
      ? toPath(first?.id ?? 0)
      : `/patch-repository/machines?criteria=clientId.equal.${first?.clientId ?? 0}*overdue.is_not_null`,
    subject: { clientId: first?.clientId ?? 0 },
    items: machines.map(({ id, name, missing }) => ({
      name,
      about: `${missing} missing`,
      path: toPath(id),
    })),
    totalCount: machines.length,
  };
}

const toPath = (id: number) => `/patch-repository/machines/record/${id}`;

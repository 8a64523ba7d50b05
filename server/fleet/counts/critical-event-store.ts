/** Events about machines that missed no critical record before. */
import { z } from 'zod';
import { arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { addEvent, chunkItems } from '../../platform/events/event-store.ts';

interface CriticalCount {
  readonly machine: { readonly clientId: number; readonly id: number; readonly reportHash: string };
  /** Critical records that the machine misses. */
  readonly critical: number;
}

const FoundMachine = z.object({
  id: z.number(),
  clientId: z.number(),
  name: z.string(),
  client: z.string(),
  critical: z.number(),
});

/** SQL of the critical records that a machine missed when it was last judged. */
export const criticalBefore =
  'case when machine_standing.not_judged then critical_before else machine_standing.missing_critical end';

/**
 * Requires the transaction that writes the counts, before it writes them. A machine that is judged for the first time causes no event;
 * one that was not judged in between is compared with the last time that it was.
 */
export async function addCriticalEvents(
  tx: Queryable,
  counted: readonly CriticalCount[],
  now: number,
): Promise<void> {
  const critical = counted.filter((one) => one.critical > 0);
  if (critical.length === 0) return;
  const found = await queryRows(
    tx,
    FoundMachine,
    `select machine.id, machine.client_id as "clientId", coalesce(machine.name, machine.machine_key, '') as name,
       coalesce(machine.client, '') as client, given.critical
     from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) as given(client_id, id, hash, critical)
     join machine on machine.client_id = given.client_id and machine.id = given.id and machine.report_hash = given.hash
     join machine_standing on machine_standing.client_id = given.client_id and machine_standing.id = given.id
     where greatest(machine_standing.missing_critical, ${criticalBefore}) = 0 order by given.client_id, name, machine.id`,
    [
      ...arrayTexts(
        critical.map(({ machine }) => machine),
        'clientId',
        'id',
        'reportHash',
      ),
      ...arrayTexts(critical, 'critical'),
    ],
  );
  for (const machines of Map.groupBy(found, ({ clientId }) => clientId).values())
    for (const chunk of chunkItems(machines)) await addEvent(tx, toEvent(chunk), now);
}

function toEvent(machines: readonly z.infer<typeof FoundMachine>[]) {
  const [first] = machines;
  const client = first?.client ?? '';
  const isOne = machines.length === 1;
  const who = isOne
    ? `${first?.name ?? ''} of ${client}`
    : `${machines.length} machines of ${client}`;
  return {
    type: 'machine.critical' as const,
    title: `${who} ${isOne ? 'misses' : 'miss'} critical records now`,
    path: isOne
      ? toPath(first?.id ?? 0)
      : `/patch-repository/machines?criteria=clientId.equal.${first?.clientId ?? 0}*missingCritical.greater_than.0`,
    subject: { clientId: first?.clientId ?? 0 },
    items: machines.map(({ id, name, critical }) => ({
      name,
      about: `${critical} critical missing`,
      path: toPath(id),
    })),
    totalCount: machines.length,
  };
}

const toPath = (id: number) => `/patch-repository/machines/record/${id}`;

/**
 * Reads which missing records the rings of machines do not have: those that are newer than the checkpoint, and those that are declined.
 * A machine is in the ring of the licensed client or of the group that reports it. What is installed on it is what the clients of the ring get.
 */
import type { HeldBackReason, RingOfMachine } from '@patch/contract/fleet/machine-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../platform/database/array-text.ts';
import type { Queryable } from '../platform/database/database.ts';
import { openWord } from '../platform/database/plain-rows.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { query } from '../platform/database/sql-statement.ts';
import { keptVersionSql, ringStatusSql } from '../records/checkpoints/ring-status-store.ts';

const MemberRow = z.object({
  clientId: z.number(),
  id: z.number(),
  name: z.string(),
  checkpoint: z.string(),
});

/** Returns the rings of those of the clients that are in one. Groups whose machines report with keys count as clients. */
const readMembers = (database: Queryable, clientIds: readonly number[]) =>
  query.rows(database, MemberRow)`
    select member.id as "clientId", ring.id, ring.name, checkpoint.name as checkpoint
    from (select id, ring_id from licensed_client union all select id, ring_id from machine_group) as member
    join ring on ring.id = ring_id join checkpoint on checkpoint.id = checkpoint_id
    where member.id = any(${arrayText(clientIds)}::bigint[])`;

/** Returns the ring of the machines of a client; null: they are in none, and get whatever they miss. */
export async function readRingOfClient(
  database: Queryable,
  clientId: number,
): Promise<Pick<RingOfMachine, 'id' | 'name' | 'checkpoint'> | null> {
  const [member] = await readMembers(database, [clientId]);
  if (member === undefined) return null;
  const { id, name, checkpoint } = member;
  return { id, name, checkpoint };
}

const HeldBackRow = z.object({ id: z.number(), reason: openWord<HeldBackReason>() });

/**
 * Returns SQL of the records that the ring $1 does not have, with the reason.
 * @param id - Of the rows that are returned.
 * @param records - Relations, one of them `stored_record as stored`.
 */
const heldBackSql = (id: string, records: string): string => `
  select ${id} as id, case when status.is_declined then 'declined' else 'newer' end as reason from ${records}
  cross join lateral (select coalesce((checkpoint.revisions ->> stored.list)::bigint, 0) as revision
    from ring as own join checkpoint on checkpoint.id = own.checkpoint_id where own.id = $1) as target
  ${keptVersionSql('kept', 'stored', 'stored.list collate "C"', 'target.revision')} and not kept.is_withdrawn
  ${ringStatusSql('stored', '$1')}
  where status.is_declined or (not status.passes and stored.list_revision > target.revision and kept.record_id is null)`;

/** Returns by its number why the ring does not have a record. */
export async function readHeldBackReasons(
  database: Queryable,
  ring: number,
  records: readonly number[],
): Promise<ReadonlyMap<number, HeldBackReason>> {
  const rows = await queryRows(
    database,
    HeldBackRow,
    `${heldBackSql('stored.id', 'stored_record as stored')} and stored.id = any($2::bigint[])`,
    [ring, arrayText(records)],
  );
  return new Map(rows.map((row) => [row.id, row.reason]));
}

/** The missing records that the machines of clients are not to get yet. */
export class HeldBack {
  readonly #byClient: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(byClient: ReadonlyMap<number, ReadonlySet<number>> = new Map()) {
    this.#byClient = byClient;
  }

  get isEmpty(): boolean {
    return this.#byClient.size === 0;
  }

  /** @param missingId Of `missing_record`. */
  has(clientId: number, missingId: number): boolean {
    return this.#byClient.get(clientId)?.has(missingId) === true;
  }
}

export async function readHeldBack(
  database: Queryable,
  clientIds: readonly number[],
): Promise<HeldBack> {
  const byRing = Map.groupBy(await readMembers(database, clientIds), ({ id }) => id);
  const byClient = new Map<number, ReadonlySet<number>>();
  for (const [ring, members] of byRing) {
    const rows = await queryRows(
      database,
      HeldBackRow,
      heldBackSql(
        'missing_record.id',
        'missing_record join stored_record as stored on stored.id = missing_record.record_id',
      ),
      [ring],
    );
    const held = new Set(rows.map(({ id }) => id));
    if (held.size > 0) for (const { clientId } of members) byClient.set(clientId, held);
  }
  return new HeldBack(byClient);
}

/** Stores which machines report a key. */

import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raiseRevision } from '../../platform/database/list-revision-store.ts';
import { ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import {
  type IdentityReport,
  identify,
  identityTtlMs,
  type MachineIdentity,
} from './machine-identity.ts';

const IdentityRow = z.object({
  id: z.number(),
  identities: ownJson<readonly MachineIdentity[]>(),
  identity: z.number(),
  last_seen: z.number(),
  shared_on: z.number().nullable(),
});

export interface WrittenIdentities {
  /** Values for columns of machine_standing. */
  readonly identities: string;
  readonly identity: number;
  readonly sharedOn: number | null;
  /** The names that report the key, when several are detected now. */
  readonly namesOfKey: readonly string[] | null;
  /** True when another machine than before reports the key. */
  readonly isOther: boolean;
}

/** Requires the fleet's lock, before the machines are written. Returns one entry per report, in order. */
export async function identitiesToWrite(
  tx: Queryable,
  clientId: number,
  reports: readonly (Omit<IdentityReport, 'now'> & { readonly id: number })[],
  now: number,
): Promise<readonly WrittenIdentities[]> {
  const rows = await queryRows(
    tx,
    IdentityRow,
    'select id, identities, identity, last_seen, shared_on from machine_standing where client_id = $1 and id = any($2::bigint[])',
    [clientId, arrayText(reports.map(({ id }) => id))],
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  return reports.map(({ id, name, sketch }) => {
    const before = known.get(id);
    const { identities, returned } = identify(
      { name, sketch, now },
      before === undefined ? null : { identities: before.identities, lastSeen: before.last_seen },
    );
    const identity = identities[0]?.id ?? 0;
    return {
      identities: JSON.stringify(identities),
      identity,
      sharedOn: returned ? now : (before?.shared_on ?? null),
      namesOfKey:
        returned && before?.shared_on === null
          ? [...new Set(identities.map((one) => one.name))]
          : null,
      isOther: before !== undefined && before.identity !== identity,
    };
  });
}

/** Clears the mark of keys that one machine alone has reported for long enough. Reads all partitions. */
export async function forgetSharedKeys(database: Queryable, now: number): Promise<void> {
  const { count } = await database.query(
    'update machine_standing set shared_on = null where shared_on < $1',
    [now - identityTtlMs],
  );
  if (count > 0) await raiseRevision(database, machineList, 0);
}

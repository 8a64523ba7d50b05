/** Stores each distinct part of inventories once. */
import { createHash } from 'node:crypto';
import {
  type InventoryPart,
  machineOfParts,
  type PartKind,
} from '@patch/catalogue/fleet/inventory-part.ts';
import type { Machine } from '@patch/catalogue/machines/machine.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { jsonText } from '../../platform/database/json-text.ts';
import { openWord, ownJson } from '../../platform/database/plain-rows.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { withoutNul } from '../../platform/database/rows/stored-row.ts';

export interface StoredPart extends InventoryPart {
  readonly id: number;
  /** False for a new part, whose machines were never counted. */
  readonly judgedBefore: boolean;
}

/** A part with its identifying hash. */
export interface HashedPart {
  readonly hash: string;
  readonly part: InventoryPart;
}

/** Returns 132 bits, so that a billion parts have no collision by chance. */
export function hashPart(part: InventoryPart): HashedPart {
  const text = JSON.stringify([part.kind, part.scope, part.machine]);
  return { hash: createHash('sha256').update(text).digest('base64url').slice(0, 22), part };
}

/** Advisory lock, shared by users of parts and exclusive for those who delete unused ones, until the transaction ends. */
export const partsLock = 250_250;

export async function lockParts(tx: Queryable, how: 'shared' | 'alone'): Promise<void> {
  await tx.query(
    how === 'shared'
      ? 'select pg_advisory_xact_lock_shared($1)'
      : 'select pg_advisory_xact_lock($1)',
    [partsLock],
  );
}

/** The revision of this entry counts deletions of parts. While it is unchanged, a part keeps its id. */
export const partDeletions = 'inventory_part deletions';

/** Requires the lock. */
export async function readPartDeletions(tx: Queryable): Promise<number> {
  const [revision = 0] = await queryValues(
    tx,
    z.number(),
    'select revision from list_revision where list = $1',
    [partDeletions],
  );
  return revision;
}

const HashRow = z.object({ id: z.number(), hash: z.string() });

/** Requires the shared lock. Returns the ids of the known parts. */
export async function readPartIds(
  tx: Queryable,
  hashes: readonly string[],
): Promise<readonly (readonly [hash: string, number: number])[]> {
  if (hashes.length === 0) return [];
  const rows = await queryRows(
    tx,
    HashRow,
    'select id, hash from inventory_part where hash = any($1::text[])',
    [arrayText(hashes)],
  );
  return rows.map(({ id, hash }) => [hash, id] as const);
}

/** A short statement of its own: others who add the same parts wait for it. */
export async function addParts(database: Database, parts: readonly HashedPart[]): Promise<void> {
  if (parts.length === 0) return;
  // One order for all writers prevents deadlocks.
  const sorted = parts.toSorted((a, b) => (a.hash < b.hash ? -1 : Number(a.hash > b.hash)));
  await database.query(
    `insert into inventory_part (hash, kind, scope, names, machine)
     select hash, kind, scope, array(select jsonb_array_elements_text(names::jsonb)), machine::jsonb
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as part(hash, kind, scope, names, machine)
     on conflict (hash) do nothing`,
    [
      arrayText(sorted.map(({ hash }) => hash)),
      arrayText(sorted.map(({ part }) => part.kind)),
      arrayText(sorted.map(({ part }) => withoutNul(part.scope))),
      arrayText(sorted.map(({ part }) => jsonText(part.names))),
      arrayText(sorted.map(({ part }) => jsonText(part.machine))),
    ],
  );
}

const PartRow = z.object({
  id: z.number(),
  kind: openWord<PartKind>(),
  scope: z.string(),
  names: z.array(z.string()),
  machine: ownJson<Machine>(),
  judgedBefore: z.boolean(),
});

const columns = 'id, kind, scope, names, machine, judged_before as "judgedBefore"';

/** Returns unjudged parts of one kind and scope in the order of their names, so that few records are read for many parts. */
export async function readPartsToJudge(
  database: Queryable,
  limit: number,
): Promise<readonly StoredPart[]> {
  return queryRows(
    database,
    PartRow,
    `select ${columns} from inventory_part where not judged
       and (kind, scope) = (select kind, scope from inventory_part where not judged order by id limit 1)
     order by names, id limit $1`,
    [limit],
  );
}

/** Combines the parts of one inventory to a machine. */
export async function readMachineOfParts(
  database: Queryable,
  parts: readonly number[],
): Promise<Machine> {
  const rows = await queryRows(
    database,
    PartRow,
    `select ${columns} from inventory_part where id = any($1::int[]) order by id`,
    [arrayText(parts)],
  );
  return machineOfParts(rows);
}

/** Returns the judged parts of a release that have one of the names. */
export async function readPartsByName(
  database: Queryable,
  scope: string,
  names: readonly string[],
): Promise<readonly StoredPart[]> {
  return queryRows(
    database,
    PartRow,
    `select ${columns} from inventory_part where kind = 'packages' and scope = $1 and names && $2::text[] and judged`,
    [scope, arrayText(names.map(withoutNul))],
  );
}

/** Returns one part of each release that a machine has, which identifies the release. */
export async function readReleaseParts(database: Queryable): Promise<readonly StoredPart[]> {
  return queryRows(
    database,
    PartRow,
    // Skips from one scope to the next in the index: tens of thousands of parts belong to few releases.
    `with recursive known as (
       (select scope from inventory_part where scope > '' order by scope limit 1)
       union all
       select (select scope from inventory_part where scope > known.scope order by scope limit 1) from known where known.scope is not null)
     select part.* from known cross join lateral (
       select ${columns} from inventory_part where scope = known.scope and kind = 'packages' order by id limit 1) as part`,
  );
}

export const readScopes = (
  database: Queryable,
  kind: 'windows' | 'macos',
): Promise<readonly string[]> =>
  queryValues(
    database,
    z.string(),
    `select distinct scope from inventory_part where kind = $1 and scope <> ''`,
    [kind],
  );

/** Routes of rings. */
import {
  changeRingEndpoint,
  createRingEndpoint,
  maxRings,
  type Ring,
  removeRingEndpoint,
  ringsEndpoint,
} from '@patch/contract/licensing/ring-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { DatabaseError } from '../../platform/database/database-error.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { ClientContext } from '../clients/client-context.ts';
import {
  addRing,
  type Follows,
  lockRings,
  promoteRing,
  readRing,
  readRings,
  removeRing,
  renameRing,
  setFollows,
  setPassesExploited,
  setRingClients,
  setRingGroups,
} from './ring-store.ts';
import { noSuchRule, requireReachable } from './rule-routes.ts';
import { readRule } from './rule-store.ts';

export function ringRoutes(route: RouteRegistrar, { database, clock }: ClientContext): void {
  route(ringsEndpoint, async () => {
    const objList = [...(await readRings(database))];
    return { objList, totalCount: objList.length };
  });

  route(createRingEndpoint, async ({ body, changed, ...request }) => {
    const { name, checkpoint, clients, groups, follows, passesExploited } = body;
    const promotion = { checkpoint, by: requireUser(request).name, now: clock() };
    const created = await database.transaction(async (tx) => {
      if ((await lockRings(tx)) >= maxRings)
        throw new AppError(
          'too_many_rings',
          `There are ${maxRings} rings already. Remove one first.`,
        );
      const id = await requireCheckpoint(checkpoint, () => addRing(tx, name, promotion));
      if (id === null) throw nameTaken(name);
      await requireClients(tx, id, clients);
      await requireGroups(tx, id, groups);
      await follow(tx, id, follows);
      await setPassesExploited(tx, id, passesExploited);
      return requireRing(tx, id);
    });
    changed({ subject: `ring ${name}`, after: created });
    return created;
  });

  route(changeRingEndpoint, async ({ params: { id }, body, changed, ...request }) => {
    const { name, checkpoint, clients, groups, follows, passesExploited } = body;
    const by = requireUser(request).name;
    const [before, after] = await database.transaction(async (tx) => {
      await lockRings(tx);
      const stored = await requireRing(tx, id);
      if (name !== undefined && !(await renameRing(tx, id, name))) throw nameTaken(name);
      if (clients !== undefined) await requireClients(tx, id, clients);
      if (groups !== undefined) await requireGroups(tx, id, groups);
      if (checkpoint !== undefined && checkpoint !== stored.checkpoint.id)
        await requireCheckpoint(checkpoint, () =>
          promoteRing(tx, id, { checkpoint, by, now: clock() }),
        );
      if (follows !== undefined) await follow(tx, id, follows);
      if (passesExploited !== undefined) await setPassesExploited(tx, id, passesExploited);
      return [stored, await requireRing(tx, id)] as const;
    });
    changed({ subject: `ring ${after.name}`, before, after });
    return after;
  });

  route(removeRingEndpoint, async ({ params: { id }, changed }) => {
    const before = await database.transaction(async (tx) => {
      await lockRings(tx);
      const stored = await requireRing(tx, id);
      await removeRing(tx, id);
      return stored;
    });
    changed({ subject: `ring ${before.name}`, before });
    return {};
  });
}

export async function requireRing(tx: Queryable, id: number): Promise<Ring> {
  const ring = await readRing(tx, id);
  if (ring === null) throw new AppError('no_such_ring', `Ring ${id} does not exist.`);
  return ring;
}

async function requireClients(tx: Queryable, id: number, clients: readonly number[]) {
  if (!(await setRingClients(tx, id, [...new Set(clients)])))
    throw new AppError('not_found', 'A client of the ring does not exist.');
}

async function requireGroups(tx: Queryable, id: number, groups: readonly number[]) {
  const [unknown] = await setRingGroups(tx, id, groups);
  if (unknown !== undefined)
    throw new AppError(
      'no_such_group',
      `Group ${unknown} does not exist, or its machines do not report with keys.`,
    );
}

/** The rings must be locked: they are for each change of a rule too. */
async function follow(tx: Queryable, id: number, follows: Follows | null): Promise<void> {
  if (follows !== null) {
    const rule = await readRule(tx, follows.rule);
    if (rule === null) throw noSuchRule(follows.rule);
    requireReachable(rule, follows.afterDays);
  }
  await setFollows(tx, id, follows);
}

const nameTaken = (name: string) =>
  new AppError('name_taken', `Another ring is named '${name}'. Choose another name.`);

/** @throws AppError `no_such_checkpoint` when the write refers to none. */
async function requireCheckpoint<T>(checkpoint: number, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '23503') throw error;
    throw new AppError('no_such_checkpoint', `Checkpoint ${checkpoint} does not exist.`);
  }
}

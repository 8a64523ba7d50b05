/** Routes of groups and tags of machines. */
import {
  changeMachineGroupEndpoint,
  createMachineGroupEndpoint,
  type GroupOwner,
  type MachineGroup,
  machineGroupsEndpoint,
  maxGroups,
  removeMachineGroupEndpoint,
  tagMachinesEndpoint,
} from '@patch/contract/fleet/machine-group-endpoints.ts';
import type { z } from 'zod';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { updateClientNames } from '../intake/client-name-store.ts';
import {
  addGroup,
  type GroupToStore,
  isReporting,
  lockGroups,
  readGroup,
  readGroups,
  removeGroup,
  type StoredGroup,
  writeGroup,
} from './machine-group-store.ts';
import { changeTags } from './machine-tag-store.ts';
import {
  type FindIds,
  findMachinesOfGroup,
  searchOfGroup,
  searchToActOn,
} from './machines-of-group.ts';
import { readOwner } from './read-owner.ts';

/** Chosen machines that an entry of the audit log lists by their ids. */
const mostLoggedMachines = 100;

interface GroupRoutes {
  readonly database: Database;
  readonly clock: () => number;
  readonly findIds: FindIds;
  /** Returns the machines that miss an overdue record. */
  readonly findOverdue: () => Promise<ReadonlySet<number>>;
}

export function groupRoutes(route: RouteRegistrar, parts: GroupRoutes): void {
  const { database, clock } = parts;

  route(machineGroupsEndpoint, async ({ sight: { groups } }) => {
    const objList: MachineGroup[] = [];
    const overdue = await parts.findOverdue();
    for (const group of await readGroups(database))
      if (groups?.includes(group.id) !== false)
        objList.push(await countGroup(parts, group, overdue));
    return { objList, totalCount: objList.length };
  });

  route(createMachineGroupEndpoint, async ({ body, changed }) => {
    const { name, criteria, owner, duePolicy } = body;
    searchOfGroup(criteria, clock());
    const stored = await database.transaction(async (tx) => {
      if ((await lockGroups(tx)) >= maxGroups)
        throw new AppError(
          'too_many_groups',
          `There are ${maxGroups} groups already. Remove one first.`,
        );
      const id = await addGroup(tx, { name, criteria, duePolicy, ...(await readOwner(tx, owner)) });
      if (id === null) throw nameTaken(name);
      return requireGroup(tx, id);
    });
    changed({ subject: `group ${name}`, after: { criteria, owner: stored.owner, duePolicy } });
    return countGroup(parts, stored, await parts.findOverdue());
  });

  route(changeMachineGroupEndpoint, async ({ params: { id }, body, changed }) => {
    if (body.criteria !== undefined) searchOfGroup(body.criteria, clock());
    const [before, after] = await database.transaction(async (tx) => {
      await lockGroups(tx);
      const stored = await requireGroup(tx, id);
      if (!(await writeGroup(tx, id, await changedGroup(tx, stored, body))))
        throw nameTaken(body.name ?? stored.name);
      return [stored, await requireGroup(tx, id)] as const;
    });
    if (before.name !== after.name) await updateClientNames(database);
    changed({ subject: `group ${after.name}`, before, after });
    return countGroup(parts, after, await parts.findOverdue());
  });

  route(removeMachineGroupEndpoint, async ({ params: { id }, changed }) => {
    const before = await database.transaction(async (tx) => {
      await lockGroups(tx);
      const stored = await requireGroup(tx, id);
      if (stored.criteria === null && (await isReporting(tx, id)))
        throw new AppError(
          'group_in_use',
          'Machines report with keys of this group. Revoke its keys and remove its machines first.',
        );
      const reportMails = await removeGroup(tx, id);
      return { ...stored, ...(reportMails.length > 0 && { reportMails }) };
    });
    changed({ subject: `group ${before.name}`, before });
    return {};
  });

  route(tagMachinesEndpoint, async ({ body: { machines, criteria, add, remove }, changed }) => {
    const ids =
      machines ?? (await parts.findIds(await searchToActOn(database, criteria ?? '', clock())));
    const found = await changeTags(database, [...new Set(ids)], { add, remove });
    changed({
      subject: `tags of ${found.changed} ${found.changed === 1 ? 'machine' : 'machines'}`,
      after: { criteria, machines: machines?.slice(0, mostLoggedMachines), add, remove },
    });
    return found;
  });
}

async function countGroup(
  { database, findIds, clock }: GroupRoutes,
  group: StoredGroup,
  overdue: ReadonlySet<number>,
): Promise<MachineGroup> {
  try {
    const ids = await findMachinesOfGroup(database, findIds, group, clock());
    const late = ids.filter((id) => overdue.has(id)).length;
    return { ...group, machines: ids.length, overdue: late, problem: null };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unaskable_criteria') throw error;
    return { ...group, machines: null, overdue: null, problem: error.message };
  }
}

async function requireGroup(tx: Queryable, id: number): Promise<StoredGroup> {
  const group = await readGroup(tx, id);
  if (group === null) throw new AppError('no_such_group', `Group ${id} does not exist.`);
  return group;
}

const nameTaken = (name: string) =>
  new AppError('name_taken', `Another group is named '${name}'. Choose another name.`);

async function changedGroup(
  tx: Queryable,
  stored: StoredGroup,
  change: {
    readonly name?: string | undefined;
    readonly criteria?: string | undefined;
    readonly owner?: z.infer<typeof GroupOwner> | null | undefined;
    readonly duePolicy?: StoredGroup['duePolicy'] | undefined;
  },
): Promise<GroupToStore> {
  if (stored.criteria === null && change.criteria !== undefined)
    throw new AppError(
      'group_reports',
      'The machines of this group are those that report with its keys, so that it cannot have criteria.',
    );
  return {
    name: change.name ?? stored.name,
    criteria: change.criteria ?? stored.criteria,
    duePolicy: change.duePolicy === undefined ? stored.duePolicy : change.duePolicy,
    ...(change.owner === undefined
      ? { ownerId: stored.owner?.userId ?? null, ownerAddress: stored.owner?.address ?? null }
      : await readOwner(tx, change.owner)),
  };
}

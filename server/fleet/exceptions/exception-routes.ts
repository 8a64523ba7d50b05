/** Routes of exceptions: made on the page of a machine, listed, changed and ended. */

import { may } from '@patch/contract/base/user-types.ts';
import {
  acceptMissingEndpoint,
  changeExceptionEndpoint,
  type ExceptionScope,
  endExceptionEndpoint,
  exceptionsEndpoint,
  maxExceptionDays,
} from '@patch/contract/fleet/exception-endpoints.ts';
import { mayDecide } from '@patch/contract/fleet/exception-kinds.ts';
import { scopeWords } from '@patch/contract/fleet/exception-scope-words.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import {
  assertSeen,
  findSeenMachines,
  type SeenMachines,
} from '../../records/search/seen-machines.ts';
import { readGroup } from '../groups/machine-group-store.ts';
import { type FindIds, findMachinesOfGroup } from '../groups/machines-of-group.ts';
import { type OwnerToStore, readOwner } from '../groups/read-owner.ts';
import { readMachineSummary } from '../intake/machine-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import {
  addException,
  type ExceptionTarget,
  endException,
  lockException,
  notOwn,
  type StoredException,
  writeException,
} from './exception-store.ts';
import { readExceptionPage, readExceptions, readReach } from './listed-exception-store.ts';

const dayMs = 24 * 3_600_000;

interface ExceptionRoutes {
  readonly database: Database;
  readonly clock: () => number;
  readonly findIds: FindIds;
  /** Returns the machines of the group with this name or #number; without one those that exist for the caller. */
  readonly findWithin: (named: string | undefined, sight: Sight) => Promise<SeenMachines>;
  readonly store: Pick<SearchStore, 'findIds'>;
}

export function exceptionRoutes(route: RouteRegistrar, parts: ExceptionRoutes): void {
  const { database, clock } = parts;

  route(acceptMissingEndpoint, async ({ params: { id }, body, changed, ...request }) => {
    const { owner, scope, groupId, ...content } = body;
    const now = clock();
    checkEnd(content.until, now);
    const user = requireUser(request);
    if (!mayDecide(user, owner ?? { userId: user.id })) throw notOwn();
    await assertSeen(parts.store, request.sight, id);
    assertOwnScope(request.sight, id, scope, groupId);
    const [machine, target] = await findTarget(parts, id, scope, groupId, now);
    const seen = await findSeenMachines(parts.store, request.sight);
    const exceptionId = await database.transaction(async (tx) => {
      const stored = await readOwner(tx, owner ?? { userId: user.id });
      const exception = { ...content, ...stored, by: user.name, target };
      const replaces = {
        onlyOf: may(user.userType, 'approver') ? null : user.id,
        onlyOn: seen === null ? null : [...seen],
      };
      return addException(tx, exception, now, replaces);
    });
    const made = await getException(database, exceptionId);
    changed({
      subject: `exception ${scopeWords(made)}`,
      after: { ...made, machine: machine.name },
    });
    const { kind, until, reason, by } = made;
    return { exceptionId, kind, until, reason, by, owner: made.owner, scope };
  });

  route(exceptionsEndpoint, async ({ query: { offset, size, group, ...filter }, sight }) => {
    const machines = await parts.findWithin(group, sight);
    return readExceptionPage(
      database,
      { ...filter, machines: machines === null ? undefined : [...machines] },
      { sight, now: clock(), offset, size },
    );
  });

  route(changeExceptionEndpoint, async ({ params: { exceptionId }, body, changed, ...request }) => {
    const now = clock();
    checkEnd(body.until, now);
    const user = requireUser(request);
    const before = await getException(database, exceptionId);
    await database.transaction(async (tx) => {
      const stored = await lockException(tx, exceptionId);
      if (stored === null) throw notFound(exceptionId);
      await assertDecidable(tx, parts, request.sight, stored);
      if (!mayDecide(user, stored.owner) || !mayDecide(user, body.owner ?? stored.owner))
        throw notOwn();
      const owner: OwnerToStore =
        body.owner === undefined
          ? {
              ownerId: stored.owner?.userId ?? null,
              ownerAddress: stored.owner?.address ?? null,
            }
          : await readOwner(tx, body.owner);
      await writeException(tx, stored, { ...body, ...owner, by: user.name }, now);
    });
    const after = await getException(database, exceptionId);
    changed({ subject: `exception ${scopeWords(after)}`, before, after });
    return {};
  });

  endRoute(route, parts);
}

function endRoute(route: RouteRegistrar, parts: ExceptionRoutes): void {
  const { database, clock } = parts;

  route(endExceptionEndpoint, async ({ params: { exceptionId }, changed, ...request }) => {
    const user = requireUser(request);
    const now = clock();
    const before = await getException(database, exceptionId);
    await database.transaction(async (tx) => {
      const stored = await lockException(tx, exceptionId);
      if (stored === null) throw notFound(exceptionId);
      await assertDecidable(tx, parts, request.sight, stored);
      if (!mayDecide(user, stored.owner)) throw notOwn();
      if (stored.until !== null && stored.until <= now)
        throw new AppError('not_found', `Exception ${exceptionId} has ended already.`);
      await endException(tx, stored, now);
    });
    changed({ subject: `exception ${scopeWords(before)}`, before });
    return {};
  });
}

/**
 * A caller of some groups decides for their machines and groups alone.
 * @throws AppError `limited_to_groups`, `no_such_group`
 */
function assertOwnScope(
  { groups }: Sight,
  machineId: number,
  scope: ExceptionScope,
  groupId: number | undefined,
): void {
  if (groups === null || scope === 'machine') return;
  // The machines that report to a group are those of the client with its number.
  const group = scope === 'client' ? clientOfMachine(machineId) : groupId;
  if (group !== undefined && groups.includes(group)) return;
  throw scope === 'group' ? noSuchGroup(groupId ?? 0) : notOwnMachines();
}

/**
 * A caller of some groups changes an exception if it concerns their machines alone.
 * @throws AppError `not_found` when it concerns none of them, `limited_to_groups`
 */
async function assertDecidable(
  tx: Queryable,
  { store }: Pick<ExceptionRoutes, 'store'>,
  sight: Sight,
  { exceptionId, scope, clientId }: StoredException,
): Promise<void> {
  const seen = await findSeenMachines(store, sight);
  if (seen === null) return;
  const { concerns, beyond } = await readReach(tx, exceptionId, [...seen]);
  if (!concerns) throw notFound(exceptionId);
  const isOfOwnClient = scope === 'client' && sight.groups?.includes(clientId ?? 0) === true;
  if (beyond && !isOfOwnClient) throw notOwnMachines();
}

const notOwnMachines = () =>
  new AppError(
    'limited_to_groups',
    'You may decide for machines and groups that you see. This concerns other machines too, or may later.',
  );
const noSuchGroup = (id: number) => new AppError('no_such_group', `Group ${id} does not exist.`);

const notFound = (id: number) => new AppError('not_found', `Exception ${id} does not exist.`);

async function getException(database: Queryable, id: number) {
  const [exception] = await readExceptions(database, [id]);
  if (exception === undefined) throw notFound(id);
  const { email: _email, ownerGroups: _groups, ...shown } = exception;
  return shown;
}

function checkEnd(until: number | null, now: number): void {
  if (until !== null && (until <= now || until > now + maxExceptionDays * dayMs))
    throw new AppError(
      'invalid_input',
      `until must be in the future, at most ${maxExceptionDays} days ahead.`,
    );
}

/** Returns the machine on whose page it is decided, and the machines of the exception. */
async function findTarget(
  { database, findIds }: Pick<ExceptionRoutes, 'database' | 'findIds'>,
  id: number,
  scope: ExceptionScope,
  groupId: number | undefined,
  now: number,
): Promise<readonly [{ readonly name: string }, ExceptionTarget]> {
  const machine = await readMachineSummary(database, id);
  if (machine === null) throw new AppError('not_found', `Machine ${id} does not exist.`);
  if (scope === 'all') return [machine, 'all'];
  if (scope === 'client') return [machine, { clientId: clientOfMachine(id) }];
  if (groupId === undefined) return [machine, { machineId: id }];
  const group = await readGroup(database, groupId);
  if (group === null) throw noSuchGroup(groupId);
  const machines = await findMachinesOfGroup(database, findIds, group, now);
  return [machine, { groupId, machines }];
}

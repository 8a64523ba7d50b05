/** Routes of exceptions: made on the page of a machine, listed, changed and ended. */
import {
  acceptMissingEndpoint,
  changeExceptionEndpoint,
  type ExceptionScope,
  endExceptionEndpoint,
  exceptionsEndpoint,
  maxExceptionDays,
} from '@patch/contract/exception-endpoints.ts';
import { mayDecide } from '@patch/contract/exception-kinds.ts';
import { scopeWords } from '@patch/contract/exception-scope-words.ts';
import { may } from '@patch/contract/user-types.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { assertSeen, type SeenMachines } from '../../records/search/seen-machines.ts';
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
import { readExceptionPage, readExceptions } from './listed-exception-store.ts';

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
    const [machine, target] = await findTarget(parts, id, scope, groupId, now);
    await assertOwnMachines(parts, request.sight, target);
    const exceptionId = await database.transaction(async (tx) => {
      const stored = await readOwner(tx, owner ?? { userId: user.id });
      const exception = { ...content, ...stored, by: user.name, target };
      return addException(tx, exception, now, may(user.userType, 'approver') ? null : user.id);
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
      await assertOwnMachines(parts, request.sight, targetOf(stored));
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

  route(endExceptionEndpoint, async ({ params: { exceptionId }, changed, ...request }) => {
    const user = requireUser(request);
    const now = clock();
    const before = await getException(database, exceptionId);
    await database.transaction(async (tx) => {
      const stored = await lockException(tx, exceptionId);
      if (stored === null) throw notFound(exceptionId);
      await assertOwnMachines(parts, request.sight, targetOf(stored));
      if (!mayDecide(user, stored.owner)) throw notOwn();
      if (stored.until !== null && stored.until <= now)
        throw new AppError('not_found', `Exception ${exceptionId} has ended already.`);
      await endException(tx, stored, now);
    });
    changed({ subject: `exception ${scopeWords(before)}`, before });
    return {};
  });
}

const targetOf = ({
  machineId,
  clientId,
  groupId,
}: StoredException):
  | 'all'
  | { readonly machineId: number }
  | { readonly clientId: number }
  | { readonly groupId: number } =>
  machineId !== null
    ? { machineId }
    : clientId !== null
      ? { clientId }
      : groupId !== null
        ? { groupId }
        : 'all';

/**
 * A caller of some groups decides for their machines alone.
 * @throws AppError `not_found`, `limited_to_groups`
 */
async function assertOwnMachines(
  { store }: Pick<ExceptionRoutes, 'store'>,
  sight: Sight,
  target: ReturnType<typeof targetOf>,
): Promise<void> {
  if (sight.groups === null) return;
  if (target !== 'all' && 'machineId' in target) return assertSeen(store, sight, target.machineId);
  // The machines that report to a group are those of the client with its number.
  const group = target === 'all' ? null : 'groupId' in target ? target.groupId : target.clientId;
  if (group === null || !sight.groups.includes(group))
    throw new AppError(
      'limited_to_groups',
      'You may decide for machines and groups that you see, not for all machines or those of a client.',
    );
}

const notFound = (id: number) => new AppError('not_found', `Exception ${id} does not exist.`);

async function getException(database: Queryable, id: number) {
  const [exception] = await readExceptions(database, [id]);
  if (exception === undefined) throw notFound(id);
  const { email: _email, ...shown } = exception;
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
  if (group === null) throw new AppError('no_such_group', `Group ${groupId} does not exist.`);
  const machines = await findMachinesOfGroup(database, findIds, group, now);
  return [machine, { groupId, machines }];
}

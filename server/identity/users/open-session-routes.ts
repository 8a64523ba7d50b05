/** Routes for the sessions in which people are signed in. */
import {
  endOwnSessionEndpoint,
  endOwnSessionsEndpoint,
  endUserSessionEndpoint,
  endUserSessionsEndpoint,
  ownSessionsEndpoint,
  userSessionsEndpoint,
} from '@patch/contract/accounts/session-endpoints.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireSessionHash, requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import { getExistingUser } from '../accounts/user-store.ts';
import type { Sessions } from '../sessions/sessions.ts';

export interface OpenSessionParts {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'listOpen' | 'endOne' | 'endAllExcept'>;
}

export function openSessionRoutes(
  route: RouteRegistrar,
  { database, sessions }: OpenSessionParts,
): void {
  route(ownSessionsEndpoint, (request) =>
    list(requireUser(request).id, requireSessionHash(request)),
  );

  route(userSessionsEndpoint, async ({ params: { id }, session }) => {
    await getExistingUser(database, id);
    return list(id, session);
  });

  route(endOwnSessionEndpoint, ({ params: { sessionId }, changed, ...request }) =>
    endOne(requireUser(request), sessionId, changed),
  );

  route(endUserSessionEndpoint, async ({ params: { id, sessionId }, changed }) =>
    endOne(await getExistingUser(database, id), sessionId, changed),
  );

  route(endOwnSessionsEndpoint, ({ changed, ...request }) =>
    endOthers(requireUser(request), requireSessionHash(request), changed),
  );

  route(endUserSessionsEndpoint, async ({ params: { id }, session, changed }) =>
    endOthers(await getExistingUser(database, id), session, changed),
  );

  async function list(id: number, current: string | null) {
    const objList = [...(await sessions.listOpen(id, current))];
    return { objList, totalCount: objList.length };
  }

  async function endOne(
    { id, name }: SignedInUser,
    sessionId: number,
    changed: (change: AuditedChange) => void,
  ) {
    if (!(await sessions.endOne(id, sessionId)))
      throw new AppError('no_such_session', 'This session has already ended.');
    changed({ subject: `user ${name}`, after: { sessionsEnded: 1 } });
    return { ended: 1 };
  }

  async function endOthers(
    { id, name }: SignedInUser,
    current: string | null,
    changed: (change: AuditedChange) => void,
  ) {
    const ended = await sessions.endAllExcept(id, current);
    changed({ subject: `user ${name}`, after: { sessionsEnded: ended } });
    return { ended };
  }
}

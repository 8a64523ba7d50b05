/** Routes for the sessions in which people are signed in. */
import {
  endOwnSessionEndpoint,
  endOwnSessionsEndpoint,
  endUserSessionEndpoint,
  endUserSessionsEndpoint,
  ownSessionsEndpoint,
  userSessionsEndpoint,
} from '@patch/contract/session-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireSessionHash, requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { findUserById } from '../accounts/user-store.ts';
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
    await person(id);
    return list(id, session);
  });

  route(endOwnSessionEndpoint, async (request) => {
    const { name, id } = requireUser(request);
    await endOne(id, request.params.sessionId);
    request.changed({ subject: `user ${name}`, after: { sessionsEnded: 1 } });
    return { ended: 1 };
  });

  route(endUserSessionEndpoint, async ({ params: { id, sessionId }, changed }) => {
    const { name } = await person(id);
    await endOne(id, sessionId);
    changed({ subject: `user ${name}`, after: { sessionsEnded: 1 } });
    return { ended: 1 };
  });

  route(endOwnSessionsEndpoint, async (request) => {
    const { name, id } = requireUser(request);
    const ended = await sessions.endAllExcept(id, requireSessionHash(request));
    request.changed({ subject: `user ${name}`, after: { sessionsEnded: ended } });
    return { ended };
  });

  route(endUserSessionsEndpoint, async ({ params: { id }, session, changed }) => {
    const { name } = await person(id);
    const ended = await sessions.endAllExcept(id, session);
    changed({ subject: `user ${name}`, after: { sessionsEnded: ended } });
    return { ended };
  });

  async function list(id: number, current: string | null) {
    const objList = [...(await sessions.listOpen(id, current))];
    return { objList, totalCount: objList.length };
  }

  async function endOne(id: number, sessionId: number): Promise<void> {
    if (!(await sessions.endOne(id, sessionId)))
      throw new AppError('no_such_session', 'This session has already ended.');
  }

  async function person(id: number) {
    const known = await findUserById(database, id);
    if (known === null) throw new AppError('no_such_user', 'This user no longer exists.');
    return known.user;
  }
}

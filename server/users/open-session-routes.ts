/** The calls about where people are signed in. */
import {
  endOwnSessionCall,
  endOwnSessionsCall,
  endUserSessionCall,
  endUserSessionsCall,
  ownSessionsCall,
  userSessionsCall,
} from '@patch/contract/session-calls.ts';
import type { Sessions } from '../auth/sessions.ts';
import { ownSession, whoAsks } from '../auth/who-asks.ts';
import type { Database } from '../database/database.ts';
import type { Answer } from '../http/answer.ts';
import { Refusal } from '../http/refusal.ts';
import { findUserById } from './user-store.ts';

export interface OpenSessionParts {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'openOf' | 'endOneOf' | 'endAllBut'>;
}

export function openSessionRoutes(answer: Answer, { database, sessions }: OpenSessionParts): void {
  answer(ownSessionsCall, (request) => list(whoAsks(request).id, ownSession(request)));

  answer(userSessionsCall, async ({ params: { id }, session }) => {
    await person(id);
    return list(id, session);
  });

  answer(endOwnSessionCall, async (request) => {
    const { name, id } = whoAsks(request);
    await endOne(id, request.params.sessionId);
    request.changed({ subject: `user ${name}`, after: { sessionsEnded: 1 } });
    return { ended: 1 };
  });

  answer(endUserSessionCall, async ({ params: { id, sessionId }, changed }) => {
    const { name } = await person(id);
    await endOne(id, sessionId);
    changed({ subject: `user ${name}`, after: { sessionsEnded: 1 } });
    return { ended: 1 };
  });

  answer(endOwnSessionsCall, async (request) => {
    const { name, id } = whoAsks(request);
    const ended = await sessions.endAllBut(id, ownSession(request));
    request.changed({ subject: `user ${name}`, after: { sessionsEnded: ended } });
    return { ended };
  });

  answer(endUserSessionsCall, async ({ params: { id }, session, changed }) => {
    const { name } = await person(id);
    const ended = await sessions.endAllBut(id, session);
    changed({ subject: `user ${name}`, after: { sessionsEnded: ended } });
    return { ended };
  });

  async function list(id: number, current: string | null) {
    const objList = [...(await sessions.openOf(id, current))];
    return { objList, totalCount: objList.length };
  }

  async function endOne(id: number, sessionId: number): Promise<void> {
    if (!(await sessions.endOneOf(id, sessionId))) throw new Refusal(404, 'no_such_session', 'This session has already ended.');
  }

  async function person(id: number) {
    const known = await findUserById(database, id);
    if (known === null) throw new Refusal(404, 'no_such_user', 'This user no longer exists.');
    return known.user;
  }
}

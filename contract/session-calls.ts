/** Where somebody is signed in, and ending it. */
import { z } from 'zod';
import { defineCall } from './call.ts';
import { noBody, noParams, noQuery } from './no-input.ts';
import { UserId } from './user-calls.ts';

export const OpenSession = z.object({
  id: z.number().int(),
  address: z.string(),
  /** As the browser or program called itself; empty when it did not. */
  userAgent: z.string(),
  startedAt: z.number(),
  lastUsedAt: z.number(),
  /** When it ends by itself if it is not used again. */
  expiresAt: z.number(),
  /** By which the call is made. */
  current: z.boolean(),
});
export type OpenSession = z.infer<typeof OpenSession>;

const admins = { tag: 'Users', access: 'admin', params: UserId, query: noQuery, body: noBody } as const;
const own = { tag: 'Own account', access: 'standard', params: noParams, query: noQuery, body: noBody } as const;
const Sessions = z.object({ objList: z.array(OpenSession), totalCount: z.number().int() });
const Ended = z.object({ ended: z.number().int() });
const sessionId = UserId.shape.id;

export const userSessionsCall = defineCall({
  ...admins,
  name: 'user_sessions',
  summary: 'Where a person is signed in, last used first',
  method: 'GET',
  path: '/user/{id}/sessions',
  reply: Sessions,
});

export const endUserSessionsCall = defineCall({
  ...admins,
  name: 'end_user_sessions',
  summary: 'Sign a person out everywhere; of oneself the session by which it is asked stays',
  method: 'DELETE',
  path: '/user/{id}/sessions',
  reply: Ended,
});

export const endUserSessionCall = defineCall({
  ...admins,
  name: 'end_user_session',
  summary: 'Sign a person out in one place',
  method: 'DELETE',
  path: '/user/{id}/sessions/{sessionId}',
  params: UserId.extend({ sessionId }),
  reply: Ended,
});

export const ownSessionsCall = defineCall({
  ...own,
  name: 'own_sessions',
  summary: 'Where oneself is signed in, last used first',
  method: 'GET',
  path: '/me/sessions',
  reply: Sessions,
});

export const endOwnSessionsCall = defineCall({
  ...own,
  name: 'end_own_sessions',
  summary: 'Sign oneself out everywhere else',
  method: 'DELETE',
  path: '/me/sessions',
  reply: Ended,
});

export const endOwnSessionCall = defineCall({
  ...own,
  name: 'end_own_session',
  summary: 'Sign oneself out in one place',
  method: 'DELETE',
  path: '/me/sessions/{sessionId}',
  params: z.object({ sessionId }),
  reply: Ended,
});

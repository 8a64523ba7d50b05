/** A user's sessions, and how to end them. */
import { z } from 'zod';
import { IdParams, integerText } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';

export const OpenSession = z.object({
  id: z.number().int(),
  address: z.string(),
  /** As sent by the browser or program; empty when it sent none. */
  userAgent: z.string(),
  startedAt: z.number(),
  lastUsedAt: z.number(),
  /** When it ends unless it is used again. */
  expiresAt: z.number(),
  /** True for the session that makes the call. */
  current: z.boolean(),
});
export type OpenSession = z.infer<typeof OpenSession>;

const admins = { tag: 'Users', access: 'admin', params: IdParams } as const;
const own = { tag: 'Own account', access: 'standard', machines: 'none' } as const;
const Sessions = z.object({ objList: z.array(OpenSession), totalCount: z.number().int() });
const Ended = z.object({ ended: z.number().int() });

export const userSessionsEndpoint = defineEndpoint({
  ...admins,
  name: 'user_sessions',
  summary: 'The sessions of a user, last used first',
  method: 'GET',
  path: '/user/{id}/sessions',
  reply: Sessions,
});

export const endUserSessionsEndpoint = defineEndpoint({
  ...admins,
  name: 'end_user_sessions',
  summary: 'End all sessions of a user; the session of the request stays',
  method: 'DELETE',
  path: '/user/{id}/sessions',
  reply: Ended,
});

export const endUserSessionEndpoint = defineEndpoint({
  ...admins,
  name: 'end_user_session',
  summary: 'End one session of a user',
  method: 'DELETE',
  path: '/user/{id}/sessions/{sessionId}',
  params: IdParams.extend({ sessionId: integerText }),
  reply: Ended,
});

export const ownSessionsEndpoint = defineEndpoint({
  ...own,
  name: 'own_sessions',
  summary: 'The current user’s sessions, last used first',
  method: 'GET',
  path: '/me/sessions',
  reply: Sessions,
});

export const endOwnSessionsEndpoint = defineEndpoint({
  ...own,
  name: 'end_own_sessions',
  summary: 'End all other sessions of the current user',
  method: 'DELETE',
  path: '/me/sessions',
  reply: Ended,
});

export const endOwnSessionEndpoint = defineEndpoint({
  ...own,
  name: 'end_own_session',
  summary: 'End one session of the current user',
  method: 'DELETE',
  path: '/me/sessions/{sessionId}',
  params: z.object({ sessionId: integerText }),
  reply: Ended,
});

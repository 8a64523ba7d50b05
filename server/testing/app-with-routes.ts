/** Opens an HTTP application with some routes for tests. Every caller is an administrator, and replies are checked against the contract. */
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type Action, endpointPlugin } from '../platform/http/endpoint-plugin.ts';
import type { RouteRegistrar } from '../platform/http/route.ts';
import { webServer } from '../platform/http/web-server.ts';

const user = {
  id: 1,
  name: 'admin',
  email: '',
  userType: 'Admin' as const,
  timezone: null,
  mustChangePassword: false,
};

/** @param onAction - Called for each action, like the audit log. */
export async function appWithRoutes(
  routes: (route: RouteRegistrar) => void,
  onAction?: (action: Action) => void,
): Promise<FastifyInstance> {
  const app = await webServer({ log: pino({ level: 'silent' }), trustProxy: false });
  await app.register(endpointPlugin, {
    findSession: () => Promise.resolve({ user, session: '', byProvider: false, proven: true }),
    checkReplies: true,
    ...(onAction && { onAction: async (action) => onAction(action) }),
  });
  routes(app.endpoint);
  return app;
}

/** Calls the API and returns the status and the JSON of the reply. */
export async function ask(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: object | string,
) {
  const reply = await app.inject({
    method,
    url: `/api${url}`,
    headers: {
      authorization: 'Apikey test',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { payload: body }),
  });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
}

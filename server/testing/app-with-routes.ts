/** Opens an HTTP application with some routes for tests. Every caller is an administrator, and replies are checked against the contract. */
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { type Action, endpointPlugin } from '../platform/http/endpoint-plugin.ts';
import type { RouteRegistrar } from '../platform/http/route.ts';
import { webServer } from '../platform/http/web-server.ts';
import { Caller, send } from './caller.ts';

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

/** Returns the caller of the application. `app` is read at each call. */
export const callerOf = (app: () => FastifyInstance): Caller => new Caller(app, () => 'test');

/** Calls the API and returns the status and the JSON of the reply. */
export async function ask(
  app: FastifyInstance,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object | string,
) {
  const headers = { authorization: 'Apikey test' };
  const { status, json } = await send(app, method, path, { headers, body });
  return { status, body: json };
}

/** Logs one line per request: id, method, path without secrets and query, status, milliseconds, caller. */
import type { FastifyInstance } from 'fastify';
import type { Log } from '../logging/logging.ts';
import { loggedPath } from './logged-path.ts';

export function logAccess(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      requestId: request.id,
      method: request.method,
      path: loggedPath(request),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.caller?.user?.id ?? null,
      client: request.caller?.client?.id,
      address: request.ip,
    };
    // Pages, files and health checks are frequent and of little interest.
    if (line.path.startsWith('/api/') && !line.path.startsWith('/api/health'))
      log.info(line, 'request');
    else log.debug(line, 'request');
  });
}

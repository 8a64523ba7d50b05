/** One line a request: id, method, path, status, milliseconds, who. The query is left out, and what is secret in a path. */
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
    // Pages, files and health checks are many and tell little.
    if (line.path.startsWith('/api/') && !line.path.startsWith('/api/health'))
      log.info(line, 'request');
    else log.debug(line, 'request');
  });
}

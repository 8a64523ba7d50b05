/** One line a request: id, method, path, status, milliseconds, who. The query is left out, and what is secret in a path. */
import type { FastifyInstance } from 'fastify';
import type { Log } from '../logging.ts';

export function logAccess(app: FastifyInstance, log: Log): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      requestId: request.id,
      method: request.method,
      path: loggedPath(request.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      user: request.caller?.user?.id ?? null,
      client: request.caller?.client?.id,
      address: request.ip,
    };
    // Pages, files and health checks are many and tell little.
    if (line.path.startsWith('/api/') && !line.path.startsWith('/api/health')) log.info(line, 'request');
    else log.debug(line, 'request');
  });
}

/** The link of a password reset and the ticket of a download are good for whoever reads them. */
export function loggedPath(url: string): string {
  const path = url.split(/[?#;]/, 1)[0] ?? '';
  return path
    .replace(/^((?:\/api)?\/(?:reset-password|user\/passwordreset|export|audit\/export|downloads\/files)\/).+/, '$1…')
    .slice(0, 500);
}

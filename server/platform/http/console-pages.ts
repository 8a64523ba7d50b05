/**
 * Serves the console. Any address outside /api that is not a file is a page: it gets an HTML file, and the console routes it.
 * Files under assets/ have a hash of their content in their names and never change; the others are revalidated on each load.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import { commonStart, findStartFile } from '@patch/contract/console-starts.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors/app-error.ts';
import { isCall } from './web-server.ts';

/** Handles every request without a route: unknown calls, and the console's files and pages. */
export async function serveConsole(app: FastifyInstance, folder: string): Promise<void> {
  const built = existsSync(join(folder, commonStart));
  if (built)
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply, path) => {
        reply.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });

  app.setNotFoundHandler((request, reply) => {
    if (isCall(request.url)) throw noSuchCallError(request);
    if (!isPage(request))
      return reply.status(404).type('text/plain; charset=utf-8').send('Not found\n');
    if (!built)
      return reply
        .status(503)
        .type('text/plain; charset=utf-8')
        .send('The console is not built yet: npm start builds it.\n');
    return reply.sendFile(findStartFile(request.url));
  });
  if (built) app.get('/', (_request, reply) => reply.sendFile(commonStart));
}

function noSuchCallError(request: FastifyRequest): AppError {
  const path = request.url.split('?', 1)[0]?.slice(0, 200);
  return new AppError(
    'no_such_call',
    `${request.method} ${path} does not exist. All calls are listed in /api/openapi.json.`,
  );
}

/** A missing script must not return a page: the browser would try to run it. */
function isPage({ method, url }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const path = url.split('?', 1)[0] ?? '';
  return (
    !path.startsWith('/assets/') &&
    !/\.(js|css|map|svg|png|ico|woff2?|json|txt|webmanifest)$/.test(path)
  );
}

/** Serves the API reference at /api/reference: Swagger UI from this server, with the same security headers as every page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { referencePage, referenceScript, referenceStyle } from './reference-page-files.ts';

const packageRequire = createRequire(import.meta.url);
const cacheHeader = 'public, max-age=3600';

/** @param openapiPath - Path of the public document, relative to /api/reference. */
export function mountReference(app: FastifyInstance, openapiPath: string): void {
  const ownFiles = [
    ['/api/reference', 'text/html; charset=utf-8', referencePage(openapiPath)],
    ['/api/reference/reference.js', 'text/javascript; charset=utf-8', referenceScript],
    ['/api/reference/reference.css', 'text/css; charset=utf-8', referenceStyle],
  ] as const;
  for (const [path, type, content] of ownFiles) {
    app.get(path, (_request, reply) =>
      reply.type(type).header('cache-control', 'no-cache').send(content),
    );
  }
  app.get('/api/reference/', (_request, reply) => reply.redirect('../reference'));

  const libraryFiles = [
    [
      '/api/reference/swagger-ui.css',
      'text/css; charset=utf-8',
      packageRequire.resolve('swagger-ui-dist/swagger-ui.css'),
    ],
    [
      '/api/reference/swagger-ui-bundle.js',
      'text/javascript; charset=utf-8',
      packageRequire.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
    ],
  ] as const;
  for (const [path, type, file] of libraryFiles) {
    // Read and compressed at the first request: 1.7 MB that few people need.
    let compressed: Promise<Buffer> | undefined;
    app.get(path, async (request, reply) => {
      reply.type(type).headers({ 'cache-control': cacheHeader, vary: 'accept-encoding' });
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return readFile(file);
      compressed ??= readFile(file).then((content) => promisify(gzip)(content));
      return reply.header('content-encoding', 'gzip').send(await compressed);
    });
  }
}

/** Serves the description of all calls: the document for programs, the reference for people. Both without signing in. */
import { calls } from '@patch/contract/calls.ts';
import { openApiDocument } from '@patch/contract/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { productVersion } from './product-version.ts';
import { mountReference } from './reference-page.ts';

export function describeCalls(app: FastifyInstance): void {
  // Written when the first one asks: it is large, and starting shall be quick.
  let document: string | undefined;
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(calls, { version: productVersion }));
    return reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(document);
  });
  mountReference(app, 'openapi.json');
}

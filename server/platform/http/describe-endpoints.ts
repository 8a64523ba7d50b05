/** Serves the API description without signing in: the document for programs, the reference for people. */
import { endpoints } from '@patch/contract/endpoints.ts';
import { openApiDocument } from '@patch/contract/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { productVersion } from './product-version.ts';
import { mountReference } from './reference-page.ts';

export function describeEndpoints(app: FastifyInstance): void {
  // Generated at the first request, since it is large and the service must start quickly.
  let document: string | undefined;
  app.get('/api/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(endpoints, { version: productVersion }));
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(document);
  });
  mountReference(app, 'openapi.json');
}

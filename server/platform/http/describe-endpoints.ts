/** Serves the API description without signing in: the document for programs, the reference for people. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { endpoints } from '@patch/contract/endpoints.ts';
import { openApiDocument } from '@patch/contract/openapi.ts';
import type { FastifyInstance } from 'fastify';
import { productVersion } from './product-version.ts';

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

/** Addresses are relative, so that the page works behind a proxy that serves it below a path. */
const referencePage = (openapiPath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference – Patch Repository</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reference/swagger-ui.css">
<link rel="stylesheet" href="reference/reference.css">
</head>
<body>
<main id="reference" data-document="${openapiPath}"></main>
<noscript>The reference needs scripts. The document itself is at <a href="${openapiPath}">${openapiPath}</a>.</noscript>
<script src="reference/swagger-ui-bundle.js"></script>
<script src="reference/reference.js"></script>
</body>
</html>
`;

const referenceScript = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

const element = document.getElementById('reference');
SwaggerUIBundle({
  domNode: element,
  url: element.dataset.document,
  presets: [SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  validatorUrl: null,
  // Accept a pasted token without the prefix.
  requestInterceptor: (request) => {
    const token = request.headers.Authorization;
    if (token && !/^apikey /i.test(token)) request.headers.Authorization = 'Apikey ' + token;
    return request;
  },
});
`;

const referenceStyle = `body { margin: 0; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .info p, .swagger-ui .markdown p, .swagger-ui .renderedMarkdown p, .swagger-ui table { font-family: 'Inter Variable', Inter, system-ui, sans-serif; }
.swagger-ui .wrapper { max-width: 1120px; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info .title { font-size: 24px; font-weight: 600; }
.swagger-ui .info .title small { border-radius: 6px; background: #595959; }
.swagger-ui .info .title small.version-stamp { background: #0958d9; }
.swagger-ui .scheme-container { box-shadow: none; padding: 8px 0; background: none; }
.swagger-ui .opblock-tag { font-size: 16px; font-weight: 600; padding: 8px 4px; }
.swagger-ui .opblock { box-shadow: none; border-radius: 6px; margin: 0 0 8px; }
.swagger-ui .markdown table, .swagger-ui .renderedMarkdown table { display: block; overflow-x: auto; }
.swagger-ui .markdown td, .swagger-ui .renderedMarkdown td { color: inherit; padding: 4px 12px 4px 0; }
.swagger-ui td code { white-space: nowrap; }
.dark-mode .swagger-ui .opblock-description-wrapper { color: #e4e6e6; }
`;

import { expect, test } from 'vitest';
import { architecturePage, drawing, moduleImports, reducedGraph } from './architecture-page.ts';

const imports = [
  { from: 'server/app.ts', to: 'server/records/search/search-routes.ts' },
  { from: 'server/app.ts', to: 'server/platform/http/route.ts' },
  { from: 'server/records/search/search-routes.ts', to: 'server/platform/http/route.ts' },
  { from: 'server/platform/http/route.test.ts', to: 'server/records/search/search-routes.ts' },
  { from: 'server/platform/http/route.ts', to: 'node_modules/fastify/fastify.js' },
];

test('groups files by module, and leaves out tests and packages', () => {
  expect(moduleImports(imports)).toEqual(
    new Map([
      ['server', new Set(['server/records', 'server/platform'])],
      ['server/records', new Set(['server/platform'])],
      ['server/platform', new Set()],
    ]),
  );
});

test('leaves out an import that follows from others', () => {
  expect(reducedGraph(moduleImports(imports)).get('server')).toEqual(['server/records']);
});

test('draws an arrow from the importing module to the imported one', () => {
  expect(drawing(imports)).toContain('  server_records --> server_platform');
});

test('refuses a page without the marks of its generated parts', () => {
  expect(() => architecturePage('# Architecture', { imports, files: [] })).toThrow(
    "lacks '<!-- drawing: written by npm run docs -->'",
  );
});

test('refuses a folder without a sentence', () => {
  const page = `<!-- drawing: written by npm run docs --><!-- end of drawing -->
<!-- folders: written by npm run docs --><!-- end of folders -->`;
  const files = ['server/platform/unknown/some-file.ts'];
  expect(() => architecturePage(page, { imports, files })).toThrow(
    'scripts/folder-sentences.ts lacks server/platform/unknown;',
  );
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { consoleStarts } from '@patch/contract/console-starts.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { createLog } from '../logging/logging.ts';
import { serveConsole } from './console-pages.ts';
import { webServer } from './web-server.ts';

const folder = temporaryFolder();
const log = createLog('silent', { write() {} });
let app: FastifyInstance;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>console</title>');
  for (const { name, file } of consoleStarts)
    writeFileSync(join(folder, file), `<!doctype html><title>console</title><p>${name}</p>`);
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>');
  writeFileSync(join(folder, 'assets/main-1a2b3c.js'), 'run()');
  writeFileSync(join(folder, 'assets/main-1a2b3c.js.br'), brotliCompressSync('run()'));
  writeFileSync(join(folder, '.env'), 'secret');
  app = await webServer({ log, trustProxy: false });
  await serveConsole(app, folder);
});
afterAll(() => app.close());

test.each([
  '/',
  '/login',
  '/patch-repository/kb-base?page=2',
  '/reset-password/abc',
  '/index.html',
])('serves %s as a page of the console, revalidated on each load', async (url) => {
  const reply = await app.inject(url);
  expect(reply.statusCode).toBe(200);
  expect(reply.body).toContain('<title>console</title>');
  expect(reply.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-type': expect.stringContaining('text/html'),
  });
});

test.each([
  ['/', 'common'],
  ['/login?redirectFrom=%2Fpatch-repository%2Fdashboard', 'login'],
  ['/login/', 'login'],
  ['/patch-repository/dashboard', 'dashboard'],
  ['/patch-repository/record/12?tab=packages', 'record'],
  ['/patch-repository/centos-patch/record/7', 'record'],
  ['/patch-repository', 'common'],
  ['/patch-repository/dashboard/more', 'common'],
  ['/login-help', 'common'],
])('serves %s with the %s start page', async (url, page) => {
  const { body } = await app.inject(url);
  expect(/<p>(\w+)<\/p>/.exec(body)?.[1] ?? 'common').toBe(page);
});

test('caches a file with a hash in its name forever', async () => {
  const reply = await app.inject('/assets/main-1a2b3c.js');
  expect(reply.body).toBe('run()');
  expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
});

test('sends the build’s compressed files', async () => {
  const reply = await app.inject({
    url: '/assets/main-1a2b3c.js',
    headers: { 'accept-encoding': 'gzip, br' },
  });
  expect(reply.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect(brotliDecompressSync(reply.rawPayload).toString()).toBe('run()');
});

test.each([
  '/assets/gone-9f.js',
  '/assets/',
  '/robots.txt',
  '/.env',
  '/../package.json',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/assets/..%2f.env',
])('does not serve %s', async (url) => {
  const reply = await app.inject(url);
  expect(reply.body).not.toMatch(/secret|root:|patch-repository/);
  expect(reply.statusCode === 404 || reply.body.includes('<title>console</title>')).toBe(true);
});

test('returns 404 for a missing script', async () => {
  expect((await app.inject('/assets/gone-9f.js')).statusCode).toBe(404);
  expect((await app.inject({ method: 'POST', url: '/login' })).statusCode).toBe(404);
});

test('returns 503 with advice when the console is not built', async () => {
  const bare = await webServer({ log, trustProxy: false });
  await serveConsole(bare, join(folder, 'nowhere'));
  const reply = await bare.inject('/');
  expect([reply.statusCode, reply.body]).toEqual([
    503,
    'The console is not built yet: npm start builds it.\n',
  ]);
  await bare.close();
});

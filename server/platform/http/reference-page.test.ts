import { gunzipSync } from 'node:zlib';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { mountReference } from './describe-endpoints.ts';

const app = fastify();
mountReference(app, '/api/openapi.json');

test('serves every file of the page itself, without inline scripts', async () => {
  const page = await app.inject('/api/reference');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.body).toContain('data-document="/api/openapi.json"');
  expect(page.body).not.toMatch(/<script(?![^>]* src=)|\son\w+=|https?:/);
  const paths = [...page.body.matchAll(/(?:src|href)="(reference\/[^"]+)"/g)].map(
    ([, path]) => `/api/${path}`,
  );
  expect(paths).toHaveLength(4);
  for (const path of paths) {
    const file = await app.inject(path);
    expect(file.statusCode).toBe(200);
    expect(file.headers['content-type']).toMatch(
      path.endsWith('.js') ? /^text\/javascript/ : /^text\/css/,
    );
    expect(file.body.length).toBeGreaterThan(300);
  }
});

test('redirects a trailing slash to the page', async () => {
  const reply = await app.inject('/api/reference/');
  expect([reply.statusCode, reply.headers.location]).toEqual([302, '../reference']);
});

test('compresses the library for clients that accept it', async () => {
  const path = '/api/reference/swagger-ui-bundle.js';
  const plain = await app.inject(path);
  const small = await app.inject({ url: path, headers: { 'accept-encoding': 'gzip, br' } });
  expect(small.headers['content-encoding']).toBe('gzip');
  expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
  expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true);
});

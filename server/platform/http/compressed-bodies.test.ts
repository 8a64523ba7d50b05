/** Compressed bodies are decompressed within the limit of their call. */
import { gzipSync } from 'node:zlib';
import { defineEndpoint } from '@patch/contract/base/endpoint.ts';
import { noParams, noQuery } from '@patch/contract/base/no-input.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { appWithRoutes } from '../../testing/app-with-routes.ts';
import { send } from '../../testing/caller.ts';

const taking = defineEndpoint({
  name: 'taking',
  summary: 'Takes gzip',
  tag: 'Test',
  method: 'POST',
  path: '/taking',
  access: 'standard',
  params: noParams,
  query: noQuery,
  body: z.strictObject({ words: z.string() }),
  receives: 'gzip',
  maxBodyBytes: 200_000,
  reply: z.object({ length: z.number() }),
});
const plain = defineEndpoint({
  ...taking,
  name: 'plain',
  path: '/plain',
  receives: undefined as never,
});

let app: FastifyInstance;
beforeAll(async () => {
  app = await appWithRoutes((route) => {
    route(taking, async ({ body }) => ({ length: body.words.length }));
    route(plain, async ({ body }) => ({ length: body.words.length }));
  });
});
afterAll(() => app.close());

const post = (path: string, body: Buffer | string, encoding?: string) =>
  send(app, 'POST', path, {
    body,
    headers: {
      authorization: 'Apikey test',
      'content-type': 'application/json',
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
  });
const buildBody = (length: number) => JSON.stringify({ words: 'x'.repeat(length) });

test('accepts a body with and without compression', async () => {
  const large = post('/taking', gzipSync(buildBody(100_000)), 'gzip');
  expect(await large.json).toEqual({ length: 100_000 });
  expect(await post('/taking', gzipSync(buildBody(7)), 'GZIP').json).toEqual({ length: 7 });
  expect(await post('/taking', buildBody(7)).json).toEqual({ length: 7 });
});

test('refuses a body that exceeds the limit when decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, 32));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await post('/taking', bomb, 'gzip').outcome).toBe('413 too_large');
});

test.each([
  ['/taking', 'this is not gzip', 'gzip'],
  ['/taking', gzipSync(buildBody(5000)).subarray(0, 30), 'gzip'],
  ['/taking', buildBody(7), 'br'],
  ['/plain', gzipSync(buildBody(7)), 'gzip'],
])('returns 422 for an invalid encoding at %s', async (path, payload, encoding) => {
  expect(await post(path, payload, encoding).outcome).toBe('422 wrong_content_encoding');
});

import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toFailure } from './failure-of.ts';
import { readJsonBodies } from './json-body.ts';
import { limitReceiving } from './transfer-times.ts';

let app: FastifyInstance;
const timeoutMs = 200;

beforeAll(async () => {
  app = fastify({ requestTimeout: 0 });
  app.setErrorHandler((error, _request, reply) => reply.status(toFailure(error).status).send());
  readJsonBodies(app);
  limitReceiving(app, timeoutMs);
  app.post('/json', async ({ body }) => body);
  app.post('/file', { config: { receivesFile: true } }, async ({ body }) => ({
    length: (await text(body as AsyncIterable<Buffer>)).length,
  }));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

/** Sends the pieces, one every `pause` milliseconds. Returns the status, or the error code of the connection. */
async function send(
  path: string,
  type: string,
  pieces: readonly string[],
  pause: number,
  end = true,
): Promise<number | string> {
  const { port } = app.server.address() as AddressInfo;
  const sent = request({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    headers: { 'content-type': type },
  });
  const answered = once(sent, 'response').then(
    ([response]) => (response as { statusCode: number }).statusCode,
    (error: unknown) => (error as { code: string }).code,
  );
  for (const piece of pieces) {
    sent.write(piece);
    await after(pause);
  }
  if (end) sent.end();
  return answered;
}

const zip = 'application/zip';

test('reads a body that arrives in time', async () => {
  expect(await send('/json', 'application/json', ['{"a":', '1}'], 10)).toBe(200);
});

test('aborts slow JSON and accepts a slow file', async () => {
  const pieces = ['{', ...Array.from({ length: 9 }, () => ' '), '}'];
  expect(await send('/json', 'application/json', pieces, 50)).toMatch(/ECONNRESET|EPIPE/);
  expect(await send('/file', zip, pieces, 50)).toBe(200);
});

test('aborts a file that stops arriving', async () => {
  expect(await send('/file', zip, ['begun'], 0, false)).toBe('ECONNRESET');
});

test('refuses a file for a call that receives none', async () => {
  expect(await send('/json', zip, ['PK'], 0)).toBe(422);
});

/** Calls that receive plain text besides JSON. */
import { defineEndpoint } from '@patch/contract/endpoint.ts';
import { noParams, noQuery } from '@patch/contract/no-input.ts';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Action, endpointPlugin } from './endpoint-plugin.ts';
import { webServer } from './web-server.ts';

const Body = z.strictObject({ text: z.string() });
const call = defineEndpoint({
  name: 'measure',
  summary: '',
  tag: '',
  method: 'POST',
  path: '/measure',
  access: 'public',
  params: noParams,
  query: noQuery,
  body: Body,
  receives: 'text',
  maxBodyBytes: 512 * 1024,
  reply: z.unknown(),
});
const plain = defineEndpoint({
  ...call,
  name: 'plain',
  path: '/plain',
  receives: undefined,
  maxBodyBytes: undefined,
} as never);

let app: FastifyInstance;
const actions: Action[] = [];

beforeAll(async () => {
  app = await webServer({ log: pino({ level: 'silent' }), trustProxy: false });
  await app.register(endpointPlugin, {
    findSession: () => Promise.resolve(null),
    checkReplies: true,
    onAction: async (action) => void actions.push(action),
  });
  app.endpoint(call, async ({ body }) => body);
  app.endpoint(plain, async () => ({}));
});
afterAll(() => app.close());

const post = async (url: string, type: string, payload: string | Buffer) => {
  const reply = await app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: { 'content-type': type },
    payload,
  });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
};

test('decodes plain text in any encoding', async () => {
  const utf16 = Buffer.from('\ufeffKB5', 'utf16le');
  expect(await post('/measure', 'text/plain; charset=utf-16', utf16)).toEqual({
    status: 200,
    body: { text: 'KB5' },
  });
});

test('accepts JSON too', async () => {
  expect(await post('/measure', 'application/json', '{"text":"KB5"}')).toEqual({
    status: 200,
    body: { text: 'KB5' },
  });
});

test('accepts bodies up to the limit of the call, and names it in a refusal', async () => {
  const { body } = await post('/measure', 'text/plain', 'x'.repeat(300 * 1024));
  expect(body['text']).toHaveLength(300 * 1024);
  const { status, body: refused } = await post('/measure', 'text/plain', 'x'.repeat(513 * 1024));
  expect([status, refused['userMessage']]).toEqual([
    413,
    'The body may have at most 512 KiB. Send less at once.',
  ]);
});

test('refuses other content types and names the allowed ones', async () => {
  const { status, body } = await post('/measure', 'application/xml', '<a/>');
  expect([status, body['userMessage']]).toEqual([
    422,
    'The body must be plain text or JSON: send it with Content-Type: text/plain or application/json.',
  ]);
  expect((await post('/plain', 'text/plain', 'words')).status).toBe(422);
});

test('does not pass the text to the audit log', async () => {
  actions.length = 0;
  await post('/measure', 'text/plain', 'a-unique-word');
  await post('/measure', 'application/json', '{"text":"a-unique-word"}');
  expect(actions).toHaveLength(2);
  expect(JSON.stringify(actions)).not.toContain('a-unique-word');
});

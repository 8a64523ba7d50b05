/** Calls that receive plain text besides JSON. */
import { defineEndpoint } from '@patch/contract/base/endpoint.ts';
import { noParams, noQuery } from '@patch/contract/base/no-input.ts';
import { reportMachinesEndpoint } from '@patch/contract/fleet/machine-report-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { appWithRoutes } from '../../testing/app-with-routes.ts';
import { send } from '../../testing/caller.ts';
import type { Action } from './endpoint-plugin.ts';

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
  maxBodyValues: 120_000,
  reply: z.unknown(),
});
const plain = defineEndpoint({
  ...call,
  name: 'plain',
  path: '/plain',
  receives: undefined,
  maxBodyBytes: undefined,
  maxBodyValues: undefined,
} as never);
const reports = defineEndpoint({
  ...reportMachinesEndpoint,
  path: '/reports',
  access: 'public',
  reply: z.unknown(),
});

let app: FastifyInstance;
const actions: Action[] = [];

beforeAll(async () => {
  app = await appWithRoutes(
    (route) => {
      route(call, async ({ body }) => body);
      route(plain, async () => ({}));
      route(reports, async ({ body: { machines } }) => ({
        unreadable: machines.filter((machine) => 'unreadable' in machine),
      }));
    },
    (action) => actions.push(action),
  );
});
afterAll(() => app.close());

const post = (path: string, type: string, body: string | Buffer) =>
  send(app, 'POST', path, { headers: { 'content-type': type }, body });

test('decodes plain text in any encoding', async () => {
  const utf16 = Buffer.from('\ufeffKB5', 'utf16le');
  const reply = post('/measure', 'text/plain; charset=utf-16', utf16);
  expect(await reply.json).toEqual({ text: 'KB5' });
});

test.each([
  ['[0],'.repeat(61_000), '413 too_large'],
  ['{},'.repeat(61_000), '413 too_large'],
  ['[0],'.repeat(49_000), '422 invalid_input'],
  // Escaped quotes end no text, and what is in a text is no value.
  [`"${String.raw`[,{\\\",`.repeat(40_000)}",`, '422 invalid_input'],
])('counts the values of JSON before it is parsed: %.8s', async (items, outcome) => {
  const body = `{"text":[${items}0]}`;
  expect(await post('/measure', 'application/json', body).outcome).toBe(outcome);
});

test('parses fewer values for calls without a limit of their own', async () => {
  const body = (items: number) => `{"text":[${'0,'.repeat(items)}0]}`;
  expect(await post('/plain', 'application/json', body(9900)).outcome).toBe('422 invalid_input');
  expect(await post('/plain', 'application/json', body(10_000)).refusal).toEqual([
    413,
    'The body may have at most 10,000 values. Send less at once.',
  ]);
});

test('parses the largest report of a machine that its schema accepts', async () => {
  const words = { name: 'kernel', version: '1-1' };
  const rpm = {
    ...words,
    format: 'rpm',
    epoch: '0',
    architecture: 'x86_64',
    module: { name: 'kernel', stream: '1' },
    source: words,
  };
  const machine = {
    key: 'web-1',
    name: 'web-1',
    platform: 'linux',
    distribution: 'almalinux',
    release: '9',
    packages: Array.from({ length: 20_000 }, () => rpm),
    kbs: Array.from({ length: 5000 }, () => '5000000'),
    applications: [],
  };
  const read = post('/reports', 'application/json', JSON.stringify({ machines: [machine] }));
  expect(await read.json).toEqual({ unreadable: [] });
});

test('lets a small request pass large bodies that arrived before', async () => {
  const large = `{"text":[${'0,'.repeat(119_000)}0]}`;
  const ended: string[] = [];
  const note = (name: string, reply: { readonly outcome: Promise<string> }) =>
    reply.outcome.then(() => ended.push(name));
  await Promise.all([
    ...Array.from({ length: 5 }, () => note('large', post('/measure', 'application/json', large))),
    note('small', post('/measure', 'application/json', '{"text":"KB5"}')),
  ]);
  expect(ended.indexOf('small')).toBeLessThan(3);
});

test('accepts JSON too', async () => {
  const reply = post('/measure', 'application/json', '{"text":"KB5"}');
  expect(await reply.json).toEqual({ text: 'KB5' });
});

test('accepts bodies up to the limit of the call, and names it in a refusal', async () => {
  const ofSize = (kib: number) => post('/measure', 'text/plain', 'x'.repeat(kib * 1024));
  expect((await ofSize(300).json)['text']).toHaveLength(300 * 1024);
  const words = 'The body may have at most 512 KiB. Send less at once.';
  expect(await ofSize(513).refusal).toEqual([413, words]);
});

test('refuses other content types and names the allowed ones', async () => {
  expect(await post('/measure', 'application/xml', '<a/>').refusal).toEqual([
    422,
    'The body must be plain text or JSON: send it with Content-Type: text/plain or application/json.',
  ]);
  expect(await post('/plain', 'text/plain', 'words').status).toBe(422);
});

test('does not pass the text to the audit log', async () => {
  actions.length = 0;
  await post('/measure', 'text/plain', 'a-unique-word');
  await post('/measure', 'application/json', '{"text":"a-unique-word"}');
  expect(actions).toHaveLength(2);
  expect(JSON.stringify(actions)).not.toContain('a-unique-word');
});

import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { defineEndpoint, type Endpoint } from '@patch/contract/base/endpoint.ts';
import { noBody, noParams, noQuery } from '@patch/contract/base/no-input.ts';
import { Problem } from '@patch/contract/base/problem.ts';
import { FilterError } from '@patch/contract/filter/filter-conditions.ts';
import { SearchBody, SearchQuery } from '@patch/contract/records/search-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Method, send } from '../../testing/caller.ts';
import { DatabaseError } from '../database/database-error.ts';
import { AppError } from '../errors/app-error.ts';
import { createLog } from '../logging/logging.ts';
import { serveConsole } from './console-pages.ts';
import { endpointPlugin } from './endpoint-plugin.ts';
import { type EndpointHandler, JsonText } from './route.ts';
import { webServer } from './web-server.ts';

const person: SignedInUser = {
  id: 7,
  name: 'Operator',
  email: 'operator@example.org',
  userType: 'Standard',
  timezone: null,
  mustChangePassword: false,
};
const people: Record<string, SignedInUser> = {
  standard: person,
  admin: { ...person, id: 8, userType: 'Admin' },
  fresh: { ...person, id: 9, userType: 'Admin', mustChangePassword: true },
};

const lines: string[] = [];
let app: FastifyInstance;

const read: Endpoint = {
  name: 'read',
  summary: '',
  tag: '',
  method: 'GET',
  path: '/things',
  access: 'standard',
  params: noParams,
  query: noQuery,
  body: noBody,
  reply: z.unknown(),
};
const failingRoute = (name: string, error: unknown): [Endpoint, EndpointHandler<Endpoint>] => [
  { ...read, name, path: `/fails/${name}` },
  () => Promise.reject(error),
];

beforeAll(async () => {
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  app = await webServer({ log, trustProxy: false });
  await app.register(endpointPlugin, {
    findSession: async (token) =>
      people[token] === undefined
        ? null
        : { user: people[token], session: `hash of ${token}`, byProvider: false, proven: true },
    checkReplies: true,
  });
  const route = app.endpoint;
  route({ ...read, name: 'public', path: '/public', access: 'public' }, async ({ user }) => ({
    user,
  }));
  route(
    { ...read, name: 'limited', path: '/limited', access: 'public', rateLimit: { perMinute: 2 } },
    async () => ({}),
  );
  route({ ...read, name: 'standard', path: '/standard' }, async ({ user, session, address }) => ({
    id: user?.id,
    session,
    address,
  }));
  route({ ...read, name: 'admin', path: '/admin', access: 'admin' }, async () => ({}));
  route({ ...read, name: 'me', path: '/me' }, async ({ user }) => user);
  route(
    defineEndpoint({
      ...read,
      name: 'search',
      method: 'POST',
      path: '/{door}/search/{id}',
      params: z.object({
        door: z.enum(['windows', 'linux']),
        id: z.string().regex(/^\d+$/, 'must be a whole number'),
      }),
      query: SearchQuery,
      body: SearchBody,
      status: 202,
    }),
    async ({ params, query, body }) => ({ params, query, body: body ?? null }),
  );
  route({ ...read, name: 'static', method: 'POST', path: '/linux/search-all' }, async () => ({}));
  const StoredBody = z.object({ rows: z.array(z.record(z.string(), z.unknown())) });
  const limits = { maxBodyBytes: 512 * 1024, maxBodyValues: 70_000 };
  const storing = { ...read, method: 'POST', body: StoredBody, ...limits } as const;
  route({ ...storing, name: 'store', path: '/stored' }, async () => ({}));
  route({ ...storing, name: 'preview', path: '/previewed', reads: true }, async () => ({}));
  route({ ...read, name: 'text', path: '/text' }, async () => new JsonText('{"as":"it is"}'));
  route(
    { ...read, name: 'bytes', path: '/bytes' },
    async () => new JsonText(new TextEncoder().encode('xx{"as":"bytes"}').subarray(2)),
  );
  route(
    defineEndpoint({ ...read, name: 'lies', path: '/lies', reply: z.object({ n: z.number() }) }),
    async () => ({ n: 'one' }) as unknown as { n: number },
  );
  for (const [call, handler] of [
    failingRoute(
      'refusal',
      new AppError('sync_running', 'It runs already.', { retryAfterSeconds: 9 }),
    ),
    failingRoute('filter', new FilterError('unknown_field', "Unknown field 'titel' at 7.", 7)),
    failingRoute('zod', z.object({ a: z.string() }).safeParse({}).error),
    failingRoute('bug', new TypeError('undefined is not a function in /srv/secret/module.ts')),
    failingRoute('away', new DatabaseError('connection', 'connect ECONNREFUSED')),
    failingRoute('stopping', new DatabaseError('57P01', 'terminating connection')),
  ])
    route(call, handler);
  await serveConsole(app, '/nowhere');
});
afterAll(() => app.close());

interface RequestOptions {
  readonly method?: Method;
  readonly token?: string | null;
  readonly body?: string | undefined;
  readonly type?: string | undefined;
}
const ask = (
  path: string,
  { method = 'GET', token = 'standard', body, type }: RequestOptions = {},
) =>
  send(app, method, path, {
    body,
    headers: {
      ...(token !== null && { authorization: `Apikey ${token}` }),
      ...(type !== undefined && { 'content-type': type }),
    },
  });
const search = (rest: string, options: RequestOptions = {}) =>
  ask(`/linux/search/5${rest}`, { method: 'POST', ...options });

describe('access', () => {
  test.each([
    ['/public', null, 200, undefined],
    ['/public', 'unknown', 200, undefined],
    ['/standard', null, 401, 'not_signed_in'],
    ['/standard', 'unknown', 401, 'session_ended'],
    ['/standard', 'standard', 200, undefined],
    ['/standard', 'admin', 200, undefined],
    ['/admin', 'standard', 403, 'not_allowed'],
    ['/admin', 'admin', 200, undefined],
    ['/standard', 'fresh', 403, 'must_change_password'],
    ['/admin', 'fresh', 403, 'must_change_password'],
    ['/me', 'fresh', 200, undefined],
  ])('replies to %s with token %s with %i %s', async (path, token, status, code) => {
    const reply = await ask(path, { token });
    expect([reply.status, reply.json['code']]).toEqual([status, code]);
  });

  test('passes the caller to the handler', async () => {
    expect(await ask('/standard').json).toEqual({
      id: 7,
      session: 'hash of standard',
      address: '127.0.0.1',
    });
  });

  test('returns 429 with the time to wait to an address with too many requests', async () => {
    const replies = [await ask('/limited'), await ask('/limited'), await ask('/limited')];
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 429]);
    expect(replies[2]?.json).toMatchObject({
      code: 'too_many_requests',
      userMessage: expect.stringMatching(/Try again in \d+ seconds/),
    });
    expect(Number(replies[2]?.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('input', () => {
  test('is validated and passed to the handler', async () => {
    expect(await search('?size=25', { body: '{"keyword":"bash"}' })).toMatchObject({
      status: 202,
      json: {
        params: { door: 'linux', id: '5' },
        query: { offset: 0, size: 25 },
        body: { keyword: 'bash' },
      },
    });
  });

  test.each([
    [undefined, undefined],
    ['', 'application/json'],
    ['', 'application/x-www-form-urlencoded'],
    [' \n', 'text/plain'],
  ])('has no body for %j as %s', async (body, type) => {
    expect(await search('', { body, type }).json).toMatchObject({ body: null });
  });

  test.each([
    ['/windows/search/x', '', 'id must be a whole number'],
    ['/mac/search/1', '', 'door must be one of: windows, linux.'],
    ['/linux/search/1?size=100000', '', 'size must be at most 1000.'],
    ['/linux/search/1?size=1e3', '', 'size must be a whole number of at most 15 digits.'],
    ['/linux/search/1?size=5&size=6', '', 'size'],
    [
      '/linux/search/1?limit=5',
      '',
      "The query has an unknown name 'limit'; allowed are: offset, size, sort.",
    ],
    ['/linux/search/1', '[]', 'The body must be an object.'],
    ['/linux/search/1', '"text"', 'The body must be an object.'],
    ['/linux/search/1', '{"filter":5}', 'filter must be text.'],
    [
      '/linux/search/1',
      '{"filters":""}',
      "The body has an unknown name 'filters'; allowed are: filter, keyword.",
    ],
    [
      '/linux/search/1',
      `{"keyword":"${'x'.repeat(256)}"}`,
      'The keyword may have at most 255 characters, without the quotes around phrases.',
    ],
    ['/linux/search/1?size=0', '{"filter":5}', 'size must be at least 1.'],
  ])('is refused with 422 for %s %s: %s', async (path, body, sentence) => {
    const { status, json } = await ask(path, { method: 'POST', body });
    expect([status, json['code']]).toEqual([422, 'invalid_input']);
    expect(json['userMessage']).toContain(sentence);
  });

  test.each(['{"keyword":', 'keyword=bash', '{"password":"hunter2",}', "{'a':1}", '\u0000'])(
    'is refused with 400 when %j is not JSON',
    async (body) => {
      const reply = await search('', { body });
      expect(reply).toMatchObject({
        status: 400,
        json: {
          code: 'not_json',
          userMessage: expect.stringMatching(/^The body is not JSON: .+\.$/),
        },
      });
      expect(JSON.stringify(reply.json)).not.toContain('hunter2');
    },
  );

  test('is refused with 422 for another content type, with the allowed one', async () => {
    const as = (type: string) => search('', { body: '{}', type });
    const words = 'The body must be JSON: send it with Content-Type: application/json.';
    for (const type of ['application/x-www-form-urlencoded', 'nonsense']) {
      expect(await as(type).outcome).toBe('422 wrong_content_type');
      expect(await as(type).refusal).toEqual([422, words]);
    }
    expect(await as('application/json; charset=utf-8').status).toBe(202);
  });

  test.each([
    [
      '{"rows":[{},{"name":"a\\u0000b"}]}',
      'rows.1.name contains the character U+0000, which the database cannot store. Any other text is allowed.',
    ],
    [
      '{"rows":[{"a\\ud83d":1}]}',
      'rows.0 contains half of a surrogate pair, which the database cannot store. Any other text is allowed.',
    ],
  ])(
    'is refused with 422 for text that the database cannot store: %s',
    async (body, userMessage) => {
      for (const path of ['/stored', '/previewed'])
        expect(await ask(path, { method: 'POST', body }).refusal).toEqual([422, userMessage]);
    },
  );

  test('may have any other text and any depth', async () => {
    const deep = `{"rows":[{"a":${'['.repeat(60_000)}${']'.repeat(60_000)}}]}`;
    for (const body of ['{"rows":[{"é😀\\n":"\\u0001\\uffff"}]}', deep])
      expect(await ask('/stored', { method: 'POST', body }).status).toBe(200);
  });

  test('is refused with 413 above 256 KiB', async () => {
    const body = `{"filter":"${'x'.repeat(256 * 1024)}"}`;
    expect(await search('', { body }).outcome).toBe('413 too_large');
  });

  test('is not read before authentication', async () => {
    for (const body of ['{', 'x'.repeat(1_000_000), '['.repeat(100_000), '{"a":"\\u0000\\ud800"}'])
      expect(await search('', { token: null, body }).outcome).toBe('401 not_signed_in');
  });

  test.each(['/%', '/linux/search/%zz', '/linux/search/' + '1'.repeat(400)])(
    'is refused with a Problem at the address %.30s',
    async (path) => {
      const reply = await ask(path, { method: 'POST' });
      expect([400, 404, 422]).toContain(reply.status);
      expect(Problem.safeParse(reply.json).success).toBe(true);
    },
  );
});

describe('replies', () => {
  test.each([
    ['refusal', 409, 'sync_running', 'It runs already.'],
    ['filter', 422, 'unknown_field', "Unknown field 'titel' at 7."],
    ['zod', 500, 'internal_error', 'Something went wrong on the server.'],
    ['bug', 500, 'internal_error', 'Something went wrong on the server.'],
    ['away', 503, 'database_unavailable', 'The database is not responding.'],
    ['stopping', 503, 'database_unavailable', 'The database is not responding.'],
  ])('map the failure %s to %i %s', async (name, status, code, words) => {
    const reply = await ask(`/fails/${name}`);
    expect(reply).toMatchObject({
      status,
      json: { code, userMessage: expect.stringContaining(words) },
    });
    expect(Problem.parse(reply.json).requestId).toBe(reply.headers['x-request-id']);
    expect(JSON.stringify(reply.json)).not.toContain('secret');
  });

  test('have the headers of a refusal', async () => {
    expect(await ask('/fails/refusal')).toMatchObject({ headers: { 'retry-after': '9' } });
  });

  test('to server faults are logged with stack and request id', async () => {
    const { json } = await ask('/fails/bug');
    const logged = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => line['requestId'] === json['requestId']);
    expect(logged).toMatchObject([
      {
        level: 'error',
        err: {
          message: expect.stringContaining('not a function'),
          stack: expect.stringContaining('endpoint-plugin.test'),
        },
      },
      {
        level: 'info',
        method: 'GET',
        path: '/api/fails/bug',
        status: 500,
        user: 7,
        ms: expect.any(Number),
      },
    ]);
  });

  test('are logged without query and token', async () => {
    await app.inject({
      url: '/api/standard?token=in-the-query',
      headers: { authorization: 'Apikey in-the-header' },
    });
    await app.inject({ url: '/reset-password/in-the-path' });
    expect(lines.join('')).not.toMatch(/in-the-/);
  });

  test('send JSON of the database unchanged', async () => {
    expect(await ask('/text').json).toEqual({ as: 'it is' });
    const bytes = await ask('/bytes');
    expect(bytes.json).toEqual({ as: 'bytes' });
    expect(bytes.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    });
  });

  test('are withheld when they do not match the contract', async () => {
    expect(await ask('/lies').outcome).toBe('500 internal_error');
  });

  test('are 404 for a call that does not exist', async () => {
    expect(await ask('/nothing')).toMatchObject({
      status: 404,
      json: { code: 'no_such_call', userMessage: expect.stringContaining('GET /api/nothing') },
    });
    expect(await ask('/standard', { method: 'PUT' }).status).toBe(404);
    expect((await app.inject('/api')).statusCode).toBe(404);
  });

  test('forbid foreign scripts and frames', async () => {
    for (const url of ['/api/public', '/api/nothing', '/'])
      expect((await app.inject(url)).headers['content-security-policy']).toMatch(
        /script-src 'self';.*frame-ancestors 'none'/,
      );
  });
});

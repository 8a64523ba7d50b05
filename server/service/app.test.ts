import { endpoints } from '@patch/contract/endpoints.ts';
import { Problem } from '@patch/contract/problem.ts';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { routePath } from '../platform/http/route-path.ts';
import type { RecordsContext } from '../records/records-context.ts';
import { recordsPlugin } from '../records/records-plugin.ts';
import { openMigrated } from '../testing/databases.ts';
import { buildUser, openApp, signIn } from '../testing/factories.ts';

let database: OpenDatabase;
let app: FastifyInstance;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  database = await openMigrated();
  app = await openApp({ database, config: { baseUrl: null, trustProxy: false } });
  for (const userType of ['Admin', 'Standard'] as const) {
    await buildUser(database, { name: userType, userType });
    tokens[userType] = await signIn(app, userType);
  }
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const header = (userType: string) => ({ authorization: `Apikey ${tokens[userType]}` });
/** Returns an existing path with a value for each parameter. */
const example = (path: string) =>
  `/api${path
    .replace('{prefix}', 'windows')
    .replace('{type}', 'all')
    .replace('{cve}', 'CVE-2024-3094')
    .replaceAll(/\{\w+\}/g, '1')}`;

test('has a route for every call', () => {
  const missing = endpoints
    .filter((call) => !app.hasRoute({ method: call.method, url: routePath(call) }))
    .map((call) => call.name);
  expect(missing).toEqual([]);
});

test('enforces the rate limit that the contract sets for an endpoint of a module', async () => {
  const activate = () =>
    app.inject({
      method: 'POST',
      url: '/api/client/activate',
      payload: { activationCode: 'mistyped', applicationVersion: '1' },
      remoteAddress: '192.0.2.7',
    });
  const statuses: number[] = [];
  for (let turn = 0; turn <= 30; turn++) statuses.push((await activate()).statusCode);
  expect(statuses).toEqual([...Array<number>(30).fill(422), 429]);
});

test('refuses a module without the platform', async () => {
  const bare = fastify();
  const context = {} as RecordsContext;
  await expect(bare.register(recordsPlugin, context)).rejects.toThrow(
    "The dependency 'platform' of plugin 'records' is not registered",
  );
  await bare.close();
});

test.each(endpoints.filter((call) => call.method === 'GET' && call.access === 'standard'))(
  '$name answers a Standard user',
  async (call) => {
    const query =
      { is_sync_running: '?service=almaLinux', schedule_preview: '?cron=15%203%20*%20*%20*' }[
        call.name
      ] ?? '';
    const reply = await app.inject({
      url: example(call.path) + query,
      headers: header('Standard'),
      payloadAsStream: true,
    });
    expect([200, 404]).toContain(reply.statusCode);
    // An endless stream is not read.
    reply.stream().destroy();
  },
);

test('serves the same calls under the windows and linux prefixes, beside calls with fixed paths', async () => {
  for (const door of ['windows', 'linux']) {
    const reply = await app.inject({
      url: `/api/${door}/patchsync/isrunning?service=wsus`,
      headers: header('Standard'),
    });
    expect([reply.statusCode, reply.json()]).toEqual([200, { running: false, run: null }]);
  }
  expect(
    (await app.inject({ url: '/api/macos/patchsysncdetails', headers: header('Standard') }))
      .statusCode,
  ).toBe(422);
});

test.each([
  ['?size=100000', {}, 'size must be at most 1000.'],
  ['?sort=password', {}, 'password'],
  ['', { filter: "titel = 'x'" }, 'titel'],
  ['', { filter: "lower(title) like 'x" }, ''],
  ['', { filter: `title = '${'x'.repeat(9 * 1024)}'` }, ''],
])('answers 422 to a search with %s %j', async (query, payload, words) => {
  const reply = await app.inject({
    method: 'POST',
    url: `/api/linux/almalinux/search${query}`,
    headers: header('Standard'),
    payload,
  });
  expect(reply.statusCode).toBe(422);
  expect(Problem.parse(reply.json()).userMessage).toContain(words);
});

test('finds nothing in a list that was never synced', async () => {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/linuxpatch/search',
    headers: header('Standard'),
  });
  expect([reply.statusCode, reply.json()]).toEqual([200, { objList: [], totalCount: 0 }]);
});

test('serves the API document and its reference to everybody', async () => {
  const document = (await app.inject('/api/openapi.json')).json<{
    openapi: string;
    paths: Record<string, object>;
  }>();
  expect(document.openapi).toMatch(/^3\.1/);
  for (const call of endpoints)
    expect(document.paths).toHaveProperty([call.path, call.method.toLowerCase()]);
  expect((await app.inject('/api/reference')).statusCode).toBe(200);
});

test('answers 503 when the database does not respond, also in health', async () => {
  let away = false;
  const broken = await openApp({
    database: {
      ...database,
      query: (text, values) => (away ? new Promise(() => undefined) : database.query(text, values)),
    },
  });
  away = true;
  const before = performance.now();
  const reply = await broken.inject('/api/health');
  expect([reply.statusCode, Problem.parse(reply.json()).code]).toEqual([503, 'not_ready']);
  expect(performance.now() - before).toBeLessThan(4_000);
  await broken.close();
});

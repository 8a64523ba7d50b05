import { endpoints } from '@patch/contract/endpoints.ts';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenDatabase } from '../platform/database/schema/open-database.ts';
import { routePath } from '../platform/http/route.ts';
import type { RecordsContext } from '../records/records-context.ts';
import { recordsPlugin } from '../records/records-plugin.ts';
import { Caller } from '../testing/caller.ts';
import { openMigrated } from '../testing/databases.ts';
import { buildUsers, openApp, signIn } from '../testing/factories.ts';

let database: OpenDatabase;
let app: FastifyInstance;

beforeAll(async () => {
  database = await openMigrated();
  app = await openApp({ database, config: { baseUrl: null, trustProxy: false } });
  await buildUsers(database);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

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

test('serves the same calls under the windows and linux prefixes, beside calls with fixed paths', async () => {
  const stan = new Caller(
    () => app,
    () => signIn(app, 'Stan'),
  );
  for (const door of ['windows', 'linux']) {
    const { status, json } = await stan.get(`/${door}/patchsync/isrunning?service=wsus`);
    expect([status, json]).toEqual([200, { running: false, run: null }]);
  }
  expect(await stan.get('/macos/patchsysncdetails').status).toBe(422);
});

test('serves the API document and its reference to everybody', async () => {
  const document = (await app.inject('/api/openapi.json')).json<{ openapi: string }>();
  expect(document.openapi).toMatch(/^3\.1/);
  expect((await app.inject('/api/reference')).statusCode).toBe(200);
});

/** Nobody is kept from signing in when searches or other work use all their connections. */
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { openOnce } from '../testing/databases.ts';
import { buildUsers, openApp, signIn } from '../testing/factories.ts';

const open = openOnce();
let owner: OpenDatabase;
let pools: Record<'requests' | 'searches' | 'signIns', Database>;
let app: FastifyInstance;
let token: string;
let release: (() => Promise<void>)[] = [];

const pool = (purpose: string) =>
  serverDatabase({ url: owner.url, purpose, connections: 2, connectTimeout: 3000 });

beforeEach(async () => {
  owner = await open();
  await buildUsers(owner);
  pools = { requests: pool('requests'), searches: pool('searches'), signIns: pool('sign-ins') };
  app = await openApp({ database: pools.requests, pools });
  token = await signIn(app, 'Stan');
});
afterEach(async () => {
  for (const end of release.splice(0)) await end();
  await app.close();
  for (const each of Object.values(pools)) await each.close();
});

/** Takes both connections of a pool, as endless statements would. */
async function occupy(database: Database): Promise<void> {
  for (let n = 0; n < 2; n += 1) {
    const taken = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const transaction = database.transaction(async () => {
      taken.resolve();
      await ended.promise;
    });
    release.push(() => {
      ended.resolve();
      return transaction;
    });
    await taken.promise;
  }
}

const ask = async (method: 'GET' | 'POST', path: string, payload?: object) => {
  const headers = { authorization: `Apikey ${token}` };
  const reply = await app.inject({
    method,
    url: `/api${path}`,
    headers,
    ...(payload && { payload }),
  });
  return { status: reply.statusCode, body: reply.json<Record<string, unknown>>() };
};
const search = () => ask('POST', '/linux/almalinux/search', { keyword: 'kernel' });
const isSignedIn = async () => (await signIn(app, 'Stan')) !== 'undefined';

test('signs people in and serves other requests while searches use all their connections', async () => {
  await occupy(pools.searches);
  expect(await search()).toEqual({
    status: 503,
    body: expect.objectContaining({
      code: 'busy',
      userMessage:
        'All 2 connections to the database for searches are in use. Try again in a moment.',
    }),
  });
  expect(await isSignedIn()).toBe(true);
  expect((await ask('GET', '/me')).status).toBe(200);
  expect((await ask('GET', '/views')).status).toBe(200);
});

test('signs people in while everything else uses all its connections', async () => {
  await occupy(pools.requests);
  await occupy(pools.searches);
  expect((await ask('GET', '/views')).status).toBe(503);
  expect(await isSignedIn()).toBe(true);
  expect((await ask('GET', '/me')).status).toBe(200);
});

/** Nobody is kept from signing in when searches or other work use all their connections. */
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import type { OpenDatabase } from '../platform/database/schema/open-database.ts';
import { serverDatabase } from '../platform/database/server-database.ts';
import { Caller } from '../testing/caller.ts';
import { openOnce } from '../testing/databases.ts';
import { buildUsers, openApp, signIn } from '../testing/factories.ts';

const open = openOnce();
let owner: OpenDatabase;
let pools: Record<'requests' | 'searches' | 'signIns', Database>;
let app: FastifyInstance;
let stan: Caller;
let release: (() => Promise<void>)[] = [];

const pool = (purpose: string) =>
  serverDatabase({ url: owner.url, purpose, connections: 2, connectTimeout: 3000 });

beforeEach(async () => {
  owner = await open();
  await buildUsers(owner);
  pools = { requests: pool('requests'), searches: pool('searches'), signIns: pool('sign-ins') };
  app = await openApp({ database: pools.requests, pools });
  const token = await signIn(app, 'Stan');
  stan = new Caller(
    () => app,
    () => token,
  );
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

const isSignedIn = async () => (await signIn(app, 'Stan')) !== 'undefined';

test('signs people in and serves other requests while searches use all their connections', async () => {
  await occupy(pools.searches);
  const search = stan.post('/linux/almalinux/search', { keyword: 'kernel' });
  expect(await search.outcome).toBe('503 busy');
  const words = 'All 2 connections to the database for searches are in use. Try again in a moment.';
  expect(await search.refusal).toEqual([503, words]);
  expect(await isSignedIn()).toBe(true);
  expect(await stan.get('/me').status).toBe(200);
  expect(await stan.get('/views').status).toBe(200);
});

test('signs people in while everything else uses all its connections', async () => {
  await occupy(pools.requests);
  await occupy(pools.searches);
  expect(await stan.get('/views').status).toBe(503);
  expect(await isSignedIn()).toBe(true);
  expect(await stan.get('/me').status).toBe(200);
});

import { expect, test } from 'vitest';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import type { Database } from '../database/database.ts';
import { healthRoutes, type ServicePhase } from './health-routes.ts';

const answers = {
  query: () => Promise.resolve({ rows: [], count: 0 }),
} as unknown as Database;
const fails = {
  query: () => Promise.reject(new Error('away')),
} as unknown as Database;
const hangs = {
  query: () => new Promise(() => undefined),
} as unknown as Database;

async function statuses(database: Database, phase: ServicePhase) {
  const app = await appWithRoutes((answer) =>
    healthRoutes(answer, { database, config: { databaseUrl: null }, phase: () => phase }),
  );
  const [health, ready, live] = await Promise.all(
    ['/health', '/health/ready', '/health/live'].map((path) => ask(app, 'GET', path)),
  );
  await app.close();
  return { health, ready, live };
}

const notReadyReply = (reason: string) => ({
  status: 503,
  body: { code: 'not_ready', userMessage: `${reason} Try again in a moment.` },
});

test('returns 200 when the service is ready', async () => {
  expect(await statuses(answers, 'ready')).toMatchObject({
    health: { status: 200, body: { status: 'ready', database: 'embedded' } },
    ready: { status: 200, body: { status: 'ready', database: 'embedded' } },
    live: { status: 200, body: { status: 'live', version: expect.any(String) } },
  });
});

test.each([
  [answers, 'starting', 'The service is starting.'],
  [answers, 'stopping', 'The service is stopping.'],
  [fails, 'ready', 'The database is not responding.'],
  [hangs, 'ready', 'The database is not responding.'],
] as const)(
  'returns 503 when it is not ready, but 200 for liveness (%#)',
  async (database, phase, reason) => {
    expect(await statuses(database, phase)).toMatchObject({
      health: notReadyReply(reason),
      ready: notReadyReply(reason),
      live: { status: 200 },
    });
  },
);

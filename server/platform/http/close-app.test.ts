import { once } from 'node:events';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { closeApp } from './close-app.ts';

const log = { warn: () => undefined };

/** Starts a request whose handler waits for `go`. */
async function running() {
  const app = fastify();
  const began = new EventTarget();
  const release = new EventTarget();
  app.get('/slow', async () => {
    const going = once(release, 'go');
    began.dispatchEvent(new Event('begun'));
    await going;
    return 'answered';
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const begun = once(began, 'begun');
  const asked = fetch(`${url}/slow`).then(
    (reply) => reply.text(),
    () => 'cut off',
  );
  await begun;
  return { app, url, asked, go: () => release.dispatchEvent(new Event('go')) };
}

test('completes a running request and refuses a new one', async () => {
  const { app, url, asked, go } = await running();
  const closed = closeApp(app, log);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(fetch(`${url}/slow`)).rejects.toThrow('fetch failed');
  go();
  expect(await asked).toBe('answered');
  const before = performance.now();
  await closed;
  // It does not wait until the idle connection of the completed request times out.
  expect(performance.now() - before).toBeLessThan(2_000);
});

test('aborts a request that does not end in time', async () => {
  const { app, asked } = await running();
  const before = performance.now();
  await closeApp(app, log, 200);
  expect(await asked).toBe('cut off');
  expect(performance.now() - before).toBeLessThan(5_000);
});

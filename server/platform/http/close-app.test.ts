import { once } from 'node:events';
import { fastify } from 'fastify';
import { beforeEach, expect, test, vi } from 'vitest';
import { closeApp } from './listen.ts';

const log = { warn: vi.fn() };
beforeEach(() => log.warn.mockClear());

/** Starts a request whose handler waits for `go`. */
async function startRequest() {
  const app = fastify();
  const began = new EventTarget();
  const release = new EventTarget();
  app.get('/slow', async () => {
    const released = once(release, 'go');
    began.dispatchEvent(new Event('begun'));
    await released;
    return 'answered';
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const begun = once(began, 'begun');
  const answer = fetch(`${url}/slow`).then(
    (reply) => reply.text(),
    () => 'cut off',
  );
  await begun;
  return { app, url, answer, go: () => release.dispatchEvent(new Event('go')) };
}

test('completes a running request and refuses a new one', async () => {
  const { app, url, answer, go } = await startRequest();
  const closed = closeApp(app, log);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await expect(fetch(`${url}/slow`)).rejects.toThrow('fetch failed');
  go();
  expect(await answer).toBe('answered');
  await closed;
  // It does not wait until the idle connection of the completed request times out.
  expect(log.warn).not.toHaveBeenCalled();
});

test('aborts a request that does not end in time', async () => {
  const { app, answer } = await startRequest();
  await closeApp(app, log, 200);
  expect(await answer).toBe('cut off');
  expect(log.warn).toHaveBeenCalledOnce();
});

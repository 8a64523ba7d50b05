/** Stops listening, waits for running requests, and aborts those that do not end in time. */
import { setTimeout as after } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../logging/logging.ts';

export async function closeApp(
  app: FastifyInstance,
  log: Pick<Log, 'warn'>,
  timeoutMs = 10_000,
): Promise<void> {
  const timer = new AbortController();
  // Browsers leave connections open after the last reply.
  const closingIdle = setInterval(() => app.server.closeIdleConnections(), 50);
  const closed = app.close().finally(() => {
    clearInterval(closingIdle);
    timer.abort();
  });
  const isLate = after(timeoutMs, true, { signal: timer.signal }).catch(() => false);
  if (await isLate) {
    log.warn('requests did not end in time and are aborted');
    app.server.closeAllConnections();
  }
  await closed;
}

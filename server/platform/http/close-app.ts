/** Stops listening, lets the requests that run end, and cuts off those that do not in time. */
import { setTimeout as after } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../logging/logging.ts';

export async function closeApp(
  app: FastifyInstance,
  log: Pick<Log, 'warn'>,
  patience = 10_000,
): Promise<void> {
  const given = new AbortController();
  // A browser keeps its connection open after its last answer; nothing more will come over it.
  const sweeping = setInterval(() => app.server.closeIdleConnections(), 50);
  const closed = app.close().finally(() => {
    clearInterval(sweeping);
    given.abort();
  });
  const late = after(patience, true, { signal: given.signal }).catch(() => false);
  if (await late) {
    log.warn('requests that did not end in time are cut off');
    app.server.closeAllConnections();
  }
  await closed;
}

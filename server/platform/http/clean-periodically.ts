/** Removes expired rows every ten minutes, until the app closes. */
import type { FastifyInstance } from 'fastify';
import type { Log } from '../logging/logging.ts';

export const cleaningIntervalMs = 10 * 60_000;

/** Logs a failing removal, which runs again after the next interval. */
export function cleanPeriodically(
  app: FastifyInstance,
  log: Pick<Log, 'warn'>,
  removals: readonly (() => Promise<unknown>)[],
): void {
  const timer = setInterval(() => {
    for (const remove of removals)
      remove().catch((error: unknown) =>
        log.warn({ err: error }, 'expired rows could not be removed'),
      );
  }, cleaningIntervalMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

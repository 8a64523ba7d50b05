/** Closes the connection when a caller stalls a reply in memory for two minutes. A file waits on disk and has no limit. */
import type { FastifyInstance } from 'fastify';

export function limitSending(app: FastifyInstance, timeoutMs = 120_000): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    // Any progress, however slow, restarts the timeout.
    if (typeof payload === 'string' || Buffer.isBuffer(payload))
      reply.raw.setTimeout(timeoutMs, () => reply.raw.destroy());
    return payload;
  });
}

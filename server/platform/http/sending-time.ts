/** How long a caller may stall the sending of a reply that is held in memory: two minutes, then the connection is closed. A file waits on disk, and may wait. */
import type { FastifyInstance } from 'fastify';

export function limitSending(app: FastifyInstance, patience = 120_000): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    // Any progress, however slow, restarts the timeout.
    if (typeof payload === 'string' || Buffer.isBuffer(payload))
      reply.raw.setTimeout(patience, () => reply.raw.destroy());
    return payload;
  });
}

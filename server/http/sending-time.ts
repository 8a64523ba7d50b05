/** How long a caller may take nothing of a reply that is held in memory: two minutes, then it is cut off. A file waits on the disk, and may wait. */
import type { FastifyInstance } from 'fastify';

export function limitSending(app: FastifyInstance, patience = 120_000): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    // Whoever takes some of it, however slowly, has as long again.
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) reply.raw.setTimeout(patience, () => reply.raw.destroy());
    return payload;
  });
}

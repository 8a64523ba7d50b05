/** Limits the times of receiving a body and of sending a reply. */
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body is a file, passed on as a stream. */
    readonly receivesFile?: boolean;
    /** True if the body may be plain text in any encoding. */
    readonly receivesText?: boolean;
  }
}

/** Limits the time of receiving a body to half a minute. A file or a long text may take longer while data arrives. */
export function limitReceiving(app: FastifyInstance, timeoutMs = 30_000): void {
  app.server.headersTimeout = timeoutMs;
  app.addHook('onRequest', async ({ raw, routeOptions }, reply) => {
    if (
      raw.headers['transfer-encoding'] === undefined &&
      Number(raw.headers['content-length'] ?? 0) === 0
    )
      return;
    let seen = raw.socket.bytesRead;
    const timer = setInterval(() => {
      const { receivesFile, receivesText, receivesGzip } = routeOptions.config;
      const isLong = receivesFile === true || receivesText === true || receivesGzip === true;
      // Data after the reply is dropped and gets no further time.
      if (isLong && !reply.sent && raw.socket.bytesRead !== seen) seen = raw.socket.bytesRead;
      else raw.destroy();
    }, timeoutMs).unref();
    const stopTimer = () => clearInterval(timer);
    raw.once('end', stopTimer).once('close', stopTimer);
  });
}

/** Closes the connection when a caller stalls a reply in memory for two minutes. A file waits on disk and has no limit. */
export function limitSending(app: FastifyInstance, timeoutMs = 120_000): void {
  app.addHook('onSend', async (_request, reply, payload) => {
    // Any progress, however slow, restarts the timeout.
    if (typeof payload === 'string' || Buffer.isBuffer(payload))
      reply.raw.setTimeout(timeoutMs, () => reply.raw.destroy());
    return payload;
  });
}

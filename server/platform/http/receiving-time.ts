/** How long a request's body may take to come in: half a minute in all; a file or a long text may take any time, as long as it comes. Who is slower is cut off. */
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, handed on as it comes. */
    readonly receivesFile?: boolean;
    /** The body may be plain text, in any encoding. */
    readonly receivesText?: boolean;
  }
}

export function limitReceiving(app: FastifyInstance, patience = 30_000): void {
  app.server.headersTimeout = patience;
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
      // What comes after the reply is dropped: it may take no longer.
      if (isLong && !reply.sent && raw.socket.bytesRead !== seen) seen = raw.socket.bytesRead;
      else raw.destroy();
    }, patience).unref();
    const over = () => clearInterval(timer);
    raw.once('end', over).once('close', over);
  });
}

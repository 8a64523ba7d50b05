/** JSON is a tenth of its size when compressed. Not for clients on this machine: there the bytes are cheaper than the work. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const compress = promisify(gzip);

/** About one network packet: less is not sent any faster. */
const worthwhile = 1_400;

export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!(typeof payload === 'string' || Buffer.isBuffer(payload)) || payload.length < worthwhile)
      return payload;
    if (
      !String(reply.getHeader('content-type')).startsWith('application/json') ||
      reply.hasHeader('content-encoding')
    )
      return payload;
    reply.header('vary', 'accept-encoding');
    if (
      isThisMachine(request.ip) ||
      !/\bgzip\b(?!;\s*q=0(\.0+)?\s*(,|$))/.test(request.headers['accept-encoding'] ?? '')
    )
      return payload;
    reply.header('content-encoding', 'gzip');
    return compress(payload, { level: 1 });
  });
}

const isThisMachine = (ip: string) => /^(::ffff:)?127\.|^::1$/.test(ip);

/** Compresses replies, and decompresses bodies. */

import { Transform } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGunzip, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';

type Coding = 'zstd' | 'gzip';

const gzipBytes = promisify(gzip);
const zstdBytes = promisify(zstdCompress);

/** Zstandard takes half the time and saves a further fifth; browsers accept it only over https. */
const compress: Readonly<Record<Coding, (payload: string | Buffer) => Promise<Buffer>>> = {
  zstd: (payload) => zstdBytes(payload, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  gzip: (payload) => gzipBytes(payload, { level: 1 }),
};

/** Minimum size in bytes, about one network packet: smaller replies are not sent faster. */
const minBytes = 1_400;

/** Compresses JSON replies to a tenth of their size, except to clients on this machine, where sending costs less than compressing. */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (!(typeof payload === 'string' || Buffer.isBuffer(payload)) || payload.length < minBytes)
      return payload;
    if (
      !String(reply.getHeader('content-type')).startsWith('application/json') ||
      reply.hasHeader('content-encoding')
    )
      return payload;
    reply.header('vary', 'accept-encoding');
    const coding = isThisMachine(request.ip)
      ? null
      : chooseCoding(request.headers['accept-encoding'] ?? '');
    if (coding === null) return payload;
    reply.header('content-encoding', coding);
    return compress[coding](payload);
  });
}

/** Returns the coding that the client prefers (RFC 9110, section 12.5.3), Zstandard if it accepts both alike; null for neither. */
function chooseCoding(accepted: string): Coding | null {
  const weights = new Map(
    accepted.split(',').map((element) => {
      const [name = '', ...parameters] = element
        .split(';')
        .map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.split('=')[1];
      return [name, weight === undefined ? 1 : Number(weight)] as const;
    }),
  );
  const getWeight = (coding: Coding) => weights.get(coding) ?? 0;
  const best = getWeight('gzip') > getWeight('zstd') ? 'gzip' : 'zstd';
  return getWeight(best) > 0 ? best : null;
}

const isThisMachine = (ip: string) => /^(::ffff:)?127\.|^::1$/.test(ip);

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body may be compressed. */
    readonly receivesGzip?: boolean;
  }
}

/** Decompresses bodies with Content-Encoding: gzip on routes that accept them, up to the limit of the route. */
export function readCompressedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ headers, routeOptions }, _reply, payload) => {
    const encoding = headers['content-encoding']?.trim().toLowerCase();
    if (encoding === undefined || encoding === 'identity') return payload;
    const { config, bodyLimit } = routeOptions;
    if (encoding !== 'gzip' || config.receivesGzip !== true)
      throw new AppError(
        'wrong_content_encoding',
        config.receivesGzip === true
          ? 'The body may be compressed with gzip, or not at all.'
          : 'The body of this call must not be compressed.',
      );
    const plain = Object.assign(limitBytes(bodyLimit), { receivedEncodedLength: 0 });
    const gunzip = createGunzip();
    // The server compares Content-Length with the length of the compressed body.
    payload.on('data', (chunk: Buffer) => {
      plain.receivedEncodedLength += chunk.length;
    });
    payload.once('error', (error) => plain.destroy(error));
    gunzip.once('error', () =>
      plain.destroy(new AppError('wrong_content_encoding', 'The body is not valid gzip.')),
    );
    plain.once('close', () => {
      payload.unpipe(gunzip).resume();
      gunzip.destroy();
    });
    payload.pipe(gunzip).pipe(plain);
    return plain;
  });
}

/** Stops at the limit: a small body may decompress to gigabytes. */
function limitBytes(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= maxBytes) done(null, chunk);
      else
        done(
          new AppError(
            'too_large',
            `The body may have at most ${Math.floor(maxBytes / 1024 / 1024)} MB when it is decompressed.`,
          ),
        );
    },
  });
}

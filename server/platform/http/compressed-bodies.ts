/** Decompresses bodies with Content-Encoding: gzip on routes that accept them, up to the route's limit. */
import { Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the body may be compressed. */
    readonly receivesGzip?: boolean;
  }
}

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

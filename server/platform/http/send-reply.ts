/** Sends the reply of a handler: JSON, a file, an image, a redirect or a 304. */
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CachedImage, FileStream, JsonText, Redirect, Unchanged } from './route.ts';

/** @param check - The endpoint whose schema JSON must match; null: no check. */
export function sendReply(reply: FastifyReply, result: unknown, check: Endpoint | null) {
  if (result instanceof Redirect)
    return reply.headers(result.headers).redirect(result.location, 302);
  if (result instanceof FileStream) {
    reply
      .header('content-disposition', `attachment; filename="${result.name}"`)
      .header('cache-control', 'no-store');
    if (result.tag !== null) setTag(reply, result.tag);
    if (result.publicSeconds > 0)
      reply.header('cache-control', `public, max-age=${result.publicSeconds}`);
    if (result.bytes !== null) reply.header('content-length', result.bytes);
    result.body.once('error', (error) => {
      // Fastify closes the connection, so that nobody takes the part for the file. A disconnect by the caller is not logged.
      if (!reply.raw.destroyed)
        reply.log.error({ requestId: reply.request.id, err: error }, 'file not sent completely');
    });
    return reply.type(result.type).send(result.body);
  }
  if (result instanceof CachedImage) return sendCached(reply, result);
  if (result instanceof Unchanged) return setTag(reply, result.tag).status(304).send();
  reply.type('application/json; charset=utf-8');
  if (result instanceof JsonText && result.tag !== null) setTag(reply, result.tag);
  if (result instanceof JsonText)
    return reply.send(typeof result.text === 'string' ? result.text : toBuffer(result.text));
  if (check !== null) {
    const checked = check.reply.safeParse(result);
    if (!checked.success)
      throw new Error(`The reply of ${check.name} does not match the contract`, {
        cause: checked.error,
      });
  }
  return reply.send(JSON.stringify(result));
}

function sendCached(reply: FastifyReply, { name, bytes }: CachedImage) {
  reply.headers({ etag: `"${name}"`, 'cache-control': 'public, max-age=31536000, immutable' });
  if (knowsTag(reply.request, name)) return reply.status(304).send();
  return reply.type('image/png').send(toBuffer(bytes));
}

/** Sets a weak ETag, which covers the content whether compressed or not. */
function setTag(reply: FastifyReply, tag: string) {
  return reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
}

/** Wraps the same bytes without copying. */
const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

/**
 * Returns true if the caller already has the reply.
 * @param tag - The ETag of the reply, without quotes.
 */
export function knowsTag({ headers }: FastifyRequest, tag: string): boolean {
  return (headers['if-none-match'] ?? '')
    .split(/, */)
    .some((each) => each === '*' || each.replace(/^W\//, '') === `"${tag}"`);
}

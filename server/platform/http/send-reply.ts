/** Sends the reply of a handler: JSON, a file, an image, a redirect or a 304. */
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { knowsTag } from './if-none-match.ts';
import { CachedImage, FileStream, JsonText, Redirect, Unchanged } from './route.ts';

/** @param check - The endpoint whose schema JSON must match; null: no check. */
export function sendReply(reply: FastifyReply, answered: unknown, check: Endpoint | null) {
  if (answered instanceof Redirect)
    return reply.headers(answered.headers).redirect(answered.location, 302);
  if (answered instanceof FileStream) {
    reply
      .header('content-disposition', `attachment; filename="${answered.name}"`)
      .header('cache-control', 'no-store');
    if (answered.tag !== null) tagged(reply, answered.tag);
    if (answered.bytes !== null) reply.header('content-length', answered.bytes);
    answered.body.once('error', (error) => {
      // Fastify closes the connection, so that nobody takes the part for the file. A disconnect by the caller is not logged.
      if (!reply.raw.destroyed)
        reply.log.error({ requestId: reply.request.id, err: error }, 'file not sent completely');
    });
    return reply.type(answered.type).send(answered.body);
  }
  if (answered instanceof CachedImage) return sendKept(reply, answered);
  if (answered instanceof Unchanged) return tagged(reply, answered.tag).status(304).send();
  reply.type('application/json; charset=utf-8');
  if (answered instanceof JsonText && answered.tag !== null) tagged(reply, answered.tag);
  if (answered instanceof JsonText)
    return reply.send(typeof answered.text === 'string' ? answered.text : bufferOf(answered.text));
  if (check !== null) {
    const checked = check.reply.safeParse(answered);
    if (!checked.success)
      throw new Error(`The reply of ${check.name} does not match the contract`, {
        cause: checked.error,
      });
  }
  return reply.send(JSON.stringify(answered));
}

function sendKept(reply: FastifyReply, { name, bytes }: CachedImage) {
  reply.headers({ etag: `"${name}"`, 'cache-control': 'public, max-age=31536000, immutable' });
  if (knowsTag(reply.request, name)) return reply.status(304).send();
  return reply.type('image/png').send(bufferOf(bytes));
}

/** Sets a weak ETag, which covers the content whether compressed or not. */
function tagged(reply: FastifyReply, tag: string) {
  return reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
}

/** Wraps the same bytes without copying. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

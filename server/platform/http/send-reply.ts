/** Sends what a handler returned: JSON, a file, an image, a redirect, or that nothing has changed. */
import type { Endpoint } from '@patch/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { knowsTag } from './if-none-match.ts';
import { CachedImage, FileStream, JsonText, Redirect, Unchanged } from './route.ts';

/** @param check the endpoint whose schema JSON must match; null: it is not checked. */
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
      // Fastify closes the connection, so that nobody takes a part for the file; a caller who has left needs no line.
      if (!reply.raw.destroyed)
        reply.log.error({ requestId: reply.request.id, err: error }, 'file not sent to its end');
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

/** The ETag covers the reply's content, compressed or not. */
function tagged(reply: FastifyReply, tag: string) {
  return reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'private, no-cache' });
}

/** The same bytes, not a copy. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength);

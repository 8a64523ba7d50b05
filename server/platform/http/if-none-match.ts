/** Reads the header If-None-Match. */
import type { FastifyRequest } from 'fastify';

/**
 * Returns true if the caller already has the reply.
 * @param tag - The ETag of the reply, without quotes.
 */
export function knowsTag({ headers }: FastifyRequest, tag: string): boolean {
  return (headers['if-none-match'] ?? '')
    .split(/, */)
    .some((each) => each === '*' || each.replace(/^W\//, '') === `"${tag}"`);
}

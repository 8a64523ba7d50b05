/** Whether a caller already has a reply, by the header If-None-Match. */
import type { FastifyRequest } from 'fastify';

/** @param tag the ETag of the reply, without quotes. */
export function knowsTag({ headers }: FastifyRequest, tag: string): boolean {
  return (headers['if-none-match'] ?? '')
    .split(/, */)
    .some((each) => each === '*' || each.replace(/^W\//, '') === `"${tag}"`);
}

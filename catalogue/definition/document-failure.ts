/** Why a vendor's document cannot be read, as data. */
import { z } from 'zod';
import { codedMessage } from './coded-message.ts';

const address = z.string();
const duration = z.number();

export const FetchProblem = z.discriminatedUnion('code', [
  codedMessage('status', { status: z.number().int() }),
  codedMessage('unresolved', {}),
  codedMessage('untrusted', { reason: z.string() }),
  codedMessage('unreachable', { reason: z.string() }),
  codedMessage('silent', { milliseconds: duration }),
  codedMessage('slow', { milliseconds: duration }),
  codedMessage('truncated', { received: z.number(), announced: z.number().nullable() }),
  codedMessage('unasked_not_modified', {}),
  codedMessage('unreadable', { problem: z.string() }),
  codedMessage('oversized', { limit: z.number() }),
  codedMessage('checksum', { algorithm: z.string(), received: z.string(), expected: z.string() }),
  codedMessage('too_many_redirects', { redirects: z.number().int() }),
  codedMessage('redirect_without_address', { target: z.string() }),
  codedMessage('redirect_not_encrypted', { target: z.string() }),
  codedMessage('redirect_to_other_host', { target: z.string(), hosts: z.string() }),
  codedMessage('not_http', {}),
  codedMessage('not_in_mirror', {}),
  codedMessage('no_longer_published', {}),
]);
export type FetchProblem = z.infer<typeof FetchProblem>;

export const DocumentFailure = z.discriminatedUnion('code', [
  codedMessage('not_fetched', {
    url: address,
    problem: FetchProblem,
    attempts: z.number().int(),
    milliseconds: duration,
  }),
  codedMessage('not_published', { url: address }),
  codedMessage('unreadable', { url: address, problem: z.string() }),
]);
export type DocumentFailure = z.infer<typeof DocumentFailure>;

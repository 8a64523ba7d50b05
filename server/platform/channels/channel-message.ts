/** Writes an event as the request that a channel's receiver takes. */

import { createHmac, randomBytes } from 'node:crypto';
import type { ChannelKind } from '@patch/contract/operations/channel-endpoints.ts';
import type { CatalogueEvent } from '@patch/contract/operations/event-endpoints.ts';
import {
  gotifyMessage,
  ntfyMessage,
  slackErrors,
  slackMessage,
  teamsErrors,
  teamsMessage,
} from './chat-messages.ts';
import type { PostedMessage } from './guarded-post.ts';

export interface ChannelAccess {
  readonly kind: ChannelKind;
  readonly address: URL;
  /** The secrets that sign, or the token of the receiver. */
  readonly secrets: readonly string[];
}

export function channelMessage(
  { kind, address, secrets }: ChannelAccess,
  event: CatalogueEvent,
  now: number,
): PostedMessage {
  const headers = { 'content-type': 'application/json' };
  const [token] = secrets;
  switch (kind) {
    case 'webhook': {
      const body = JSON.stringify(event);
      const signed = signatureHeaders({ id: event.id, body, now }, secrets);
      return { url: address, headers: { ...headers, ...signed }, body };
    }
    case 'teams':
      return { url: address, headers, body: teamsMessage(event), knownErrors: teamsErrors };
    case 'slack':
      return { url: address, headers, body: slackMessage(event), knownErrors: slackErrors };
    case 'ntfy': {
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return {
        url: new URL('/', address),
        headers: { ...headers, ...authorization },
        body: ntfyMessage(event, toTopic(address)),
      };
    }
    case 'gotify':
      return {
        url: new URL(`${address.pathname.replace(/\/+$/, '')}/message`, address),
        headers: { ...headers, ...(token !== undefined && { 'x-gotify-key': token }) },
        body: gotifyMessage(event),
      };
  }
}

const toTopic = ({ pathname }: URL) => pathname.replaceAll('/', '');

/** Returns why a receiver of the kind cannot have the address; null when it can. */
export function findAddressProblem(kind: ChannelKind, address: URL): string | null {
  if (kind === 'ntfy' && !/^\/[-\w]{1,64}\/?$/.test(address.pathname))
    return 'The address of ntfy is that of a topic: https://ntfy.example.org/topic.';
  return null;
}

/** Returns the address without what lets anybody post there. */
export function redactAddress({ kind, address }: Pick<ChannelAccess, 'kind' | 'address'>): string {
  const isSecret = kind !== 'gotify' && `${address.pathname}${address.search}` !== '/';
  return isSecret ? `${address.origin}/…` : `${address.origin}${address.pathname}`;
}

const prefix = 'whsec_';

export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/**
 * Returns the headers of a delivery as https://www.standardwebhooks.com 1.0 says, with a signature for each secret.
 * @param id - Stays the same over retries.
 * @param now - Epoch milliseconds.
 */
function signatureHeaders(
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}

/** Signs deliveries as https://www.standardwebhooks.com 1.0 says. */
import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/**
 * Returns the headers of a delivery, with a signature for each secret.
 * @param id - Stays the same over retries.
 * @param now - Epoch milliseconds.
 */
export function signatureHeaders(
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

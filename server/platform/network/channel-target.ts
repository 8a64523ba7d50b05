/** The form of the targets in CHANNEL_TARGETS. */
import { isIP } from 'node:net';

/** A network: address and prefix. */
export const cidr = /^([\d.]+|[\da-f:.]+)\/(\d{1,3})$/i;

/** Returns true for a host, `host:port`, or a network such as 10.0.0.0/8. */
export function isChannelTarget(target: string): boolean {
  const [, network = '', prefix = ''] = cidr.exec(target) ?? [];
  const family = isIP(network);
  if (family !== 0) return Number(prefix) <= (family === 4 ? 32 : 128);
  return isIP(target) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?(:\d{1,5})?$/i.test(target);
}

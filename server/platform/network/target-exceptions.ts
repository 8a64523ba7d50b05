/** The targets in MAIL_TARGETS and CHANNEL_TARGETS, which administrators except from the guarded addresses. */
import { isIP } from 'node:net';
import { contains, type Network, toNetwork } from './local-address.ts';

/** A network: address and prefix. */
const cidr = /^([\d.]+|[\da-f:.]+)\/(\d{1,3})$/i;

/** Returns true for a host, `host:port`, or a network such as 10.0.0.0/8. */
export function isChannelTarget(target: string): boolean {
  const [, network = '', prefix = ''] = cidr.exec(target) ?? [];
  const family = isIP(network);
  if (family !== 0) return Number(prefix) <= (family === 4 ? 32 : 128);
  return isIP(target) !== 0 || /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?(:\d{1,5})?$/i.test(target);
}

export class TargetExceptions {
  readonly #networks: readonly Network[];
  readonly #hosts: readonly string[];

  constructor(targets: readonly string[]) {
    this.#networks = targets.filter((target) => cidr.test(target)).map(toNetwork);
    this.#hosts = targets.filter((target) => !cidr.test(target)).map((host) => host.toLowerCase());
  }

  hasHost(host: string, port: number | string): boolean {
    const name = host.toLowerCase();
    return this.#hosts.some((target) => target === name || target === `${name}:${port}`);
  }

  /** Returns true for an address in one of the networks. */
  hasAddress(address: string): boolean {
    return this.#networks.some((network) => contains(network, address));
  }
}

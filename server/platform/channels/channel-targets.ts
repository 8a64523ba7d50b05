/** Restricts the addresses of channels: a delivery must not reach this machine or its network unless CHANNEL_TARGETS allows it. */
import { isIP } from 'node:net';
import { findSpecialBlock, isLocalAddress } from '../network/local-address.ts';
import { TargetExceptions } from '../network/target-exceptions.ts';

export class ChannelTargets {
  readonly #exceptions: TargetExceptions;

  /** @param exceptions - CHANNEL_TARGETS. */
  constructor(exceptions: readonly string[]) {
    this.#exceptions = new TargetExceptions(exceptions);
  }

  /** Returns why a channel may not have the address, without resolving its name; null when it may. */
  checkUrl(url: URL): string | null {
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      return 'The address must begin with https://.';
    if (url.username !== '' || url.password !== '')
      return 'The address must not contain a user name or a password.';
    const host = toHost(url);
    if (isIP(host) !== 0) {
      const problem = this.checkAddress(url, host);
      if (problem !== null) return problem;
    }
    const isAllowed = this.#isException(url, host);
    return url.protocol === 'http:' && !isAllowed
      ? `The address must begin with https://. ${this.#advice(url)} allows http there.`
      : null;
  }

  /** @param address - A resolved address of the host. */
  checkAddress(url: URL, address: string): string | null {
    if (this.#isException(url, address)) return null;
    if (isLocalAddress(address))
      return `${address} is an address of this machine or its own link. ${this.#advice(url)} allows it.`;
    const block = findSpecialBlock(address);
    if (block !== null)
      return `${address} is an address of a private network or of no network of the Internet: ${block.block}, ${block.name}. ${this.#advice(url)}, or the network such as 10.0.0.0/8, allows it.`;
    return null;
  }

  #isException(url: URL, address: string): boolean {
    return (
      this.#exceptions.hasHost(toHost(url), toPort(url)) || this.#exceptions.hasAddress(address)
    );
  }

  #advice = (url: URL) =>
    `CHANNEL_TARGETS=${toHost(url)}:${toPort(url)} in the environment of the service`;
}

/** Returns the host without the brackets of an IPv6 address. */
export const toHost = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').toLowerCase();

const toPort = ({ port, protocol }: URL): string =>
  port === '' ? (protocol === 'https:' ? '443' : '80') : port;

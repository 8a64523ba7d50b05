/** Recognizes addresses of this machine, of its link, and others that are not of the Internet. */
import { BlockList, isIP } from 'node:net';
import { type AddressBlock, specialBlocks } from './special-addresses.ts';

export interface Network {
  readonly family: 4 | 6;
  readonly prefix: number;
  readonly list: BlockList;
}

/** @param block - Such as 10.0.0.0/8. */
export function toNetwork(block: string): Network {
  const [address = '', bits] = block.split('/');
  const family = isIP(address) === 4 ? 4 : 6;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return { family, prefix: Number(bits), list };
}

/**
 * Returns false for text that is not an address. `BlockList` takes an IPv4 address for the IPv6 address that maps it: a network of
 * IPv4 contains mapped addresses too, but a network of IPv6 contains no IPv4 address.
 */
export function contains({ family, list }: Network, address: string): boolean {
  const plain = withoutZone(address);
  const own = isIP(plain);
  if (own === 0 || own < family) return false;
  return list.check(plain, own === 4 ? 'ipv4' : 'ipv6');
}

/** The narrowest first: it says most about an address. */
const blocks = specialBlocks
  .map((entry) => ({ ...entry, network: toNetwork(entry.block) }))
  .toSorted((a, b) => b.network.prefix - a.network.prefix);

/** Returns the block that contains the address; null for an address of the Internet, and for text that is not an address. */
export function findSpecialBlock(address: string): AddressBlock | null {
  const found = blocks.filter(({ network }) => contains(network, address));
  return found.find(({ reach }) => reach === 'machine') ?? found[0] ?? null;
}

/** Returns true for addresses of this machine or its own link, for multicast, and for text that is not an address. */
export const isLocalAddress = (address: string): boolean =>
  isIP(withoutZone(address)) === 0 || findSpecialBlock(address)?.reach === 'machine';

const withoutZone = (address: string): string => address.replace(/%.*$/, '');

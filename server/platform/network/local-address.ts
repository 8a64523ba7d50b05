/** Recognizes addresses of this machine, of its link, and of private networks. */
import { BlockList, isIP } from 'node:net';

type Range = readonly [network: string, prefix: number, family: 'ipv4' | 'ipv6'];

const localRanges: readonly Range[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['240.0.0.0', 4, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

/** Networks that are not of the Internet, and addresses that contain an IPv4 address for a gateway. */
const privateRanges: readonly Range[] = [
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2002::', 16, 'ipv6'],
];

const toList = (ranges: readonly Range[]): BlockList => {
  const list = new BlockList();
  for (const [network, prefix, family] of ranges) list.addSubnet(network, prefix, family);
  return list;
};

const local = toList(localRanges);
const privateOnes = toList(privateRanges);

/** Returns true for addresses of this machine or its own link, for multicast, and for text that is not an address. */
export const isLocalAddress = (address: string): boolean => contains(local, address, true);

export const isPrivateAddress = (address: string): boolean => contains(privateOnes, address, true);

/** @param otherwise - The result for text that is not an address. */
export function contains(list: BlockList, address: string, otherwise: boolean): boolean {
  const plain = address.replace(/%.*$/, '');
  const family = isIP(plain);
  return family === 0 ? otherwise : list.check(plain, family === 4 ? 'ipv4' : 'ipv6');
}

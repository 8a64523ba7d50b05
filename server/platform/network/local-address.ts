/**
 * Recognizes addresses of this machine, of its link, and others that are not of the Internet, or that lead elsewhere.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
import { BlockList, isIP } from 'node:net';

interface AddressBlock {
  readonly block: string;
  /** As the registry names it. */
  readonly name: string;
  /** `machine`: this machine, its own link, or many machines at once. */
  readonly reach: 'machine' | 'elsewhere';
}

type Entry = readonly [block: string, name: string];

const ofMachine = (entries: readonly Entry[]): readonly AddressBlock[] =>
  entries.map(([block, name]) => ({ block, name, reach: 'machine' }));
const elsewhere = (entries: readonly Entry[]): readonly AddressBlock[] =>
  entries.map(([block, name]) => ({ block, name, reach: 'elsewhere' }));

const specialBlocks: readonly AddressBlock[] = [
  ...ofMachine([
    ['0.0.0.0/8', 'This network'],
    ['127.0.0.0/8', 'Loopback'],
    ['169.254.0.0/16', 'Link Local'],
    ['240.0.0.0/4', 'Reserved'],
    ['255.255.255.255/32', 'Limited Broadcast'],
    ['::1/128', 'Loopback Address'],
    ['::/128', 'Unspecified Address'],
    ['fe80::/10', 'Link-Local Unicast'],
    // Of RFC 5771, RFC 4291, RFC 2765 and Azure.
    ['224.0.0.0/4', 'Multicast'],
    ['ff00::/8', 'Multicast'],
    ['::/96', 'IPv4-Compatible Address'],
    ['::ffff:0:0:0/96', 'IPv4-translated Address'],
    ['168.63.129.16/32', 'Host of virtual machines in Azure'],
  ]),
  ...elsewhere([
    ['10.0.0.0/8', 'Private-Use'],
    ['100.64.0.0/10', 'Shared Address Space'],
    ['172.16.0.0/12', 'Private-Use'],
    ['192.0.0.0/24', 'IETF Protocol Assignments'],
    ['192.0.0.0/29', 'IPv4 Service Continuity Prefix'],
    ['192.0.0.8/32', 'IPv4 dummy address'],
    ['192.0.0.9/32', 'Port Control Protocol Anycast'],
    ['192.0.0.10/32', 'Traversal Using Relays around NAT Anycast'],
    ['192.0.0.170/32', 'NAT64/DNS64 Discovery'],
    ['192.0.0.171/32', 'NAT64/DNS64 Discovery'],
    ['192.0.2.0/24', 'Documentation (TEST-NET-1)'],
    ['192.31.196.0/24', 'AS112-v4'],
    ['192.52.193.0/24', 'AMT'],
    ['192.88.99.0/24', 'Deprecated (6to4 Relay Anycast)'],
    ['192.88.99.2/32', '6a44-relay anycast address'],
    ['192.168.0.0/16', 'Private-Use'],
    ['192.175.48.0/24', 'Direct Delegation AS112 Service'],
    ['198.18.0.0/15', 'Benchmarking'],
    ['198.51.100.0/24', 'Documentation (TEST-NET-2)'],
    ['203.0.113.0/24', 'Documentation (TEST-NET-3)'],
    ['::ffff:0:0/96', 'IPv4-mapped Address'],
    ['64:ff9b::/96', 'IPv4-IPv6 Translat.'],
    ['64:ff9b:1::/48', 'IPv4-IPv6 Translat.'],
    ['100::/64', 'Discard-Only Address Block'],
    ['100:0:0:1::/64', 'Dummy IPv6 Prefix'],
    ['2001::/23', 'IETF Protocol Assignments'],
    ['2001::/32', 'TEREDO'],
    ['2001:1::1/128', 'Port Control Protocol Anycast'],
    ['2001:1::2/128', 'Traversal Using Relays around NAT Anycast'],
    ['2001:1::3/128', 'DNS-SD Service Registration Protocol Anycast'],
    ['2001:2::/48', 'Benchmarking'],
    ['2001:3::/32', 'AMT'],
    ['2001:4:112::/48', 'AS112-v6'],
    ['2001:10::/28', 'Deprecated (previously ORCHID)'],
    ['2001:20::/28', 'ORCHIDv2'],
    ['2001:30::/28', 'Drone Remote ID Protocol Entity Tags (DETs) Prefix'],
    ['2001:db8::/32', 'Documentation'],
    ['2002::/16', '6to4'],
    ['2620:4f:8000::/48', 'Direct Delegation AS112 Service'],
    ['3fff::/20', 'Documentation'],
    ['5f00::/16', 'Segment Routing (SRv6) SIDs'],
    ['fc00::/7', 'Unique-Local'],
    // Of RFC 3879.
    ['fec0::/10', 'Deprecated (Site-Local Unicast)'],
  ]),
];

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

import { expect, test } from 'vitest';
import { ChannelTargets } from '../channels/channel-targets.ts';
import { isLocalAddress } from './local-address.ts';

/**
 * First and last address of each entry, written out from the tables of the IANA registries of special-purpose addresses for IPv4
 * and IPv6, and then of multicast (RFC 5771, RFC 4291), IPv4-compatible (RFC 4291, 2.5.5.1), IPv4-translated (RFC 2765) and
 * site-local addresses (RFC 3879) and the host of Azure.
 */
const ipv4 = `
0.0.0.0 0.255.255.255
10.0.0.0 10.255.255.255
100.64.0.0 100.127.255.255
127.0.0.0 127.255.255.255
169.254.0.0 169.254.255.255
172.16.0.0 172.31.255.255
192.0.0.0 192.0.0.255
192.0.2.0 192.0.2.255
192.31.196.0 192.31.196.255
192.52.193.0 192.52.193.255
192.88.99.0 192.88.99.255
192.168.0.0 192.168.255.255
192.175.48.0 192.175.48.255
198.18.0.0 198.19.255.255
198.51.100.0 198.51.100.255
203.0.113.0 203.0.113.255
224.0.0.0 239.255.255.255
240.0.0.0 255.255.255.255
168.63.129.16 168.63.129.16`;
const ipv6 = `
:: ::ffff:ffff
::1 ::1
::ffff:0:0 ::ffff:ffff:ffff
::ffff:0:0:0 ::ffff:0:ffff:ffff
64:ff9b:: 64:ff9b::ffff:ffff
64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff
100:: 100::ffff:ffff:ffff:ffff
100:0:0:1:: 100::1:ffff:ffff:ffff:ffff
2001:: 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff
2001:db8:: 2001:db8:ffff:ffff:ffff:ffff:ffff:ffff
2002:: 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
2620:4f:8000:: 2620:4f:8000:ffff:ffff:ffff:ffff:ffff
3fff:: 3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff
5f00:: 5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff
fc00:: fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
fe80:: febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff
fec0:: feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff
ff00:: ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff`;

type Range = readonly [first: string, last: string];
const readRanges = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as unknown as Range);

/** Reads an IPv4 address as a number; only the test's own table is read. */
const toNumber = (address: string) =>
  address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
const toDotted = (value: bigint) =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
function toValue(address: string): bigint {
  const [head = '', tail] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const zeros = tail === undefined ? [] : Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...zeros, ...last].reduce(
    (sum, group) => sum * 65_536n + BigInt(`0x${group}`),
    0n,
  );
}
const toGroups = (value: bigint) =>
  Array.from({ length: 8 }, (_, n) => (value >> BigInt(112 - 16 * n)) & 0xffffn).map((group) =>
    group.toString(16),
  );

const none = new ChannelTargets([]);
const check = (address: string) => none.checkAddress(new URL('https://chat.example.org/'), address);

const families = [
  { ranges: readRanges(ipv4), bits: 32n, read: toNumber, write: toDotted },
  {
    ranges: readRanges(ipv6),
    bits: 128n,
    read: toValue,
    write: (value: bigint) => toGroups(value).join(':'),
  },
];

/** Addresses just outside of a block that are in no other one. */
function neighbours(
  { ranges, bits, read, write }: (typeof families)[number],
  [first, last]: Range,
) {
  const values = ranges.map(([from, to]) => [read(from), read(to)] as const);
  return [read(first) - 1n, read(last) + 1n]
    .filter((value) => value >= 0n && value < 1n << bits)
    .filter((value) => !values.some(([from, to]) => from <= value && value <= to))
    .map(write);
}

test.each(families.flatMap((family) => family.ranges.map((range) => [...range, family] as const)))(
  'refuses %s to %s, and nothing beside it',
  (first, last, family) => {
    expect([check(first), check(last)]).not.toContain(null);
    expect(neighbours(family, [first, last]).filter((address) => check(address) !== null)).toEqual(
      [],
    );
  },
);

test.each(readRanges(ipv4))('refuses %s inside every kind of IPv6 address', (first) => {
  const [a = 0, b = 0, c = 0, d = 0] = first.split('.').map(Number);
  const [high, low] = [(a * 256 + b).toString(16), (c * 256 + d).toString(16)];
  const embedding = [
    `::${first}`,
    `::ffff:${first}`,
    `::FFFF:${high}:${low}`,
    `0:0:0:0:0:ffff:${high}:${low}`,
    `::ffff:0:${first}`,
    `64:ff9b::${first}`,
    `64:ff9b:1::${high}:${low}`,
    `2002:${high}:${low}::1`,
    `2001:0:${high}:${low}::1`,
  ];
  expect(embedding.filter((address) => check(address) === null)).toEqual([]);
});

test.each([
  'https://127.1/',
  'https://127.0.0.1./',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://2130706433/',
  'https://１２７.０.０.１/',
  'https://%31%32%37.0.0.1/',
  'https://0/',
  'https://0xa83f8110/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::127.0.0.1]/',
  'https://[::FFFF:127.0.0.1]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[2001:DB8::1]/',
  'https://[5F00::1]/',
])('refuses the address of %s before it resolves anything', (address) => {
  expect(none.checkUrl(new URL(address))).not.toBeNull();
});

test('refuses an address of a link with its zone', () => {
  expect([check('fe80::1%eth0'), check('FE80::1%2')]).not.toContain(null);
});

test.each(['8.8.8.8', '104.16.0.1', '2606:4700::1111', '2a00:1450:4001::1', '2620:4f:7fff::1'])(
  'allows %s of the Internet',
  (address) => {
    expect(check(address)).toBeNull();
  },
);

test('says which block of the registry an address is of', () => {
  expect(check('2001:db8::1')).toContain('2001:db8::/32, Documentation');
  expect(check('192.0.0.171')).toContain('192.0.0.171/32, NAT64/DNS64 Discovery');
});

test.each([
  ['::/0', '2001:db8::1', '10.0.0.1'],
  ['::ffff:0:0/96', '::ffff:10.0.0.1', '10.0.0.1'],
  ['10.0.0.0/8', '::ffff:10.0.0.1', '::ffff:192.168.0.1'],
  ['2001:db8::/32', '2001:db8::1', '2001:2::1'],
])('allows with CHANNEL_TARGETS=%s %s and not %s', (target, allowed, refused) => {
  const targets = new ChannelTargets([target]);
  const url = new URL('https://chat.example.org/');
  expect(targets.checkAddress(url, allowed)).toBeNull();
  expect(targets.checkAddress(url, refused)).not.toBeNull();
});

test.each([
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  '169.254.169.254',
])('takes %s for an address of this machine, which mail servers cannot have either', (address) => {
  expect(isLocalAddress(address)).toBe(true);
});

/** Which products of Microsoft's guide a machine is, by its build: names of products are the guide's, builds say which one runs. */
import type { Machine } from '../machine.ts';

/**
 * By the third number of the build, in lower case and without what the guide writes behind them. One build is a client, a server, or
 * both: which one tells the name that Windows prints. Read off the products of the guide's documents and their fixed builds.
 */
const products: Readonly<Record<string, { readonly client?: string; readonly server?: string }>> = {
  '6003': { server: 'windows server 2008' },
  '7601': { client: 'windows 7', server: 'windows server 2008 r2' },
  '9200': { client: 'windows 8', server: 'windows server 2012' },
  '9600': { client: 'windows 8.1', server: 'windows server 2012 r2' },
  '10240': { client: 'windows 10' },
  '10586': { client: 'windows 10 version 1511' },
  '14393': { client: 'windows 10 version 1607', server: 'windows server 2016' },
  '15063': { client: 'windows 10 version 1703' },
  '16299': { client: 'windows 10 version 1709', server: 'windows server, version 1709' },
  '17134': { client: 'windows 10 version 1803', server: 'windows server, version 1803' },
  '17763': { client: 'windows 10 version 1809', server: 'windows server 2019' },
  '18362': { client: 'windows 10 version 1903', server: 'windows server, version 1903' },
  '18363': { client: 'windows 10 version 1909', server: 'windows server, version 1909' },
  '19041': { client: 'windows 10 version 2004', server: 'windows server, version 2004' },
  '19042': { client: 'windows 10 version 20h2', server: 'windows server, version 20h2' },
  '19043': { client: 'windows 10 version 21h1' },
  '19044': { client: 'windows 10 version 21h2' },
  '19045': { client: 'windows 10 version 22h2' },
  '20348': { server: 'windows server 2022' },
  '22000': { client: 'windows 11' },
  '22621': { client: 'windows 11 version 22h2' },
  '22631': { client: 'windows 11 version 23h2' },
  '25398': { server: 'windows server 2022, 23h2 edition' },
  '26100': { client: 'windows 11 version 24h2', server: 'windows server 2025' },
  '26200': { client: 'windows 11 version 25h2' },
};

type WindowsMachine = Pick<Machine, 'build' | 'distribution' | 'architecture'>;

/**
 * The product in lower case, as `productKey` makes it of a name; null for a build that is none of them, and for one that is a client's
 * or a server's where the name of the product does not tell which: their updates differ.
 */
export function productOfMachine(machine: WindowsMachine): string | null {
  const [first, ...others] = possibleProducts(machine);
  return first === undefined || others.length > 0
    ? null
    : `${first} (${suffixOf(first, machine.architecture)})`;
}

/** Whether only the name of the product is lacking to know it. */
export const isProductUnstated = (machine: WindowsMachine): boolean =>
  possibleProducts(machine).length > 1;

function possibleProducts({ build, distribution }: WindowsMachine): readonly string[] {
  const number = build?.split('.')[2] ?? '';
  const found = Object.hasOwn(products, number) ? products[number] : undefined;
  if (found === undefined) return [];
  const { client, server } = found;
  const kinds =
    distribution === null ? [client, server] : [isServer(distribution) ? server : client];
  return kinds.filter((product) => product !== undefined);
}

const isServer = (distribution: string) => /\bserver\b/i.test(distribution);

/** Servers of 64 bit are named without an architecture since 2012. */
function suffixOf(product: string, architecture: string | null): string {
  if (/^windows server (?!2008)/.test(product) || product.startsWith('windows server,'))
    return 'any';
  return architectures[architecture ?? ''] ?? 'x64';
}

const architectures: Readonly<Record<string, string>> = {
  x86_64: 'x64',
  i686: 'x86',
  aarch64: 'arm64',
};

const isCoreOnly = (product: string) =>
  product.startsWith('windows server, version') || product.endsWith('23h2 edition');

/** `Windows 10 Version 1809 for x64-based Systems` and `Windows 7 for x64-based Systems Service Pack 1`, to be compared with productOfMachine. Null for what is not Windows. */
export function productKey(name: string): string | null {
  const plain = name
    .toLowerCase()
    .replace(/\(server core installation\)/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!/^windows (?:\d|rt|server)/.test(plain)) return null;
  const [, product = plain, system = ''] = /^(.+?) for (\S+) systems\b/.exec(plain) ?? [];
  const base = product.replace(/^windows 11 version 21h2$/, 'windows 11');
  // Server Core has the updates of the full installation; some servers have no other.
  if (/\(server core/i.test(name) && !isCoreOnly(base)) return `${base} (core)`;
  if (system === '') return `${base} (any)`;
  const suffix = { 'x64-based': 'x64', '32-bit': 'x86', 'arm64-based': 'arm64' }[system];
  return `${base} (${suffix ?? system})`;
}

/**
 * The product of a part that runs on Windows: `Microsoft .NET Framework 4.8 on Windows 10 Version 22H2 for x64-based Systems`. Null for
 * what is none. Whether the part is installed, no inventory shows.
 */
export function productOfComponent(name: string): string | null {
  const [, system] = /\bon (Windows .+)$/i.exec(name) ?? [];
  return system === undefined ? null : productKey(system);
}

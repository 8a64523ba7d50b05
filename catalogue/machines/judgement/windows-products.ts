/** Maps a build to the product of Microsoft's guide: the names are the guide's, and the build determines which one runs. */
import type { Machine } from '../machine.ts';

/**
 * Products by the third number of the build, in lower case and without the guide's suffixes. One build can belong to a client, a
 * server, or both; the name that Windows prints decides. Taken from the products of the guide's documents and their fixed builds.
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
 * Returns the product in lower case, in the form of `productKey`; null for an unknown build, and for a build of a client and a
 * server when the product name does not decide: their updates differ.
 */
export function productOfMachine(machine: WindowsMachine): string | null {
  const [first, ...others] = possibleProducts(machine);
  return first === undefined || others.length > 0
    ? null
    : `${first} (${getSuffix(first, machine.architecture)})`;
}

/** Returns whether only the product's name is missing to determine the product. */
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

/** 64-bit servers are named without an architecture since 2012. */
function getSuffix(product: string, architecture: string | null): string {
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

/**
 * Normalizes `Windows 10 Version 1809 for x64-based Systems` and `Windows 7 for x64-based Systems Service Pack 1` for comparison
 * with productOfMachine. Returns null for other products.
 */
export function productKey(name: string): string | null {
  const plain = name
    .toLowerCase()
    .replace(/\(server core installation\)/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!/^windows (?:\d|rt|server)/.test(plain)) return null;
  const [, product = plain, system = ''] = /^(.+?) for (\S+) systems\b/.exec(plain) ?? [];
  const base = product.replace(/^windows 11 version 21h2$/, 'windows 11');
  // Server Core receives the updates of the full installation; some servers have no other installation.
  if (/\(server core/i.test(name) && !isCoreOnly(base)) return `${base} (core)`;
  if (system === '') return `${base} (any)`;
  const suffix = { 'x64-based': 'x64', '32-bit': 'x86', 'arm64-based': 'arm64' }[system];
  return `${base} (${suffix ?? system})`;
}

/**
 * Returns the Windows product of a component: `Microsoft .NET Framework 4.8 on Windows 10 Version 22H2 for x64-based Systems`;
 * null for anything else. No inventory shows whether the component is installed.
 */
export function productOfComponent(name: string): string | null {
  const [, system] = /\bon (Windows .+)$/i.exec(name) ?? [];
  return system === undefined ? null : productKey(system);
}

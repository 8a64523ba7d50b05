/** Files of an update, the size that one machine downloads, and the architecture in file names. */
import { parseArchitectures } from '../names/windows-product.ts';
import type { ScanProperties } from './scan-facts.ts';
import { toHex } from './scan-facts.ts';
import type { ScanUpdate } from './scan-package.ts';

/** A part of an update with its known details. */
export interface PartOfUpdate extends Pick<ScanUpdate, 'forLanguages' | 'payload'> {
  readonly properties: ScanProperties;
}

export interface UpdateFile {
  readonly name: string | null;
  readonly size: number | null;
  readonly checksum: string | null;
  readonly downloadUrl: string | null;
}

/** Returns the files in package.xml, then those that only the properties name. */
export function listFiles(
  { payload, properties }: PartOfUpdate,
  addresses: ReadonlyMap<string, string>,
): UpdateFile[] {
  const byId = new Map(properties.payload.map((file) => [file.id, file]));
  const ids = new Set([...payload, ...byId.keys()]);
  return [...ids].map((id) => {
    const downloadUrl = toDownloadAddress(addresses.get(id));
    const { name = null, size = null, checksum = toHex(id) } = byId.get(id) ?? {};
    return { name: name ?? getNameInAddress(downloadUrl), size, checksum, downloadUrl };
  });
}

const encryptedHosts: readonly (readonly [RegExp, string])[] = [
  // The http hosts have no certificate; this host has the same files.
  [
    /^http:\/\/(?:[\w-]+\.)*download\.windowsupdate\.com\//i,
    'https://catalog.s.download.windowsupdate.com/',
  ],
  [/^http:\/\/((?:[\w-]+\.)+delivery\.mp\.microsoft\.com)\//i, 'https://$1/'],
];

export function toDownloadAddress(address: string | undefined): string | null {
  const rewritten = encryptedHosts.reduce(
    (url, [written, encrypted]) => url.replace(written, encrypted),
    address?.trim() ?? '',
  );
  return /^https?:\/\/\S+$/i.test(rewritten) && URL.canParse(rewritten) ? rewritten : null;
}

function getNameInAddress(address: string | null): string | null {
  if (address === null) return null;
  const { pathname } = new URL(address);
  return pathname.slice(pathname.lastIndexOf('/') + 1) || null;
}

/**
 * Returns the bytes that one machine downloads at most: one language's parts of several. Null when no part states a size. Parts that could
 * install all of Windows include images of 8 GB that no patched machine downloads; only the KB's own files count there.
 */
export function computeDownloadSize(
  parts: readonly Omit<PartOfUpdate, 'payload'>[],
  kbs: readonly string[],
): number | null {
  let forAll: number | null = null;
  const byLanguage = new Map<string, number>();
  for (const { forLanguages, properties } of parts) {
    const size = getPartSize(properties, kbs);
    if (size === null) continue;
    const languages = forLanguages.filter((language) => language !== 'all');
    if (languages.length === 0) forAll = (forAll ?? 0) + size;
    for (const language of languages)
      byLanguage.set(language, (byLanguage.get(language) ?? 0) + size);
  }
  return byLanguage.size === 0 ? forAll : (forAll ?? 0) + Math.max(...byLanguage.values());
}

function getPartSize(
  { payload, maxDownloadSize, isSystemImage }: ScanProperties,
  kbs: readonly string[],
): number | null {
  const all = payload.flatMap(({ name, size }) => (size === null ? [] : { name, size }));
  const own = isSystemImage ? all.filter(({ name }) => hasKbInName(name, kbs)) : [];
  const sum = (own.length > 0 ? own : all).reduce((bytes, { size }) => bytes + size, 0);
  if (own.length > 0) return sum;
  return maxDownloadSize || sum || null;
}

/** Matches 'Windows11.0-KB5065431-arm64.psf' for KB5065431. */
function hasKbInName(name: string | null, kbs: readonly string[]): boolean {
  return kbs.some((kb) => new RegExp(`\\b${kb}(?!\\d)`, 'i').test(name ?? ''));
}

const inFileNames: readonly (readonly [string, RegExp])[] = [
  ['ARM64', /[-_.]arm64(?=[-_.])/i],
  ['Itanium', /[-_.]ia64(?=[-_.])/i],
  ['x64', /[-_.](?:x64|amd64)(?=[-_.])/i],
  ['x86', /[-_.]x86(?=[-_.])/i],
];

/** Reads the title, else the file names; empty when neither states it. */
export function findArchitectures(title: string, files: readonly UpdateFile[]): string[] {
  const titled = parseArchitectures(title);
  if (titled.length > 0) return titled;
  return inFileNames
    .filter(([, word]) => files.some(({ name }) => word.test(name ?? '')))
    .map(([architecture]) => architecture);
}

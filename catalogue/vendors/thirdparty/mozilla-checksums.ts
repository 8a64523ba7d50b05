/** Mozilla's checksums: each release has a list of them, with the path of each file. */
import type { Document } from '../../definition/feed.ts';

export type MozillaProduct = 'firefox' | 'thunderbird';

/** By the file's path in the release's folder: 'win64/en-US/Firefox Setup 153.0.exe'. */
export type MozillaChecksums = ReadonlyMap<string, string>;

/** SHA-256 is preferred; old releases have only SHA-512. */
const lists = [
  { file: 'SHA256SUMS', prefix: '', digits: 64 },
  { file: 'SHA512SUMS', prefix: 'sha512:', digits: 128 },
] as const;

/** Returns the possible addresses; the first published one counts. */
export function listMozillaChecksumAddresses(product: MozillaProduct, version: string): string[] {
  return lists.map(
    ({ file }) =>
      `https://archive.mozilla.org/pub/${product}/releases/${encodeURIComponent(version)}/${file}`,
  );
}

/** Skips other lines, because some lists contain a signature. */
export async function readMozillaChecksums(document: Document): Promise<MozillaChecksums> {
  const list = lists.find(({ file }) => document.url.endsWith(`/${file}`));
  const sums = new Map<string, string>();
  if (list === undefined) return sums;
  for (const line of (await document.text()).split('\n')) {
    const [, sum, path] = /^([\da-f]+)[ \t]+\*?(?:\.\/)?(\S.*?)\s*$/i.exec(line) ?? [];
    if (sum?.length === list.digits && path !== undefined)
      sums.set(path, list.prefix + sum.toLowerCase());
  }
  return sums;
}

/** Mozilla's own checksums: beside the files of a release lies a list of all of them, each sum with the path of its file. */
import type { Document } from '../../definition/feed.ts';

export type MozillaProduct = 'firefox' | 'thunderbird';

/** By the file's path in the folder of the release: 'win64/en-US/Firefox Setup 153.0.exe'. */
export type MozillaChecksums = ReadonlyMap<string, string>;

/** SHA-256 is what the catalogue shows; releases of old have the other alone. */
const lists = [
  { file: 'SHA256SUMS', prefix: '', digits: 64 },
  { file: 'SHA512SUMS', prefix: 'sha512:', digits: 128 },
] as const;

/** The first of them that is published counts. */
export function mozillaChecksumAddresses(product: MozillaProduct, version: string): string[] {
  return lists.map(
    ({ file }) =>
      `https://archive.mozilla.org/pub/${product}/releases/${encodeURIComponent(version)}/${file}`,
  );
}

/** Lines that are none are passed over: a list of Mozilla's has a signature of another form at times. */
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

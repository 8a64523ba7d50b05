/** The signed index of an apt suite after the files that it lists have changed: their sums and sizes, and the names that are made of a sum. */
import { dirname, join } from 'node:path';
import { bytesOf, type Content, type PackedContent, sumOf } from './packed-content.ts';
import type { PublishedState } from './published-state.ts';

type Files = PublishedState['files'];

export function isInRelease(text: string): boolean {
  return (
    text.startsWith('-----BEGIN PGP SIGNED MESSAGE-----') && /^(?:SHA256|MD5Sum|SHA1):/m.test(text)
  );
}

const listedLine = /^ ([\da-f]{32,128}) +\d+ (\S+)$/;
const algorithms = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' } as const;

/** What the index of this text is to say now, unsigned; null when nothing that it lists has changed. Renews in `files` what it lists. */
export function sealedInRelease(
  text: string,
  suite: string,
  before: Files,
  files: Map<string, PackedContent>,
): string | null {
  const lines = payloadOf(text).split('\n');
  const sums = new Map<string, string>();
  for (const line of lines) {
    const [, sum = '', path = ''] = listedLine.exec(line) ?? [];
    if (sum.length === 64) sums.set(path, sum);
  }
  const listed = [...sums].map(([path, sum]) => ({
    path,
    place: join(suite, path),
    hashed: byHash(join(suite, path), sum),
  }));
  const contents = new Map<string, Content>();
  for (const { path, place, hashed } of listed) {
    const changed = [place, hashed]
      .map((name) => files.get(name))
      .find((file, at) => file !== before.get([place, hashed][at] ?? ''));
    if (changed !== undefined) contents.set(stemOf(path), changed.content);
  }
  if (contents.size === 0) return null;
  const renewed = new Map<string, PackedContent>();
  for (const { path, place, hashed } of listed) {
    const content = contents.get(stemOf(path));
    const kept = files.get(place) ?? files.get(hashed);
    if (content === undefined || kept === undefined) continue;
    const file = kept.content === content ? kept : { packing: kept.packing, content };
    renewed.set(path, file);
    if (files.has(place)) files.set(place, file);
    if (files.delete(hashed)) files.set(byHash(place, sumOf(bytesOf(file), 'sha256')), file);
  }
  return lines
    .flatMap((line) => (listedLine.test(line) ? renewedLine(line, contents, renewed) : [line]))
    .join('\n');
}

/** A form of a changed file that is listed and not kept would not fit any more. */
function renewedLine(
  line: string,
  contents: ReadonlyMap<string, Content>,
  renewed: ReadonlyMap<string, PackedContent>,
): string[] {
  const [, sum = '', path = ''] = listedLine.exec(line) ?? [];
  if (!contents.has(stemOf(path))) return [line];
  const file = renewed.get(path);
  if (file === undefined) return [];
  return [
    ` ${sumOf(bytesOf(file), algorithms[sum.length as keyof typeof algorithms])} ${bytesOf(file).length} ${path}`,
  ];
}

/** What the signature covers. */
export function payloadOf(text: string): string {
  return /\n\n([^]*?)\n-----BEGIN PGP SIGNATURE-----/.exec(text)?.[1] ?? '';
}

const byHash = (place: string, sum: string) => join(dirname(place), 'by-hash', 'SHA256', sum);
const stemOf = (path: string) => path.replace(/\.(?:gz|xz|bz2|zst)$/, '');

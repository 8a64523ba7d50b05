/** repodata/repomd.xml after the files that it names have changed: their sums, sizes and, where these are made of the sum, their names. */
import { join } from 'node:path';
import { bytesOf, openBytesOf, type PackedContent, sumOf } from './packed-content.ts';
import type { PublishedState } from './published-state.ts';

type Files = PublishedState['files'];

export function isRepomd(text: string): boolean {
  return /^[^]{0,200}<repomd\b/.test(text);
}

/** Files whose names are made of their sum are renamed in `files`. */
export function sealedRepomd(
  text: string,
  repository: string,
  before: Files,
  files: Map<string, PackedContent>,
): string {
  return text.replaceAll(/<data\b[^]*?<\/data>/g, (entry) => {
    const href = /<location\b[^>]*href="([^"]*)"/.exec(entry)?.[1] ?? '';
    const path = join(repository, href);
    const file = files.get(path);
    if (file === undefined || file === before.get(path)) return entry;
    const [, type = '', sum = ''] = /<checksum type="(\w+)">\s*([\da-f]+)\s*</.exec(entry) ?? [];
    const algorithm = type === 'sha' ? 'sha1' : (type as 'sha1' | 'sha256' | 'sha512');
    const renewed = sumOf(bytesOf(file), algorithm);
    const renamed = href.replace(sum, renewed);
    if (renamed !== href) {
      files.delete(path);
      files.set(join(repository, renamed), file);
    }
    return entry
      .replace(/(<checksum\b[^>]*>)[^<]*/, `$1${renewed}`)
      .replace(/(<open-checksum\b[^>]*>)[^<]*/, `$1${sumOf(openBytesOf(file.content), algorithm)}`)
      .replace(/(<size>)[^<]*/, `$1${bytesOf(file).length}`)
      .replace(/(<open-size>)[^<]*/, `$1${openBytesOf(file.content).length}`)
      .replace(`href="${href}"`, `href="${renamed}"`);
  });
}

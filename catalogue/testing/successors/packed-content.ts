/** A file of a publication taken apart into texts, and put together again: packed, an archive of files, or both. */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { filesInCabinet } from '../../parsers/cabinet.ts';
import { decompress } from '../../parsers/decompress.ts';
import { tarFiles } from '../../parsers/tar-files.ts';
import { bzip2From } from '../bzip2-from.ts';
import { cabinetFrom } from '../cabinet-from.ts';
import { tarFrom } from '../tar-from.ts';
import { xzFrom } from '../xz-from.ts';

export type Packing = 'plain' | 'gzip' | 'bzip2' | 'xz' | 'zstd';

export type Content =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'archive';
      readonly archive: 'tar' | 'cabinet';
      readonly members: ReadonlyMap<string, Content>;
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array };

export interface PackedContent {
  readonly packing: Packing;
  readonly content: Content;
}

const magics: readonly (readonly [Packing, string])[] = [
  ['gzip', '1f8b'],
  ['bzip2', '425a68'],
  ['xz', 'fd377a585a00'],
  ['zstd', '28b52ffd'],
];

export async function unpacked(served: Uint8Array): Promise<PackedContent> {
  const start = Buffer.from(served.subarray(0, 6)).toString('hex');
  const packing = magics.find(([, magic]) => start.startsWith(magic))?.[0] ?? 'plain';
  const file: PackedContent = {
    packing,
    content: await contentOf(packing === 'plain' ? served : await opened(served)),
  };
  // Files that nobody changes are served as they were found.
  servedBytes.set(file, Buffer.from(served));
  return file;
}

async function opened(served: Uint8Array): Promise<Buffer> {
  async function* whole() {
    yield served;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of decompress(whole())) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function contentOf(bytes: Uint8Array): Promise<Content> {
  if (Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar') {
    async function* whole() {
      yield bytes;
    }
    const members = new Map<string, Content>();
    for await (const { path, content } of tarFiles(whole()))
      members.set(path, await contentOf(content));
    return { kind: 'archive', archive: 'tar', members };
  }
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'MSCF') {
    const members = new Map<string, Content>();
    for (const [path, member] of await cabinetFiles(bytes))
      members.set(path, await contentOf(member));
    return { kind: 'archive', archive: 'cabinet', members };
  }
  try {
    return {
      kind: 'text',
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    };
  } catch {
    return { kind: 'bytes', bytes };
  }
}

async function cabinetFiles(bytes: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = await mkdtemp(join(tmpdir(), 'cabinet-'));
  try {
    await writeFile(join(folder, 'archive.cab'), bytes);
    return await filesInCabinet(join(folder, 'archive.cab'));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const servedBytes = new WeakMap<PackedContent, Buffer>();
const openBytes = new WeakMap<Content, Buffer>();
const sums = new WeakMap<Buffer, Map<string, string>>();

/** As it is served. */
export function bytesOf(file: PackedContent): Buffer {
  const known = servedBytes.get(file);
  if (known !== undefined) return known;
  const bytes = packed(openBytesOf(file.content), file.packing);
  servedBytes.set(file, bytes);
  return bytes;
}

/** Before it is packed. */
export function openBytesOf(content: Content): Buffer {
  const known = openBytes.get(content);
  if (known !== undefined) return known;
  const bytes =
    content.kind === 'text'
      ? Buffer.from(content.text)
      : content.kind === 'bytes'
        ? Buffer.from(content.bytes)
        : archived(content);
  openBytes.set(content, bytes);
  return bytes;
}

/** Hexadecimal. */
export function sumOf(bytes: Buffer, algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'): string {
  const known = sums.get(bytes) ?? new Map<string, string>();
  sums.set(bytes, known);
  const sum = known.get(algorithm) ?? createHash(algorithm).update(bytes).digest('hex');
  known.set(algorithm, sum);
  return sum;
}

function archived({ archive, members }: Extract<Content, { kind: 'archive' }>): Buffer {
  const files = Object.fromEntries(
    [...members].map(([path, content]) => [path, openBytesOf(content)]),
  );
  return archive === 'tar' ? tarFrom(files) : cabinetFrom(files);
}

function packed(bytes: Buffer, packing: Packing): Buffer {
  if (packing === 'gzip') return gzipSync(bytes);
  if (packing === 'zstd') return zstdCompressSync(bytes);
  if (packing === 'bzip2') return bzip2From(bytes);
  return packing === 'xz' ? xzFrom(bytes) : bytes;
}

/** The texts in it, each with its place: names of archives' members from the outermost. */
export function textsIn(
  content: Content,
  place: readonly string[] = [],
): { readonly place: readonly string[]; readonly text: string }[] {
  if (content.kind === 'text') return [{ place, text: content.text }];
  if (content.kind === 'bytes') return [];
  return [...content.members].flatMap(([name, member]) => textsIn(member, [...place, name]));
}

/** With that text at the place; null takes an archive's member away. */
export function withText(
  content: Content,
  [name, ...deeper]: readonly string[],
  text: string | null,
): Content {
  if (name === undefined) return text === null ? content : { kind: 'text', text };
  if (content.kind !== 'archive') throw new Error(`${name} is not in an archive`);
  const members = new Map(content.members);
  const member = members.get(name);
  if (text === null && deeper.length === 0) members.delete(name);
  else members.set(name, withText(member ?? { kind: 'text', text: '' }, deeper, text));
  return { ...content, members };
}

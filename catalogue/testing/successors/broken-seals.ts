/** What is wrong with the sums, sizes and signatures of a published state: looked up in its bytes, by nothing that made them. */
import { createHash } from 'node:crypto';
import { readCleartextMessage, readKey, verify } from 'openpgp';
import { decompress } from '../../parsers/decompress.ts';
import { bytesOf } from './packed-content.ts';
import type { PublishedState } from './published-state.ts';

type Bytes = ReadonlyMap<string, Buffer>;

export async function brokenSeals({ files, trustedKeys }: PublishedState): Promise<string[]> {
  const bytes = new Map([...files].map(([path, file]) => [path, bytesOf(file)]));
  const broken: string[] = [];
  for (const [path, content] of bytes) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name === 'repomd.xml')
      broken.push(...(await brokenRepomd(bytes, path, content.toString())));
    else if (name === 'InRelease')
      broken.push(...(await brokenInRelease(bytes, path, content.toString(), trustedKeys)));
    else if (/\.(?:md5|sha\d+)$/.test(name))
      broken.push(...(await brokenSums(bytes, path, content.toString())));
  }
  return broken;
}

async function brokenRepomd(bytes: Bytes, path: string, text: string): Promise<string[]> {
  const repository = path.replace(/repodata\/repomd\.xml$/, '');
  const broken: string[] = [];
  for (const [entry] of text.matchAll(/<data [^]*?<\/data>/g)) {
    const said = (name: string) =>
      new RegExp(`<${name}[^>]*>\\s*([^<]*?)\\s*<`).exec(entry)?.[1] ?? '';
    const file = bytes.get(repository + (/href="([^"]*)"/.exec(entry)?.[1] ?? ''));
    if (file === undefined) continue;
    const open = await opened(file);
    const [, type = ''] = /<checksum type="(\w+)"/.exec(entry) ?? [];
    const algorithm = type === 'sha' ? 'sha1' : type;
    if (said('checksum') !== sum(file, algorithm)) broken.push(`${path}: checksum`);
    if (said('open-checksum') !== sum(open, algorithm)) broken.push(`${path}: open-checksum`);
    if (said('size') !== String(file.length)) broken.push(`${path}: size`);
    if (said('open-size') !== String(open.length)) broken.push(`${path}: open-size`);
  }
  return broken;
}

async function brokenInRelease(
  bytes: Bytes,
  path: string,
  text: string,
  trustedKeys: readonly string[],
): Promise<string[]> {
  const message = await readCleartextMessage({ cleartextMessage: text });
  const verificationKeys = await Promise.all(
    trustedKeys.map((armoredKey) => readKey({ armoredKey })),
  );
  const { signatures } = await verify({ message, verificationKeys });
  const verdicts = await Promise.allSettled(signatures.map(({ verified }) => verified));
  const broken = verdicts.some(({ status }) => status === 'fulfilled')
    ? []
    : [`${path}: signature`];
  const suite = path.replace(/InRelease$/, '');
  let kept = 0;
  for (const [, listed = '', size = '', name = ''] of message
    .getText()
    .matchAll(/^ ([\da-f]{64}) +(\d+) (\S+)$/gm)) {
    const hashed = `${suite}${name.replace(/[^/]*$/, '')}by-hash/SHA256/${listed}`;
    for (const file of [bytes.get(suite + name), bytes.get(hashed)].filter(
      (found) => found !== undefined,
    )) {
      kept += 1;
      if (sum(file, 'sha256') !== listed || String(file.length) !== size)
        broken.push(`${path}: ${name}`);
    }
  }
  return kept === 0 ? [...broken, `${path}: nothing that it lists is kept`] : broken;
}

/** Lines of `sha1sum`: of the file as it is served, or of what is in it. */
async function brokenSums(bytes: Bytes, path: string, text: string): Promise<string[]> {
  const broken: string[] = [];
  for (const [, listed = '', name = ''] of text.matchAll(/^([\da-f]{32,128}) [ *](\S+)$/gm)) {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const file =
      bytes.get(folder + name) ??
      (await opened(bytes.get(`${folder}${name}.bz2`) ?? Buffer.alloc(0)));
    const algorithm = { 32: 'md5', 40: 'sha1', 64: 'sha256', 128: 'sha512' }[listed.length] ?? '';
    if (sum(file, algorithm) !== listed) broken.push(`${path}: ${name}`);
  }
  return broken;
}

const sum = (bytes: Buffer, algorithm: string) => createHash(algorithm).update(bytes).digest('hex');

async function opened(bytes: Buffer): Promise<Buffer> {
  async function* whole() {
    yield bytes;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of decompress(whole())) pieces.push(piece);
  return Buffer.concat(pieces);
}

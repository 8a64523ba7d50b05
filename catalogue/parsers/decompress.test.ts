import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { bunzipInThread } from './bzip2.ts';
import { BrokenArchive, decompress } from './decompress.ts';

// Words and noise, enough for several blocks of every compression.
const plain = Buffer.from(
  Array.from(
    { length: 20_000 },
    (_, line) => `line ${line} ${(line * 7919) % 1009} of a patch catalogue\n`,
  ).join(''),
);

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = 1000): Promise<Buffer> {
  const opened: Uint8Array[] = [];
  for await (const piece of decompress(pieces(bytes, size))) opened.push(piece);
  return Buffer.concat(opened);
}

function compress(tool: 'xz' | 'bzip2'): Buffer | null {
  try {
    return execFileSync(tool, ['-c'], { input: plain, maxBuffer: 2 ** 28 });
  } catch {
    return null;
  }
}

const forms: [string, Buffer | null][] = [
  ['gzip', gzipSync(plain)],
  ['zstd', zstdCompressSync(plain, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })],
  ['xz', compress('xz')],
  ['bzip2', compress('bzip2')],
];

for (const [name, bytes] of forms.filter((form): form is [string, Buffer] => form[1] !== null)) {
  test(`decompresses ${name}, however the bytes are cut`, async () => {
    expect((await read(bytes)).equals(plain)).toBe(true);
    expect((await read(bytes, 1_000_000)).equals(plain)).toBe(true);
  });

  test(`refuses ${name} that ends in the middle`, async () => {
    await expect(read(bytes.subarray(0, bytes.length - 20))).rejects.toThrow(BrokenArchive);
    await expect(read(bytes.subarray(0, bytes.length >> 1))).rejects.toThrow(
      new RegExp(`^the ${name} data cannot be read: `),
    );
  });

  test(`refuses damaged ${name}`, async () => {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8((damaged.readUInt8(damaged.length >> 1) ^ 0xff) & 0xff, damaged.length >> 1);
    await expect(read(damaged)).rejects.toThrow(BrokenArchive);
  });

  test(`lets a reader of ${name} leave early`, async () => {
    for await (const piece of decompress(pieces(bytes, 1000))) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
  });
}

test('reads several gzip members as one text', async () => {
  expect((await read(Buffer.concat([gzipSync('one '), gzipSync('two')]))).toString()).toBe(
    'one two',
  );
});

test('reports a second zstd frame', async () => {
  const twoFrames = Buffer.concat([zstdCompressSync('one '), zstdCompressSync('two')]);
  await expect(read(twoFrames)).rejects.toThrow('more behind the first frame');
});

test('decompresses bzip2 in this process alike', async () => {
  const bytes = compress('bzip2');
  if (bytes === null) return;
  const opened: Uint8Array[] = [];
  for await (const piece of bunzipInThread(pieces(Buffer.concat([bytes, bytes]), 1000)))
    opened.push(piece);
  expect(Buffer.concat(opened).equals(Buffer.concat([plain, plain]))).toBe(true);
  await expect(async () => {
    for await (const piece of bunzipInThread(pieces(bytes.subarray(0, -20), 1000)))
      expect(piece.length).toBeGreaterThan(0);
  }).rejects.toThrow('the data end in the middle');
});

test('passes plain bytes, and reports zchunk', async () => {
  expect((await read(plain, 1)).equals(plain)).toBe(true);
  expect(await read(Buffer.from('B'))).toEqual(Buffer.from('B'));
  expect(await read(Buffer.alloc(0))).toEqual(Buffer.alloc(0));
  await expect(read(Buffer.from('\0ZCK1....'))).rejects.toThrow('zchunk is not supported');
});

test('passes on the source’s own error', async () => {
  const failure = new Error('the disk is gone');
  async function* failing() {
    yield gzipSync(plain).subarray(0, 500);
    throw failure;
  }
  await expect(async () => {
    for await (const piece of decompress(failing())) expect(piece).toBeDefined();
  }).rejects.toBe(failure);
});

describeWithMirror('the same payload in all its forms among the edge cases', () => {
  const edgeCase = (name: string) =>
    readFileSync(new URL(`edge-cases/rpm/decompress/${name}`, feedMirror));

  test.each(['payload', 'payload.gz', 'payload.bz2', 'payload.xz', 'payload.zst'])(
    'recognizes %s by its first bytes',
    async (name) => {
      expect((await read(edgeCase(name))).equals(edgeCase('payload'))).toBe(true);
    },
  );
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { tarFiles } from './tar-files.ts';

async function* cut(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array, size = 700): Promise<Record<string, string>> {
  const files = await collect(tarFiles(cut(bytes, size)));
  return Object.fromEntries(
    files.map(({ path, content }) => [path, Buffer.from(content).toString()]),
  );
}

const longName = `deep/${'folder-of-a-long-name/'.repeat(8)}grüße.json`;
const contents: Record<string, string> = {
  'a.json': 'A',
  'empty.json': '',
  'deep/large.json': 'x'.repeat(70_000),
  [longName]: 'long',
};
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tar-files-'));
  mkdirSync(join(folder, 'deep', 'folder-of-a-long-name/'.repeat(8)), { recursive: true });
  for (const [path, content] of Object.entries(contents))
    writeFileSync(join(folder, path), content);
  symlinkSync('a.json', join(folder, 'link.json'));
});

function archive(format: string, ...more: string[]): Buffer {
  return execFileSync('tar', [
    '-c',
    `--format=${format}`,
    ...more,
    '-C',
    folder,
    'a.json',
    'empty.json',
    'link.json',
    'deep',
  ]);
}

describe.each(['gnu', 'pax', 'ustar'])('an archive in the %s format', (format) => {
  test('reads its files, however it is cut', async () => {
    for (const size of [1, 511, 100_000])
      expect(await read(archive(format), size)).toEqual(contents);
  });

  test('refuses an archive that ends too early', async () => {
    const complete = archive(format);
    for (const length of [0, 100, 600, 60_000])
      await expect(read(complete.subarray(0, length))).rejects.toThrow('it ends in the middle');
  });
});

test('refuses a document that is not an archive, or has damaged headers', async () => {
  await expect(read(Buffer.from('<html>'.repeat(200)))).rejects.toThrow('it is not a tar archive');
  const damaged = archive('gnu');
  damaged[3] = 0x5a;
  await expect(read(damaged)).rejects.toThrow('its headers are damaged');
});

test('refuses a file that is too large for memory', async () => {
  const header = archive('gnu').subarray(0, 512);
  header.write('77777777777\0', 124);
  header.fill(0x20, 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  await expect(read(header)).rejects.toThrow('it holds a file of 8,589,934,591 bytes (a.json)');
});

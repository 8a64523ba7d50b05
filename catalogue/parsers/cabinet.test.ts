import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cabinetFrom } from '../testing/cabinet-from.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { BrokenCabinet, filesInCabinet, unpackCabinet } from './cabinet.ts';

let folder: string;
const texts = { 'a.txt': 'one', 'x/12': 'grüße '.repeat(30_000), 'x/13': '', 'l/en/12': 'two' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cabinets-'));
  await writeFile(join(folder, 'good.cab'), cabinetFrom(texts, { small: true }));
});
afterAll(() => rm(folder, { recursive: true }));

const toText = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();
const good = () => join(folder, 'good.cab');

async function broken(bytes: Uint8Array): Promise<string> {
  const path = join(folder, 'broken.cab');
  await writeFile(path, bytes);
  const error: unknown = await filesInCabinet(path).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BrokenCabinet);
  return (error as Error).message;
}

test('reads its files by name, all or those matching patterns in any case', async () => {
  const all = await filesInCabinet(good());
  expect(Object.fromEntries([...all].map(([name, bytes]) => [name, toText(bytes)]))).toEqual(texts);
  expect(
    [...(await filesInCabinet(good(), { only: ['X/*', 'l/de/*'] })).keys()].toSorted(),
  ).toEqual(['x/12', 'x/13']);
  expect((await filesInCabinet(good(), { only: ['none'] })).size).toBe(0);
});

test('unpacks into a folder', async () => {
  const into = await mkdtemp(join(folder, 'into-'));
  await unpackCabinet(good(), into, { only: ['x/*'] });
  expect(await readFile(join(into, 'x/12'), 'utf8')).toBe(texts['x/12']);
  await expect(readFile(join(into, 'a.txt'))).rejects.toThrow('ENOENT');
});

test('refuses a cabinet that exceeds its limit', async () => {
  await expect(filesInCabinet(good(), { maxBytes: 1000 })).rejects.toThrow(
    new BrokenCabinet('it opens to more than 1,000 bytes'),
  );
  await expect(
    unpackCabinet(good(), await mkdtemp(join(folder, 'into-')), { maxBytes: 1000 }),
  ).rejects.toThrow(BrokenCabinet);
});

test('reports why a cabinet cannot be unpacked to its end', async () => {
  const bytes = await readFile(good());
  expect(await broken(bytes.subarray(0, -200))).toMatch(/end of archive/i);
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 200, 260);
  expect(await broken(damaged)).toMatch(/^data error: /);
  expect(await broken(Buffer.from('<html>Try later</html>'))).toBe('it is not a cabinet');
  expect(await broken(Buffer.alloc(0))).toBe('it is not a cabinet');
});

test('keeps members inside the folder', async () => {
  const path = join(folder, 'escaping.cab');
  await writeFile(path, cabinetFrom({ '../outside': 'no', '/etc/outside': 'no' }));
  const into = await mkdtemp(join(folder, 'into-'));
  await unpackCabinet(path, into).catch(() => undefined);
  await expect(readFile(join(folder, 'outside'))).rejects.toThrow('ENOENT');
  await expect(readFile('/etc/outside')).rejects.toThrow('ENOENT');
});

describeWithMirror('the cabinets of other writers', () => {
  const sample = (name: string) =>
    fileURLToPath(new URL(`edge-cases/windows/cab-samples/${name}`, feedMirror));

  test('unpacks LZX, MSZIP and Quantum in one', async () => {
    const files = await filesInCabinet(sample('mszip_lzx_qtm.cab'));
    expect([...files.keys()].toSorted()).toEqual(['lzx.txt', 'mszip.txt', 'qtm.txt']);
    for (const bytes of files.values()) expect(toText(bytes)).toMatch(/compress/i);
  });

  test('unpacks two folders, and LZX of 14 MB in 26 kB', async () => {
    expect(
      [...(await filesInCabinet(sample('normal_2files_2folders.cab'))).keys()].toSorted(),
    ).toEqual(['lzx1.txt', 'lzx2.txt', 'mszip1.txt', 'mszip2.txt']);
    expect(
      (await filesInCabinet(sample('large-files-cab.cab'))).get('large-files.cab')?.length,
    ).toBe(14_689_228);
  });
});

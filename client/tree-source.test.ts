/** Tests reading files of a published tree from servers and folders that misbehave. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PublishedTree } from './testing/published-tree.ts';
import { startTreeRepository, type TreeRepository } from './testing/tree-repository.ts';
import { folderSource, readAnnouncedFile, readSmallFile, webSource } from './tree-source.ts';

const complaints: string[] = [];
const context = {
  options: { server: '', tries: 2, retryAfterMs: 1 },
  signal: new AbortController().signal,
  complain: (line: string) => void complaints.push(line),
};
let repository: TreeRepository;
let folder: string;
beforeEach(async () => {
  complaints.length = 0;
  folder = mkdtempSync(join(tmpdir(), 'patch-stick-'));
  repository = await startTreeRepository(new PublishedTree({}));
});
afterEach(async () => {
  await repository.close();
  rmSync(folder, { recursive: true, force: true });
});
const openWeb = (timeoutMs?: number) => webSource(context, `${repository.url}/tree`, timeoutMs);

test('gives up a server that sends too slowly', async () => {
  repository.fault = () => ({ kind: 'stall' });
  await expect(readSmallFile(openWeb(50), 'head.jsonl', 1_000)).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/timeout.* Given up after 2 tries\./),
  });
  expect(complaints).toHaveLength(1);
});

test('stops reading at the allowed length, and reads a file of exactly that length', async () => {
  repository.tree.files.set('x', Buffer.from('12345'));
  expect(await readSmallFile(openWeb(), 'x', 5)).toEqual(Buffer.from('12345'));
  await expect(readSmallFile(openWeb(), 'x', 4)).rejects.toMatchObject({ fault: 'too_long' });
  repository.fault = () => ({ kind: 'endless' });
  let read = 0;
  const reading = openWeb().read('x', 1_000_000, async (pieces) => {
    for await (const { length } of pieces) read += length;
  });
  await expect(reading).rejects.toMatchObject({ fault: 'too_long' });
  expect(read).toBeLessThanOrEqual(1_000_000);
});

test.each([403, 404, 410])('takes %i for a file that is not there', async (status) => {
  repository.fault = () => ({ status });
  expect(await readSmallFile(openWeb(), 'root/2.jsonl', 9)).toBeNull();
  const announced = readAnnouncedFile(openWeb(), 'x', { bytes: 1, sha256: '' }, async () => 1);
  await expect(announced).rejects.toMatchObject({ exitCode: 4 });
});

test('repeats a request after a status that says so', async () => {
  repository.tree.files.set('x', Buffer.from('1'));
  repository.fault = () => (repository.requests.length < 2 ? { status: 500 } : null);
  expect(await readSmallFile(openWeb(), 'x', 5)).toEqual(Buffer.from('1'));
  repository.fault = () => ({ status: 400 });
  await expect(readSmallFile(openWeb(), 'x', 5)).rejects.toMatchObject({ exitCode: 4 });
});

test('reads no folder in the place of a file', async () => {
  mkdirSync(join(folder, 'head.jsonl'));
  writeFileSync(join(folder, 'file'), '12');
  const source = folderSource(folder);
  expect(await readSmallFile(source, 'head.jsonl', 9)).toBeNull();
  expect(await readSmallFile(source, 'absent', 9)).toBeNull();
  expect(await readSmallFile(source, 'file/below', 9)).toBeNull();
  expect(await readSmallFile(source, 'file', 9)).toEqual(Buffer.from('12'));
  await expect(readSmallFile(source, 'file', 1)).rejects.toMatchObject({ fault: 'too_long' });
});

test.skipIf(process.platform === 'win32')(
  'reads no device and no file that is not readable',
  async () => {
    const source = folderSource(folder);
    symlinkSync('/dev/zero', join(folder, 'zero'));
    expect(await readSmallFile(source, 'zero', 9)).toBeNull();
    symlinkSync('loop', join(folder, 'loop'));
    await expect(readSmallFile(source, 'loop', 9)).rejects.toMatchObject({ exitCode: 4 });
  },
);

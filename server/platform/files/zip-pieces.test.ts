import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPromise } from 'yauzl';
import { readZipEntries, type ZipMember, ZipPieces } from './zip-pieces.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'patch-zip-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const modified = new Date(Date.UTC(2026, 4, 17, 9, 30, 58));
const member = (name: string, content: string): ZipMember => ({
  name,
  content: Buffer.from(content),
  modified,
});

/** Writes an archive of the members of an earlier one that are taken over, and of new ones. */
async function archive(
  name: string,
  members: readonly ZipMember[],
  earlier?: { readonly path: string; readonly isTaken: (name: string) => boolean },
): Promise<string> {
  const zip = new ZipPieces();
  const pieces: Buffer[] = [];
  if (earlier !== undefined) {
    const { path, isTaken } = earlier;
    for await (const piece of zip.take(path, readZipEntries(path), isTaken)) pieces.push(piece);
  }
  pieces.push(zip.add(members), ...zip.end());
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(pieces));
  return path;
}

/** Reads an archive with another program's reader, which checks sizes and checksums. */
async function unpack(path: string): Promise<Record<string, string>> {
  const zip = await openPromise(path);
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    expect(entry.getLastModDate({ timezone: 'UTC' })).toEqual(modified);
    files[entry.fileName] = String(await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

test('writes files that another reader unpacks', async () => {
  const files = { 'a.json': '{"a":1}', 'ç şğ.json': 'ü'.repeat(70_000), empty: '' };
  const members = Object.entries(files).map(([name, content]) => member(name, content));
  expect(await unpack(await archive('first.zip', members))).toEqual(files);
});

test('writes an archive without files', async () => {
  expect(await unpack(await archive('none.zip', []))).toEqual({});
});

test('takes files over and replaces, leaves out and adds others', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `${index}.json`);
  const content = (name: string) => `${name} `.repeat(5_000);
  const first = await archive(
    'old.zip',
    names.map((name) => member(name, content(name))),
  );
  const gone = new Set(['0.json', '7.json', '8.json', '39.json']);
  const second = await archive('new.zip', [member('7.json', 'new'), member('x.json', 'more')], {
    path: first,
    isTaken: (name) => !gone.has(name),
  });
  const kept = names.filter((name) => !gone.has(name)).map((name) => [name, content(name)]);
  const expected = { ...Object.fromEntries(kept), '7.json': 'new', 'x.json': 'more' };
  expect(await unpack(second)).toEqual(expected);
  // Also an archive that was itself taken over.
  const third = await archive('third.zip', [], { path: second, isTaken: () => true });
  expect(await unpack(third)).toEqual(expected);
  expect(statSync(third).size).toBe(statSync(second).size);
});

test('writes more than 65,535 files', async () => {
  const count = 66_000;
  const members = Array.from({ length: count }, (_, index) => member(`${index}`, ''));
  const first = await archive('many.zip', members);
  const second = await archive('many-again.zip', [member('more', 'x')], {
    path: first,
    isTaken: (name) => name !== '5',
  });
  for (const [path, files] of [
    [first, count],
    [second, count],
  ] as const) {
    const zip = await openPromise(path);
    expect(zip.entryCount).toBe(files);
    zip.close();
  }
});

test('refuses a file that is no archive', async () => {
  const path = join(folder, 'text');
  writeFileSync(path, 'no archive at all, but long enough to have an end');
  await expect(readZipEntries(path).next()).rejects.toThrow('The archive has no end');
});

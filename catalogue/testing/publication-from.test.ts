import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { NotPublished } from '../definition/document-errors.ts';
import type { Publication } from '../definition/feed.ts';
import { publicationFrom } from './publication-from.ts';

let publication: Publication;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'publication-'));
  await mkdir(join(folder, 'example.org/feed'), { recursive: true });
  await writeFile(join(folder, 'example.org/feed/index.json'), '{"all":true}');
  await writeFile(join(folder, 'example.org/feed/index.json@page=1&size=2'), '{"page":1}');
  await writeFile(join(folder, 'example.org/feed/list.gz'), gzipSync('\uFEFFgrüße '.repeat(3000)));
  await writeFile(join(folder, 'example.org/feed/latin'), Buffer.from('gr\xfc\xdfe', 'latin1'));
  await symlink('/etc/hostname', join(folder, 'example.org/feed/outside'));
  publication = publicationFrom(folder, { known: { some_list: ['a', 'b'] }, now: 5 });
});

const at = (path: string) => `https://example.org${path}`;

test('addresses become files', async () => {
  expect(await (await publication.open(at('/feed/'))).text()).toBe('{"all":true}');
  expect(await (await publication.open(at('/feed/?size=2&page=1'))).text()).toBe('{"page":1}');
  for (const absent of ['/feed/?size=3', '/feed/none', '/feed/outside', '/feed', '/other/?a=1']) {
    await expect(publication.open(at(absent))).rejects.toThrow(NotPublished);
  }
});

test('an address that leads out of the folder is refused', async () => {
  for (const unsafe of [
    '/feed/..%2f..%2f..%2fetc/passwd',
    '/feed/%5c..%5cx',
    '/%00',
    '/feed/%E0',
  ]) {
    await expect(publication.open(at(unsafe))).rejects.toThrow(
      'is no address that a mirror can hold',
    );
  }
});

test('a document is opened by its magic bytes, without its byte order mark, as strict UTF-8', async () => {
  const list = await publication.open(at('/feed/list.gz'));
  expect(await list.text()).toBe('\uFEFFgrüße '.repeat(3000).slice(1));
  expect(await list.text()).toHaveLength('\uFEFFgrüße '.length * 3000 - 1);
  await expect((await publication.open(at('/feed/latin'))).text()).rejects.toThrow(
    'the text is not UTF-8',
  );
});

test('limits and checksums hold', async () => {
  await expect(publication.open(at('/feed/'), { maxBytes: 5 })).rejects.toThrow(
    'at most 5 are allowed',
  );
  await expect(
    publication.open(at('/feed/'), { checksum: { algorithm: 'sha1', value: 'f00' } }),
  ).rejects.toThrow('announced was f00');
  const bomb = await publication.open(at('/feed/list.gz'), { maxOpenBytes: 1000 });
  await expect(bomb.text()).rejects.toThrow('it opens to more than 1,000 bytes');
  const other = await publication.open(at('/feed/'), {
    openChecksum: { algorithm: 'sha256', value: 'f00' },
  });
  await expect(other.text()).rejects.toThrow('the vendor announced f00');
});

test('a document can be had as a file with room beside it', async () => {
  const file = await (await publication.open(at('/feed/list.gz'))).file();
  expect(gunzipSync(await readFile(file.path)).toString()).toBe('\uFEFFgrüße '.repeat(3000));
  expect(await readdir(file.folder)).toEqual([basename(file.path)]);
  file.taken(5);
  await file.remove();
  await expect(readdir(file.folder)).rejects.toThrow('ENOENT');
});

test('known keys and the clock are the ones given', async () => {
  const list = { key: 'some_list' } as Parameters<Publication['known']>[0];
  expect(await publication.known(list, ['b', 'c'])).toEqual(new Set(['b']));
  expect(publication.now()).toBe(5);
  expect(publication.readWholeAt).toBeNull();
});

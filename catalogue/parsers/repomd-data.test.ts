import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import { publicationFrom } from '../testing/publication-from.ts';
import { openRepositoryData } from './repomd.ts';

const repository = 'https://example.org/repo/';
const sum = (text: string) => createHash('sha256').update(text).digest('hex');
const createIndex = (name: string, content: string) =>
  `<repomd><data type="updateinfo"><checksum type="sha256">${sum(content)}</checksum><location href="repodata/${name}"/>` +
  '<size>1000</size><open-size>2000</open-size></data></repomd>';

/** Serves the documents of an address one after the other, and then the last one. */
function serving(served: Record<string, readonly string[]>): {
  publication: Publication;
  requests: [string, OpenOptions?][];
} {
  const requests: [string, OpenOptions?][] = [];
  const times = new Map<string, number>();
  async function open(url: string, options?: OpenOptions): Promise<Document> {
    requests.push(options === undefined ? [url] : [url, options]);
    const texts = served[url.replace(`${repository}repodata/`, '')] ?? [];
    const time = times.get(url) ?? 0;
    times.set(url, time + 1);
    const text = texts[Math.min(time, texts.length - 1)];
    if (text === undefined) throw new NotPublished(url);
    if (options?.checksum !== undefined && options.checksum.value !== sum(text))
      throw new Error(`${url} does not match its checksum`);
    return documentFrom(url, text);
  }
  return {
    requests: requests,
    publication: { ...publicationFrom('/nowhere'), open },
  };
}

test('checks documents against the index', async () => {
  const { publication, requests } = serving({
    'repomd.xml': [createIndex('a.xml', 'A')],
    'a.xml': ['A'],
  });
  const { repomd, data } = await openRepositoryData(publication, repository, 'updateinfo');
  expect(repomd.url).toBe(`${repository}repodata/repomd.xml`);
  expect(await data?.text()).toBe('A');
  expect(requests[1]?.[1]).toEqual({
    checksum: { algorithm: 'sha256', value: sum('A') },
    maxBytes: 1100,
    maxOpenBytes: 2200,
  });
});

test('requests a repository again that was exchanged between two requests', async () => {
  const exchanged = serving({
    'repomd.xml': [createIndex('a.xml', 'A'), createIndex('b.xml', 'B')],
    'b.xml': ['B'],
  });
  expect(
    await (await openRepositoryData(exchanged.publication, repository, 'updateinfo')).data?.text(),
  ).toBe('B');
  const sameName = serving({
    'repomd.xml': [createIndex('a.xml', 'A'), createIndex('a.xml', 'B')],
    'a.xml': ['B'],
  });
  expect(
    await (await openRepositoryData(sameName.publication, repository, 'updateinfo')).data?.text(),
  ).toBe('B');
  const emptied = serving({ 'repomd.xml': [createIndex('a.xml', 'A'), '<repomd/>'] });
  expect((await openRepositoryData(emptied.publication, repository, 'updateinfo')).data).toBeNull();
});

test('reports the failure of an unchanged index, and a broken index when its document is missing', async () => {
  const differs = serving({ 'repomd.xml': [createIndex('a.xml', 'A')], 'a.xml': ['B'] });
  await expect(openRepositoryData(differs.publication, repository, 'updateinfo')).rejects.toThrow(
    'does not match its checksum',
  );
  expect(differs.requests.map(([url]) => url.slice(repository.length))).toEqual([
    'repodata/repomd.xml',
    'repodata/a.xml',
    'repodata/repomd.xml',
  ]);
  const missing = serving({ 'repomd.xml': [createIndex('a.xml', 'A')] });
  await expect(openRepositoryData(missing.publication, repository, 'updateinfo')).rejects.toThrow(
    'a.xml, which is not there',
  );
  const missingTwice = serving({
    'repomd.xml': [createIndex('a.xml', 'A'), createIndex('b.xml', 'B')],
  });
  await expect(
    openRepositoryData(missingTwice.publication, repository, 'updateinfo'),
  ).rejects.toThrow('b.xml, which is not there');
});

test('reports a missing repository as not published', async () => {
  await expect(
    openRepositoryData(serving({}).publication, repository, 'updateinfo'),
  ).rejects.toThrow(NotPublished);
});

describeWithMirror('repositories of the mirror and the edge cases', () => {
  const open = (folder: string, path = '') =>
    openRepositoryData(
      publicationFrom(new URL(folder, feedMirror)),
      `https://${path}`,
      'updateinfo',
    );
  const edgeCase = (name: string) => open('edge-cases/', `rpm/${name}/`);

  test.each(['upper-case', 'zchunk', 'suse-repomd-no-open-size'])(
    'opens %s to its end',
    async (name) => {
      const { data } = await edgeCase(name);
      expect(await data?.text()).toContain('<updates');
    },
  );

  test('stops at a file that opens to more than announced', async () => {
    const { data } = await edgeCase('open-size-bomb');
    await expect(collect(data?.bytes() as AsyncIterable<Uint8Array>)).rejects.toThrow(
      'opens to more than 1,100 bytes',
    );
  });
});

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Document, NotPublished, type Publication } from '../definition/feed.ts';
import { allOf } from '../testing/all-of.ts';
import { documentFrom } from '../testing/document-from.ts';
import { openRepositories, readRepositories } from './updateinfo-repositories.ts';
import { listDocument } from '../formats/list-document.ts';

const repositories = ['https://example.org/oss/', 'https://example.org/sle/'];
const addressOf = (repository: string, name: string) => `https://example.org/${repository}/repodata/${name}`;

const updateinfo = (id: string) => `<updates><update><id>${id}</id></update></updates>`;

function indexOf(content: string): string {
  const sum = createHash('sha256').update(content).digest('hex');
  return `<repomd><data type="updateinfo"><checksum type="sha256">${sum}</checksum><location href="repodata/updateinfo.xml"/></data></repomd>`;
}

/** A repository that names its updateinfo. */
function published(repository: string, id: string): Record<string, string> {
  return {
    [addressOf(repository, 'repomd.xml')]: indexOf(updateinfo(id)),
    [addressOf(repository, 'updateinfo.xml')]: updateinfo(id),
  };
}

function publicationOf(served: Record<string, string>, last: readonly Document[] = [], readWholeAt: number | null = null): Publication {
  return {
    async open(url) {
      const text = served[url];
      if (text === undefined) throw new NotPublished(url);
      return documentFrom(url, text);
    },
    openList: async (list) => listDocument(list, []),
    known: async () => new Set(),
    readLast: async () => last,
    readWholeAt,
    now: () => 0,
  };
}

const urls = (documents: readonly Document[]) => documents.map(({ url }) => url);
const withoutUpdateinfo = { [addressOf('sle', 'repomd.xml')]: '<repomd/>' };
const lastOfSle = documentFrom(addressOf('sle', 'updateinfo.xml'), updateinfo('B'));

test('the updateinfo of each repository; those never published are passed over', async () => {
  const both = publicationOf({ ...published('oss', 'A'), ...published('sle', 'B') });
  const contents = await openRepositories(both, repositories);
  expect(urls(contents.documents)).toEqual([addressOf('oss', 'updateinfo.xml'), addressOf('sle', 'updateinfo.xml')]);
  expect(contents.whole).toBe(true);
  expect(await allOf(readRepositories(contents))).toMatchObject([{ id: 'A' }, { id: 'B' }]);

  const one = await openRepositories(publicationOf(published('sle', 'B')), repositories);
  expect(urls(one.documents)).toEqual([addressOf('sle', 'updateinfo.xml')]);
  expect(one.whole).toBe(true);
  await expect(openRepositories(publicationOf({}), repositories)).rejects.toThrow(NotPublished);
});

test('a repository that was read before and is gone fails all', async () => {
  const publication = publicationOf(published('oss', 'A'), [lastOfSle], 1);
  await expect(openRepositories(publication, repositories)).rejects.toThrow(NotPublished);
});

test('one that names no updateinfo any more is read from the last copy, and it is said', async () => {
  const publication = publicationOf({ ...published('oss', 'A'), ...withoutUpdateinfo }, [lastOfSle], 1);
  const contents = await openRepositories(publication, repositories);
  expect(contents.whole).toBe(true);
  expect(await allOf(readRepositories(contents))).toMatchObject([
    { remark: expect.stringContaining(`${addressOf('sle', 'repomd.xml')} names no updateinfo`) },
    { id: 'A' },
    { id: 'B' },
  ]);
  // And so again when that was what was read last.
  const again = publicationOf({ ...published('oss', 'A'), ...withoutUpdateinfo }, contents.documents, 1);
  expect(urls((await openRepositories(again, repositories)).documents)).toEqual(urls(contents.documents));
});

test('one that names none and of which no copy is kept withdraws nothing, once it may have had one', async () => {
  const served = { ...published('oss', 'A'), ...withoutUpdateinfo };
  const first = await openRepositories(publicationOf(served), repositories);
  expect(first.whole).toBe(true);
  expect((await openRepositories(publicationOf(served, [], 1), repositories)).whole).toBe(false);
  // That it had none is known from the time before.
  expect((await openRepositories(publicationOf(served, first.documents, 1), repositories)).whole).toBe(true);
});

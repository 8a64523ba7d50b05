import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, Publication } from '../definition/feed.ts';
import { listDocument } from '../parsers/list-document.ts';
import { allOf } from '../testing/all-of.ts';
import { documentFrom } from '../testing/document-from.ts';
import { openRepositories, readRepositories } from './updateinfo-repositories.ts';

const repositories = ['oss', 'sle'].map((name) => ({
  name,
  address: `https://example.org/${name}/`,
}));
const addressOf = (repository: string, name: string) =>
  `https://example.org/${repository}/repodata/${name}`;

const updateinfo = (id: string) =>
  `<updates><update><id>${id}</id><pkglist><collection><package name="wick"/></collection></pkglist></update></updates>`;

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

function publicationOf(
  served: Record<string, string>,
  last: readonly Document[] = [],
  readWholeAt: number | null = null,
  remembered?: Publication['remembered'],
): Publication {
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
    ...(remembered !== undefined && { remembered }),
    now: () => 0,
  };
}

const urls = (documents: readonly Document[]) => documents.map(({ url }) => url);
const withoutUpdateinfo = { [addressOf('sle', 'repomd.xml')]: '<repomd/>' };
const lastOfSle = documentFrom(addressOf('sle', 'updateinfo.xml'), updateinfo('B'));

test('the updateinfo of each repository; those never published are passed over', async () => {
  const both = publicationOf({ ...published('oss', 'A'), ...published('sle', 'B') });
  const contents = await openRepositories(both, repositories);
  expect(urls(contents.documents)).toEqual([
    addressOf('oss', 'updateinfo.xml'),
    addressOf('sle', 'updateinfo.xml'),
  ]);
  expect(contents.whole).toBe(true);
  expect(await allOf(readRepositories(contents, { label: 'Leap', tag: null }))).toMatchObject([
    { id: 'A' },
    { id: 'B' },
  ]);

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
  const publication = publicationOf(
    { ...published('oss', 'A'), ...withoutUpdateinfo },
    [lastOfSle],
    1,
  );
  const contents = await openRepositories(publication, repositories);
  expect(contents.whole).toBe(true);
  expect(contents.remarks).toEqual([
    {
      kind: 'remark',
      remark: expect.stringContaining(`${addressOf('sle', 'repomd.xml')} names no updateinfo`),
    },
  ]);
  expect(await allOf(readRepositories(contents, { label: 'Leap', tag: null }))).toMatchObject([
    { id: 'A' },
    { id: 'B' },
  ]);
  // And so again when that was what was read last.
  const again = publicationOf(
    { ...published('oss', 'A'), ...withoutUpdateinfo },
    contents.documents,
    1,
  );
  expect(urls((await openRepositories(again, repositories)).documents)).toEqual(
    urls(contents.documents),
  );
});

test('one that names none and of which no copy is kept withdraws nothing, once it may have had one', async () => {
  const served = { ...published('oss', 'A'), ...withoutUpdateinfo };
  const first = await openRepositories(publicationOf(served), repositories);
  expect(first.whole).toBe(true);
  expect((await openRepositories(publicationOf(served, [], 1), repositories)).whole).toBe(false);
  // That it had none is known from the time before.
  expect(
    (await openRepositories(publicationOf(served, first.documents, 1), repositories)).whole,
  ).toBe(true);
});

test('one that moved to an address without updateinfo is read from the copy of the old address, each time', async () => {
  const before = await openRepositories(
    publicationOf({ ...published('oss', 'A'), ...published('sle', 'B') }),
    repositories,
  );
  const moved = [repositories[0], { name: 'sle', address: 'https://example.org/sle-2/' }].flatMap(
    (repository) => repository ?? [],
  );
  const served = { ...published('oss', 'A'), [addressOf('sle-2', 'repomd.xml')]: '<repomd/>' };
  let { documents, remember } = before;
  for (const sync of ['the first', 'the second', 'the third']) {
    const contents = await openRepositories(publicationOf(served, documents, 1, remember), moved);
    const ids = (await allOf(readRepositories(contents, { label: 'Leap', tag: null }))).flatMap(
      (advisory) => (advisory.kind === 'advisory' ? [advisory.id] : []),
    );
    expect([sync, contents.whole, ids]).toEqual([sync, true, ['A', 'B']]);
    expect(contents.remarks).toHaveLength(1);
    ({ documents, remember } = contents);
  }
  // Without the copy nothing may be withdrawn, however often it is read.
  for (let sync = 0; sync < 3; sync++) {
    const withoutCopy = documents.filter(({ url }) => !url.includes('/sle/'));
    const contents = await openRepositories(publicationOf(served, withoutCopy, 1, remember), moved);
    expect(contents.whole).toBe(false);
    ({ documents, remember } = contents);
  }
  // Once the new address names updateinfo again, it alone counts.
  const healed = await openRepositories(
    publicationOf({ ...served, ...published('sle-2', 'C') }, documents, 1, remember),
    moved,
  );
  expect([healed.whole, urls(healed.documents)]).toEqual([
    true,
    [addressOf('oss', 'updateinfo.xml'), addressOf('sle-2', 'updateinfo.xml')],
  ]);
});

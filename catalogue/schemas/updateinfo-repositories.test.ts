import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, Publication } from '../definition/feed.ts';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { memoryPublication } from '../testing/memory-publication.ts';
import { openRepositories, readRepositories } from './updateinfo-repositories.ts';

const repositories = ['oss', 'sle'].map((name) => ({
  name,
  address: `https://example.org/${name}/`,
}));
const toAddress = (repository: string, name: string) =>
  `https://example.org/${repository}/repodata/${name}`;

const updateinfo = (id: string) =>
  `<updates><update><id>${id}</id><pkglist><collection><package name="wick"/></collection></pkglist></update></updates>`;

function createIndex(content: string): string {
  const sum = createHash('sha256').update(content).digest('hex');
  return `<repomd><data type="updateinfo"><checksum type="sha256">${sum}</checksum><location href="repodata/updateinfo.xml"/></data></repomd>`;
}

/** Documents of a repository that publishes updateinfo. */
function published(repository: string, id: string): Record<string, string> {
  return {
    [toAddress(repository, 'repomd.xml')]: createIndex(updateinfo(id)),
    [toAddress(repository, 'updateinfo.xml')]: updateinfo(id),
  };
}

function createPublication(
  served: Record<string, string>,
  last: readonly Document[] = [],
  lastCompleteReadAt: number | null = null,
  remembered?: Publication['remembered'],
): Publication {
  return {
    ...memoryPublication(served, { last, ...(remembered !== undefined && { remembered }) }),
    lastCompleteReadAt,
  };
}

const urls = (documents: readonly Document[]) => documents.map(({ url }) => url);
const withoutUpdateinfo = { [toAddress('sle', 'repomd.xml')]: '<repomd/>' };
const lastOfSle = documentFrom(toAddress('sle', 'updateinfo.xml'), updateinfo('B'));

test('reads the updateinfo of each repository and skips unpublished ones', async () => {
  const both = createPublication({ ...published('oss', 'A'), ...published('sle', 'B') });
  const contents = await openRepositories(both, repositories);
  expect(urls(contents.documents)).toEqual([
    toAddress('oss', 'updateinfo.xml'),
    toAddress('sle', 'updateinfo.xml'),
  ]);
  expect(contents.isComplete).toBe(true);
  expect(await collect(readRepositories(contents, { label: 'Leap', tag: null }))).toMatchObject([
    { id: 'A' },
    { id: 'B' },
  ]);

  const sleOnly = await openRepositories(createPublication(published('sle', 'B')), repositories);
  expect(urls(sleOnly.documents)).toEqual([toAddress('sle', 'updateinfo.xml')]);
  expect(sleOnly.isComplete).toBe(true);
  await expect(openRepositories(createPublication({}), repositories)).rejects.toThrow(NotPublished);
});

test('fails when a repository that was read before is gone', async () => {
  const publication = createPublication(published('oss', 'A'), [lastOfSle], 1);
  await expect(openRepositories(publication, repositories)).rejects.toThrow(NotPublished);
});

test('reads the last copy of a repository without updateinfo, and adds a remark', async () => {
  const publication = createPublication(
    { ...published('oss', 'A'), ...withoutUpdateinfo },
    [lastOfSle],
    1,
  );
  const contents = await openRepositories(publication, repositories);
  expect(contents.isComplete).toBe(true);
  expect(contents.remarks).toEqual([
    {
      kind: 'remark',
      remark: expect.stringContaining(`${toAddress('sle', 'repomd.xml')} names no updateinfo`),
    },
  ]);
  expect(await collect(readRepositories(contents, { label: 'Leap', tag: null }))).toMatchObject([
    { id: 'A' },
    { id: 'B' },
  ]);
  // A second sync from the copy gives the same documents.
  const again = createPublication(
    { ...published('oss', 'A'), ...withoutUpdateinfo },
    contents.documents,
    1,
  );
  expect(urls((await openRepositories(again, repositories)).documents)).toEqual(
    urls(contents.documents),
  );
});

test('marks contents as incomplete when a repository without updateinfo and without a copy may have had one', async () => {
  const served = { ...published('oss', 'A'), ...withoutUpdateinfo };
  const first = await openRepositories(createPublication(served), repositories);
  expect(first.isComplete).toBe(true);
  expect((await openRepositories(createPublication(served, [], 1), repositories)).isComplete).toBe(
    false,
  );
  // The earlier sync recorded that it had none.
  expect(
    (await openRepositories(createPublication(served, first.documents, 1), repositories))
      .isComplete,
  ).toBe(true);
});

test('reads the copy of the old address on every sync when a repository moved to one without updateinfo', async () => {
  const before = await openRepositories(
    createPublication({ ...published('oss', 'A'), ...published('sle', 'B') }),
    repositories,
  );
  const moved = [repositories[0], { name: 'sle', address: 'https://example.org/sle-2/' }].flatMap(
    (repository) => repository ?? [],
  );
  const served = { ...published('oss', 'A'), [toAddress('sle-2', 'repomd.xml')]: '<repomd/>' };
  let { documents, remember } = before;
  for (const sync of ['the first', 'the second', 'the third']) {
    const contents = await openRepositories(
      createPublication(served, documents, 1, remember),
      moved,
    );
    const ids = (await collect(readRepositories(contents, { label: 'Leap', tag: null }))).flatMap(
      (advisory) => (advisory.kind === 'advisory' ? [advisory.id] : []),
    );
    expect([sync, contents.isComplete, ids]).toEqual([sync, true, ['A', 'B']]);
    expect(contents.remarks).toHaveLength(1);
    ({ documents, remember } = contents);
  }
  // Without the copy the contents stay incomplete, so that nothing is withdrawn.
  for (let sync = 0; sync < 3; sync++) {
    const withoutCopy = documents.filter(({ url }) => !url.includes('/sle/'));
    const contents = await openRepositories(
      createPublication(served, withoutCopy, 1, remember),
      moved,
    );
    expect(contents.isComplete).toBe(false);
    ({ documents, remember } = contents);
  }
  // Only the new address is read once it publishes updateinfo again.
  const healed = await openRepositories(
    createPublication({ ...served, ...published('sle-2', 'C') }, documents, 1, remember),
    moved,
  );
  expect([healed.isComplete, urls(healed.documents)]).toEqual([
    true,
    [toAddress('oss', 'updateinfo.xml'), toAddress('sle-2', 'updateinfo.xml')],
  ]);
});

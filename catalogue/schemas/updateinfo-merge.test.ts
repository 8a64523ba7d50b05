import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { UpdateinfoAdvisory } from '../parsers/updateinfo.ts';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import { mergeUpdateinfo } from './updateinfo-merge.ts';

async function mergeDocuments(...documents: string[]): Promise<Map<string, UpdateinfoAdvisory>> {
  const read = await collect(
    mergeUpdateinfo(
      documents.map((text, index) => documentFrom(`https://example.org/${index}`, text)),
      { label: 'Lantern Linux', tag: null },
    ),
  );
  const advisories = read.filter((reading) => reading.kind === 'advisory');
  expect(new Set(advisories.map(({ id }) => id)).size).toBe(advisories.length);
  return new Map(advisories.map((advisory) => [advisory.id, advisory]));
}

const listNames = (advisory: UpdateinfoAdvisory | undefined) =>
  advisory?.packages.map(({ name }) => name).toSorted();

const update = (version: string, date: string, title: string, name: string) =>
  `<updates><update version="${version}"><id>A</id><title>${title}</title><updated date="${date}"/>
   <pkglist><collection><package name="${name}" arch="x86_64"/></collection></pkglist></update></updates>`;

test('merges all packages and takes the newest words, in any order of repositories', async () => {
  const [older, newer] = [
    update('1', '2021-06-03', 'older', 'a'),
    update('1', '2021-06-04', 'newer', 'b'),
  ];
  for (const documents of [
    [older, newer],
    [newer, older],
  ]) {
    const advisory = (await mergeDocuments(...documents)).get('A');
    expect(advisory?.title).toBe('newer');
    expect(listNames(advisory)).toEqual(['a', 'b']);
  }
});

test('adds the packages of a repository that has an older release of the advisory', async () => {
  const advisory = (
    await mergeDocuments(
      update('10', '2021-06-03', 'tenth', 'a'),
      update('9', '2021-06-04', 'ninth', 'b'),
    )
  ).get('A');
  expect(advisory?.title).toBe('tenth');
  expect(listNames(advisory)).toEqual(['a', 'b']);
});

describeWithMirror('duplicates in the feed mirror', () => {
  const edgeCase = (path: string) =>
    readFileSync(new URL(`edge-cases/rpm/${path}`, feedMirror), 'utf8');

  test('replaces an advisory by its re-release, in any order', async () => {
    const advisory = (await mergeDocuments(edgeCase('re-release.xml'))).get('TEST-2024-0007');
    expect(advisory?.title).toBe('second, replaces the first');
    expect(advisory?.packages.map(({ release }) => release)).toEqual(['2.el8']);
  });

  test('joins the pieces of an advisory in one file', async () => {
    const advisories = await mergeDocuments(edgeCase('duplicates/security-upgrade.xml'));
    expect(listNames(advisories.get('DNF-2019-1'))).toEqual(['bind-libs-lite', 'json-c', 'json-c']);
    expect(listNames(advisories.get('DNF-2019-4'))).toHaveLength(6);
    expect(
      [...(await mergeDocuments(edgeCase('duplicates/dnf-ci-security.xml'))).keys()].toSorted(),
    ).toEqual([
      'DNF-2019-1',
      'DNF-2019-2',
      'DNF-2019-3',
      'DNF-BUGFIX-001',
      'DNF-BUGFIX-003',
      'DNF-ENHANCEMENT-005',
      'DNF-SECURITY-002',
      'DNF-SECURITY-004',
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { documentFrom } from '../../testing/document-from.ts';
import { memoryPublication, type Served } from '../../testing/memory-publication.ts';
import { rpmRepositoryFrom, updateinfoFrom } from '../../testing/rpm-repository-from.ts';
import { openSnapshot, readSnapshotAddresses } from './amazonlinux-feed.ts';

const mirrorList = 'https://cdn.amazonlinux.com/al2023/core/mirrors/latest/x86_64/mirror.list';
const toSnapshotAddress = (digit: string) =>
  `https://cdn.amazonlinux.com/al2023/core/guids/${digit.repeat(64)}/x86_64/`;
const [a, b] = [toSnapshotAddress('a'), toSnapshotAddress('b')];

const readAddresses = (text: string) => readSnapshotAddresses(documentFrom(mirrorList, text));

describe('mirror list', () => {
  test.each([
    ['an address and a line feed', `${a}\n`, [a]],
    ['an address without a line feed', a, [a]],
    ['no slash at its end', a.slice(0, -1), [a]],
    ['blanks, empty lines and carriage returns', `\r\n  ${a}\t\r\n\n${b}\r\n`, [a, b]],
    ['a byte order mark', `\uFEFF${a}\n`, [a]],
    ['a comment', `# mirrors\n${a}\n`, [a]],
    ['an address twice', `${b}\n${a}\n${b.slice(0, -1)}\n`, [b, a]],
    ['the default port of https', a.replace('.com/', '.com:443/'), [a]],
    ['letters of the host in capitals', a.replace('cdn.amazonlinux', 'CDN.AmazonLinux'), [a]],
  ])('reads %s', async (_what, text, addresses) => {
    expect(await readAddresses(text)).toEqual(addresses);
  });

  test.each([
    ['nothing', ''],
    ['empty lines alone', '\n \r\n\t'],
    ['a page of a proxy', '<html><body>Sign in</body></html>'],
    ['http', a.replace('https:', 'http:')],
    ['another host', a.replace('amazonlinux.com', 'amazonlinux.example')],
    ['a host that begins like it', a.replace('.com/', '.com.example/')],
    ['another port', a.replace('.com/', '.com:8443/')],
    ['a name', a.replace('https://', 'https://user@')],
    ['a name and a password', a.replace('https://', 'https://user:secret@')],
    ['a query', `${a}?a=b`],
    ['an empty query', `${a}?`],
    ['a fragment', `${a}#part`],
    ['a relative address', '/al2023/core/guids/'],
    ['two addresses on one line', `${a} ${b}`],
    ['backslashes', a.replaceAll('/', '\\')],
    ['a good line and a bad one', `${a}\nfile:///etc/passwd\n`],
    [
      'more addresses than are tried',
      Array.from({ length: 11 }, (_, index) => `${a}${index}`).join('\n'),
    ],
  ])('refuses %s and states what is allowed', async (_what, text) => {
    const refused = readAddresses(text);
    await expect(refused).rejects.toThrow(BrokenDocument);
    await expect(refused).rejects.toThrow(
      /mirror\.list cannot be read: .*; allowed are 1 to 10 lines .* https, that host, no password, query or fragment\.$/,
    );
  });

  test('shortens a long line in the error', async () => {
    const error: unknown = await readAddresses('x'.repeat(50_000)).catch(
      (reason: unknown) => reason,
    );
    expect((error as Error).message.length).toBeLessThan(600);
  });
});

describe('snapshot', () => {
  const published = (snapshot: string) =>
    Object.fromEntries(
      Object.entries(rpmRepositoryFrom(snapshot, updateinfoFrom([]))).map(([path, content]) => [
        `https://${path}`,
        content,
      ]),
    );
  const index = `${a}repodata/repomd.xml`;
  const createPublication = (files: Served, ...lines: string[]) =>
    memoryPublication({ [mirrorList]: lines.join('\n'), ...files });
  const folders = ({ documents }: { documents: readonly Document[] }) =>
    documents.map(({ url }) => url.slice(0, a.length));

  test('reads the first address and does not request the others', async () => {
    const publication = createPublication({ ...published(a), ...published(b) }, a, b);
    const contents = await openSnapshot(publication, mirrorList);
    expect([folders(contents), contents.isComplete, contents.remarks]).toEqual([[a], true, []]);
    expect(publication.requested[0]).toBe(mirrorList);
    expect(publication.requested.filter((url) => url.startsWith(b))).toEqual([]);
  });

  test.each([
    ['is not published', {}, `${index} is not published (not found)`],
    [
      'cannot be fetched',
      { [index]: 503 },
      `${index} answered 503. The vendor's server is overloaded or down; the next sync tries again`,
    ],
    ['is broken', { [index]: 'no index' }, `${index} cannot be read: `],
  ])('reads the next address with a remark when the first %s', async (_what, files, reason) => {
    const publication = createPublication({ ...files, ...published(b) }, a, b);
    const { documents, isComplete, remarks } = await openSnapshot(publication, mirrorList);
    expect([folders({ documents }), isComplete]).toEqual([[b], true]);
    expect(remarks).toEqual([
      { kind: 'remark', remark: expect.stringContaining(`is read instead of ${a}: ${reason}`) },
    ]);
    expect(publication.distrusted).toEqual(reason.includes('cannot be read') ? [index] : []);
  });

  test('fails with the error of the first address when none can be read', async () => {
    const failing = createPublication({ [index]: 503 }, a, b);
    await expect(openSnapshot(failing, mirrorList)).rejects.toThrow(`${index} answered 503`);
    // The list is published, so a missing snapshot is an error of the list, not an unpublished release.
    const absent = openSnapshot(createPublication({}, a), mirrorList);
    await expect(absent).rejects.toThrow(BrokenDocument);
    await expect(absent).rejects.toThrow(
      `${mirrorList} cannot be read: it names ${index}, which is not there.`,
    );
  });

  test('treats an unpublished list as an unpublished release', async () => {
    await expect(openSnapshot(memoryPublication({}), mirrorList)).rejects.toThrow(NotPublished);
  });

  test('accepts a list of 64 KiB and refuses one of a byte more', async () => {
    const createList = (bytes: number) =>
      createPublication(published(a), a, `# ${'x'.repeat(bytes - a.length - 3)}`);
    expect(folders(await openSnapshot(createList(64 * 1024), mirrorList))).toEqual([a]);
    await expect(openSnapshot(createList(64 * 1024 + 1), mirrorList)).rejects.toThrow(
      BrokenDocument,
    );
  });

  test('passes a cancellation on instead of trying the next address', async () => {
    const stopped = new Error('stopped');
    const publication = createPublication(published(b), a, b);
    const open: Publication['open'] = (url, options) =>
      url.startsWith(a) ? Promise.reject(stopped) : publication.open(url, options);
    await expect(openSnapshot({ ...publication, open }, mirrorList)).rejects.toBe(stopped);
  });
});

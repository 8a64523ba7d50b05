import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { documentFrom } from '../testing/document-from.ts';
import { repomdRecord } from './repomd.ts';

const url = 'https://example.org/repo/x86_64/repodata/repomd.xml';
const read = (text: string, type = 'updateinfo') => repomdRecord(documentFrom(url, text), type);

const sha256 = 'ab'.repeat(32);
const index = (entry: string) =>
  `<?xml version="1.0"?><repomd xmlns="http://linux.duke.edu/metadata/repo"><revision>8.4</revision>${entry}</repomd>`;
const entryAt = (href: string, checksum = `<checksum type="sha256">${sha256}</checksum>`) =>
  index(`<data type="updateinfo">${checksum}<location href="${href}"/></data>`);

test('finds the record of exactly the type', async () => {
  const record = await read(
    index(`<data type="updateinfo_zck"><checksum type="sha256">${'0'.repeat(64)}</checksum><location href="repodata/a.zck"/></data>
      <data type="updateinfo"><checksum type="sha"> ${'AB'.repeat(20)} </checksum><open-checksum type="sha512">${'cd'.repeat(64)}</open-checksum>
      <location href="repodata/ABC-UPDATEINFO.xml.gz"/><timestamp>1</timestamp><size>1706</size><open-size>8335</open-size></data>
      <data type="updateinfo_db"/>`),
  );
  expect(record).toEqual({
    url: 'https://example.org/repo/x86_64/repodata/ABC-UPDATEINFO.xml.gz',
    checksum: { algorithm: 'sha1', value: 'ab'.repeat(20) },
    openChecksum: { algorithm: 'sha512', value: 'cd'.repeat(64) },
    size: 1706,
    openSize: 8335,
  });
});

test('returns null for missing values', async () => {
  expect(await read(entryAt('repodata/updateinfo.xml'))).toMatchObject({
    openChecksum: null,
    size: null,
    openSize: null,
  });
  expect(await read(index(''))).toBeNull();
  expect(await read(entryAt('repodata/updateinfo.xml'), 'primary')).toBeNull();
});

test.each([
  '',
  '../updateinfo.xml.gz',
  '../../../../etc/updateinfo.xml.gz',
  'repodata/../../x.xml',
  'repodata/%2e%2e/%2e%2e/x.xml',
  'repodata\\..\\..\\x.xml',
  '/etc/x.xml',
  '//elsewhere.example/x.xml',
  'http://169.254.169.254/latest/meta-data',
  'file:///etc/hostname',
  'repodata/x.xml?y=1',
])('refuses a location at "%s"', async (href) => {
  await expect(read(entryAt(href))).rejects.toThrow('which is not a path inside of the repository');
});

test.each([
  '',
  '<checksum type="md5">d41d8cd98f00b204e9800998ecf8427e</checksum>',
  '<checksum type="sha256">abc</checksum>',
  '<checksum/>',
])('refuses a record without a verifiable checksum: %s', async (checksum) => {
  await expect(read(entryAt('repodata/updateinfo.xml', checksum))).rejects.toThrow(
    'has no checksum that can be verified',
  );
});

test('names the address of a document that is not an index', async () => {
  for (const broken of [
    '<html></html>',
    'Service unavailable',
    '<repomd><data type="updateinfo">',
    '',
  ]) {
    await expect(read(broken)).rejects.toThrow(url);
  }
});

describeWithMirror('the index of repositories among the edge cases', () => {
  const edgeCase = (path: string) =>
    read(readFileSync(new URL(`edge-cases/rpm/${path}`, feedMirror), 'utf8'));

  test.each([
    'repomd-no-updateinfo.xml',
    'repomd-empty.xml',
    'suse-repomd-zst-without-updateinfo.xml',
    'legacy/suse-10.2-repomd.xml',
  ])('finds no updateinfo in %s', async (path) => {
    expect(await edgeCase(path)).toBeNull();
  });

  test.each(['href-dotdot-repomd.xml', 'href-absolute-repomd.xml', 'href-file-repomd.xml'])(
    'refuses %s, which leads elsewhere',
    async (path) => {
      await expect(edgeCase(path)).rejects.toThrow('which is not a path inside of the repository');
    },
  );

  test.each([
    [
      'zchunk/repodata/repomd.xml',
      '88514679cb03d8f51e850ad3639c089f899e83407a2380ef9e62873a8eb1db13-updateinfo_01.xml.gz',
    ],
    [
      'upper-case/repodata/repomd.xml',
      'f8b36eddf2e4615249233b82ea2247f6ded9a778-UPDATEINFO.xml.gz',
    ],
    [
      'suse-repomd-no-open-size/repodata/repomd.xml',
      '0967c2f17755f88a7e8b2185a9b2a87d72cc3f10cc3574e3fcedd997e84db42b-updateinfo.xml.gz',
    ],
  ])('finds the file of %s', async (path, name) => {
    expect((await edgeCase(path))?.url).toBe(`https://example.org/repo/x86_64/repodata/${name}`);
  });
});

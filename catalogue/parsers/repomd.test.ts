import { expect, test } from 'vitest';
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

import { createReadStream, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { describeWithMirror, feedMirror } from '../testing/describe-with-mirror.ts';
import { createDocument } from './create-document.ts';
import { readUpdateinfo, type UpdateinfoAdvisory } from './updateinfo.ts';

const file = (path: string) => {
  const address = new URL(path, feedMirror);
  return createDocument({ url: address.href, sha256: '', size: 0, lastModified: null }, () =>
    createReadStream(address),
  );
};
const edgeCase = (path: string) => file(`edge-cases/rpm/${path}`);

async function advisories(path: string): Promise<UpdateinfoAdvisory[]> {
  return (await collect(readUpdateinfo(edgeCase(path)))).filter(
    (reading) => reading.kind === 'advisory',
  );
}

describeWithMirror('updateinfo among the edge cases', () => {
  test('refuse a wrong checksum inside of the archive, and a truncated file', async () => {
    await expect(advisories('corrupt-crc/repodata/corrupt-updateinfo.xml.gz')).rejects.toThrow(
      'the gzip data cannot be read',
    );
    await expect(advisories('truncated-updateinfo.xml.gz')).rejects.toThrow('cannot be read');
  });

  test('refuse zchunk and the old index with a reason', async () => {
    const chunked = readdirSync(new URL('edge-cases/rpm/zchunk/repodata/', feedMirror)).find(
      (name) => name.endsWith('.zck'),
    );
    await expect(advisories(`zchunk/repodata/${chunked}`)).rejects.toThrow(
      'zchunk is not supported',
    );
    for (const name of ['suse-10.2-patches.xml', 'suse-10.2-patch-openssl-2349.xml'])
      await expect(advisories(`legacy/${name}`)).rejects.toThrow('its outermost element is <patch');
  });

  test.each([
    ['modules/dnf-ci-fedora-modular-updates.xml', 1],
    ['modules/advisories-updates.xml', 5],
    ['pulp/assets.xml', 4],
    ['pulp/assets-modularity.xml', 1],
    ['pulp/assets-srpm.xml', 2],
    ['duplicates/security-upgrade.xml', 10],
    ['duplicates/dnf-ci-security.xml', 13],
    ['duplicates/security-upgrade-duplicates-1.xml', 5],
    ['duplicates/security-upgrade-duplicates-2.xml', 4],
    [
      'suse-repomd-no-open-size/repodata/0967c2f17755f88a7e8b2185a9b2a87d72cc3f10cc3574e3fcedd997e84db42b-updateinfo.xml.gz',
      6,
    ],
  ])('read %s completely', async (path, count) => {
    expect(await advisories(path)).toHaveLength(count);
  });

  test('read all of openSUSE 11.0, where 21 ids occur twice', async () => {
    const read = await collect(
      readUpdateinfo(file('download.opensuse.org/update/11.0/repodata/updateinfo.xml.gz')),
    );
    const ids = read.flatMap((reading) => (reading.kind === 'advisory' ? [reading.id] : []));
    expect(ids).toHaveLength(164);
    expect(read).toHaveLength(164);
    expect(new Set(ids.filter((id, index) => ids.indexOf(id) !== index)).size).toBe(21);
  });
});

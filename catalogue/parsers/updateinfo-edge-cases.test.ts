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

async function others(path: string) {
  return (await collect(readUpdateinfo(edgeCase(path)))).filter(
    (reading) => reading.kind !== 'advisory',
  );
}

const day = (text: string) => Date.parse(`${text}Z`);

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

  test('accept unusual ids, and reject a record without one', async () => {
    expect(
      (await advisories('bad-id/repodata/badid-updateinfo.xml.gz')).map(({ id }) => id),
    ).toEqual(['NOT-A-VALID-ADVISORY-ID']);
    expect(await others('all-fields-missing.xml.xz')).toMatchObject([
      { kind: 'rejection', rejected: 'update 1', reason: 'it has no id' },
    ]);
  });

  test('read dates as text, mangled, missing, in every spelling', async () => {
    const [asText, ...more] = await advisories('issued-as-text.xml');
    expect(asText).toMatchObject({
      id: 'RLSA-2022:1821',
      issued: day('2022-05-10T08:02:50'),
      packages: [],
    });
    expect(more).toHaveLength(1);

    const mangled = (await advisories('mangled-dates.xml')).find(
      ({ id }) => id === 'RHEA-2012:0057',
    );
    expect(mangled).toMatchObject({ issued: null, updated: day('2013-01-27T16:08:05') });
    expect(await others('mangled-dates.xml')).toContainEqual({
      kind: 'remark',
      remark: 'RHEA-2012:0057: issued "15mangled2" is not a date that can be read',
    });

    expect(
      (await advisories('missing-issued.xml')).map(({ issued, updated }) => [issued, updated]),
    ).toEqual([
      [null, day('2024-05-06T07:08:09')],
      [null, null],
    ]);

    const same = 1704164645000;
    expect((await advisories('dates.xml')).map(({ issued }) => issued)).toEqual([
      same,
      same,
      same,
      same,
      1704164645250,
      1704164640000,
      1704153600000,
      4102358400000,
    ]);
    expect(await others('dates.xml')).toMatchObject([
      { kind: 'remark', remark: expect.stringContaining('lies in the future') },
    ]);
  });

  test('read an empty element and the word True as yes for reboot, restart and login', async () => {
    const [advisory] = await advisories('reboot-suggested.xml');
    expect(advisory).toMatchObject({
      rebootSuggested: true,
      restartSuggested: null,
      packages: [{ rebootSuggested: true, restartSuggested: true, reloginSuggested: true }],
    });
  });

  test('resolve character references once, and entities of a DTD never', async () => {
    const [escaped] = await advisories('ampersands.xml');
    expect(`${escaped?.id} ${escaped?.title}`).toMatch(/&(?!amp;)/);
    const [bomb] = await advisories('entity-expansion.xml');
    expect(bomb?.title).toBe('&c;&x;');
    expect(await others('entity-expansion.xml')).toMatchObject([
      { kind: 'remark', remark: expect.stringContaining('TEST-2024-0401 is not well formed') },
    ]);
    const [markup] = await advisories('markup-in-description.xml');
    expect(markup?.description).toMatch(/<[a-z]+.*>[^]*\n/i);
  });

  test('assign a module to its collection only', async () => {
    const [advisory] = await advisories('modules/dnf-ci-multicontext-modular-advisory.xml');
    expect(advisory?.modules.map(({ context }) => context)).toEqual(['iiiiiiiii', 'hhhhhhhhhh']);
    expect(advisory?.packages.map(({ module }) => module?.context)).toEqual([
      'iiiiiiiii',
      'hhhhhhhhhh',
    ]);
    const two = (await advisories('mangled-dates.xml')).find(({ modules }) => modules.length === 2);
    expect(new Set(two?.packages.map(({ module }) => module?.name)).size).toBe(2);
  });

  test('read both updates around markup in a title', async () => {
    expect((await advisories('tr-in-title.xml')).map(({ id, title }) => [id, title])).toEqual([
      ['TEST-2024-0001', 'demo security update'],
      ['TEST-2024-0002', 'next update'],
    ]);
    expect(await others('tr-in-title.xml')).toMatchObject([
      { kind: 'remark', remark: expect.stringContaining('TEST-2024-0001 is not well formed') },
    ]);
  });

  test('ignore prefixes, and accept a missing epoch', async () => {
    expect(await advisories('namespaced.xml')).toMatchObject([
      {
        id: 'demo',
        type: 'recommended',
        version: '36',
        issued: 1213630432000,
        packages: [{ name: 'demo', epoch: null }],
      },
    ]);
    const [, security] = await advisories('suse-modern-shape.xml');
    expect(security?.references.find(({ type }) => type === 'cve')?.id).toBe('CVE-2024-00002');
  });

  test('read no records from an empty file', async () => {
    expect(await collect(readUpdateinfo(edgeCase('updateinfo-empty.xml')))).toEqual([]);
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

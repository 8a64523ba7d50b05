import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { readUpdateinfo, updateinfoIds } from './updateinfo.ts';

const url = 'https://example.org/repo/repodata/updateinfo.xml';
const documentOfUpdates = (updates: string) => documentFrom(url, `<updates>${updates}</updates>`);
const read = (updates: string) => collect(readUpdateinfo(documentOfUpdates(updates)));

test('reads a complete advisory', async () => {
  const [advisory, ...more] = await read(`
    <update from="releng@example.org" status="final" type="security" version="2">
      <id>XXSA-2021:4101</id><title>Important: lanternd
        security update</title>
      <issued date="2021-06-03 00:00:00"/><updated date="1622764800"/>
      <release>Example Linux 8</release><severity>Important</severity>
      <summary>An update of lanternd.</summary>
      <description>lanternd:\n\n  * overflow in &lt;wick&gt; parsing\n</description>
      <reboot_suggested>0</reboot_suggested><restart_suggested>True</restart_suggested>
      <references><reference href="https://example.org/CVE-2021-20001" id="CVE-2021-20001" type="cve" title=""/><reference/></references>
      <pkglist>
        <collection short="a"><name>a</name>
          <module name="lantern-tools" stream="4" version="8090020210101010101" context="abcdef01" arch="x86_64"/>
          <package name="lanternd" epoch="2" version="4.1" release="7.el8" arch="x86_64" src="lanternd-4.1-7.el8.src.rpm">
            <filename>Packages/lanternd-4.1-7.el8.x86_64.rpm</filename><sum type="sha256">${'1'.repeat(64)}</sum><reboot_suggested/><relogin_suggested>1</relogin_suggested>
          </package>
        </collection>
        <collection><package name="candle" version="0.9" release="1" arch="noarch"/></collection>
      </pkglist>
    </update>`);
  const module = {
    name: 'lantern-tools',
    stream: '4',
    version: '8090020210101010101',
    context: 'abcdef01',
    arch: 'x86_64',
  };
  expect(more).toEqual([]);
  expect(advisory).toEqual({
    kind: 'advisory',
    id: 'XXSA-2021:4101',
    title: 'Important: lanternd security update',
    description: 'lanternd:\n\n  * overflow in <wick> parsing\n',
    summary: 'An update of lanternd.',
    type: 'security',
    severity: 'Important',
    status: 'final',
    version: '2',
    release: 'Example Linux 8',
    issued: Date.UTC(2021, 5, 3),
    updated: Date.UTC(2021, 5, 4),
    rebootSuggested: false,
    restartSuggested: true,
    reloginSuggested: null,
    packages: [
      {
        name: 'lanternd',
        epoch: '2',
        version: '4.1',
        release: '7.el8',
        arch: 'x86_64',
        src: 'lanternd-4.1-7.el8.src.rpm',
        module,
        checksum: '1'.repeat(64),
        checksumType: 'sha256',
        rebootSuggested: true,
        restartSuggested: null,
        reloginSuggested: true,
      },
      {
        name: 'candle',
        epoch: null,
        version: '0.9',
        release: '1',
        arch: 'noarch',
        src: null,
        module: null,
        checksum: null,
        checksumType: null,
        rebootSuggested: null,
        restartSuggested: null,
        reloginSuggested: null,
      },
    ],
    modules: [module],
    references: [
      {
        id: 'CVE-2021-20001',
        type: 'cve',
        title: null,
        href: 'https://example.org/CVE-2021-20001',
      },
    ],
  });
});

test('reads missing values as null', async () => {
  const [advisory] = await read(
    '<update severity="low"><id>A</id><issued/><description> \n</description><pkglist/></update>',
  );
  expect(advisory).toEqual({
    kind: 'advisory',
    id: 'A',
    title: null,
    description: null,
    summary: null,
    type: null,
    severity: 'low',
    status: null,
    version: null,
    release: null,
    issued: null,
    updated: null,
    rebootSuggested: null,
    restartSuggested: null,
    reloginSuggested: null,
    packages: [],
    modules: [],
    references: [],
  });
});

test('rejects a record without an id or with a nameless package, and reads the others', async () => {
  const package_ = (name: string) =>
    `<pkglist><collection><package name="${name}"/></collection></pkglist>`;
  const readings = await read(
    `<update><id/></update><update><id>A</id>${package_(' ')}</update><update><id>B</id>${package_('b')}</update>`,
  );
  expect(readings).toMatchObject([
    { kind: 'rejection', rejected: 'update 1', reason: 'it has no id', url },
    { kind: 'rejection', rejected: 'A', reason: 'one of its packages has no name', url },
    { id: 'B' },
  ]);
});

test('reads dates as attribute or text, and reports unreadable and future ones', async () => {
  const readings = await read(
    `<update><id>A</id><issued>1238171951</issued><updated date="15mangled2"/></update>
     <update><id>B</id><issued date="2199-01-02"/></update>`,
  );
  expect(readings).toMatchObject([
    { kind: 'remark', remark: 'A: updated "15mangled2" is not a date that can be read' },
    { id: 'A', issued: 1238171951000, updated: null },
    { kind: 'remark', remark: 'B: issued "2199-01-02" lies in the future' },
    { id: 'B', issued: Date.UTC(2199, 0, 2) },
  ]);
});

test('reports unescaped markup once per record, and reads the record', async () => {
  const readings = await read(
    '<update><id>A</id><title><tr> demo &nbsp; update</title><description>x <b>y</p></description></update><update><id>B</id></update>',
  );
  expect(readings).toMatchObject([
    {
      kind: 'remark',
      remark: expect.stringMatching(
        /^A is not well formed at line 1 \(.+\); it is read as far as that allows$/,
      ),
    },
    { id: 'A', title: 'demo &nbsp; update', description: expect.stringContaining('y') },
    { id: 'B' },
  ]);
});

test('names the address of a document that is not updateinfo, or truncated', async () => {
  const texts = [
    '<html><body/></html>',
    '<patches/>',
    'Service unavailable',
    '<updates><update><id>A</id></update><',
    '<updates>',
    '',
  ];
  for (const text of texts) {
    for (const parse of [readUpdateinfo, updateinfoIds])
      await expect(collect<unknown>(parse(documentFrom(url, text)))).rejects.toThrow(
        `${url} cannot be read`,
      );
  }
});

test('reads the ids alone, equal to those of the advisories', async () => {
  const document = documentOfUpdates(
    '<update><title><tr>x</title><id> A </id></update><update><id>B &amp; C</id><x><id>D</id></x></update><update><id/></update>',
  );
  expect(await collect(updateinfoIds(document))).toEqual(['A', 'B & C']);
  const ids = (await collect(readUpdateinfo(document))).flatMap((reading) =>
    reading.kind === 'advisory' ? [reading.id] : [],
  );
  expect(ids).toEqual(['A', 'B & C']);
});

test('uses no id that may be damaged', async () => {
  expect(
    await read('<update><id>&bogus; A</id><title>x</title></update><update><id>B</id></update>'),
  ).toMatchObject([
    { kind: 'remark', remark: expect.stringContaining(`${url} is not well formed`) },
    { kind: 'rejection', rejected: 'update 1', reason: 'its id is damaged' },
    { id: 'B' },
  ]);
});

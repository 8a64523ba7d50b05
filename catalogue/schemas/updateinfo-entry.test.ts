import { expect, test } from 'vitest';
import { readUpdateinfo } from '../parsers/updateinfo.ts';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { toUpdateinfoEntry } from './updateinfo-entry.ts';

const url = 'https://example.org/repodata/updateinfo.xml';

async function advisories(text: string) {
  return (await collect(readUpdateinfo(documentFrom(url, text)))).filter(
    (reading) => reading.kind === 'advisory',
  );
}

async function readEntry(update: string, attributes = 'type="security"') {
  const [advisory] = await advisories(
    `<updates><update ${attributes}><id>XXSA-2021:1</id>${update}</update></updates>`,
  );
  if (advisory === undefined) throw new Error('no advisory');
  return toUpdateinfoEntry(advisory, 'Example Linux 8');
}

test('maps an advisory to a row and a detail', async () => {
  const package_ = (name: string, attributes: string, inside = '') =>
    `<package name="${name}" version="4.1" release="7.el8" ${attributes}>${inside}</package>`;
  const lanternd = package_(
    'lanternd',
    'epoch="2" arch="x86_64" src="lanternd-4.1-7.el8.src.rpm"',
    '<sum type="sha">abc</sum>',
  );
  const { row, detail } = await readEntry(
    `<title>lanternd security update</title><issued date="2021-06-03"/><updated date="2021-06-04"/><severity>IMPORTANT</severity>
     <summary>In short.</summary>
     <references>
       <reference href="https://example.org/XXSA-2021:1" id="XXSA-2021:1" type="self"/>
       <reference href="javascript:alert(1)" id="CVE-2021-20001" type="CVE"/>
       <reference href="https://example.org/2" id="2222" type="cve" title="CVE-2999"/>
       <reference href="https://access.redhat.com/errata/RHSA-2021:4101" id="RHSA-2021:4101" type="erratum"/>
     </references>
     <pkglist>
       <collection><module name="lantern" stream="4"/>
         ${package_('candle', 'arch="noarch" src="https://example.org/"', '<reboot_suggested/><relogin_suggested/>')}${lanternd}</collection>
       <collection><module name="lantern" stream="4"/>${lanternd}${package_('lanternd-src', 'arch="src" src="src/lanternd.src.rpm"')}</collection>
     </pkglist>`,
  );
  expect(row).toEqual({
    title: 'lanternd security update',
    releaseDate: Date.UTC(2021, 5, 3),
    bulletinId: 'XXSA-2021:1',
    severity: 'Important',
    binaryPkgName: ['lanternd', 'candle'],
    category: 'security',
    osVersion: ['Example Linux 8'],
  });
  const { packages, modules, references, ...facts } = detail;
  expect(facts).toEqual({
    updatedDate: Date.UTC(2021, 5, 4),
    description: 'In short.',
    rebootSuggested: true,
    restartSuggested: null,
    reloginSuggested: true,
    vendorSeverity: 'IMPORTANT',
    vendorCategory: 'security',
    status: null,
    referenceLink: 'https://example.org/XXSA-2021:1',
    cve: ['CVE-2021-20001'],
    upstreamAdvisories: ['RHSA-2021:4101'],
  });
  expect(
    packages?.map(({ name, version, sourcePackage, module }) => [
      name,
      version,
      sourcePackage,
      module,
    ]),
  ).toEqual([
    ['candle', '4.1-7.el8', null, 'lantern:4'],
    ['lanternd', '2:4.1-7.el8', 'lanternd-4.1-7.el8.src.rpm', 'lantern:4'],
    ['lanternd-src', '4.1-7.el8', 'lanternd.src.rpm', 'lantern:4'],
  ]);
  expect(packages?.[1]).toMatchObject({
    checksum: 'abc',
    checksumType: 'sha1',
    rebootSuggested: null,
  });
  expect(modules).toEqual([
    { name: 'lantern', stream: '4', version: null, context: null, architecture: null },
  ]);
  expect(references).toHaveLength(4);
  expect(references?.[1]?.address).toBeNull();
});

test('reports unknown words and shows them as written', async () => {
  const { row, detail, unknownWords } = await readEntry(
    '<severity>urgent</severity>',
    'type="hotfix" status="final"',
  );
  expect(row).toMatchObject({ severity: 'Unspecified', category: 'other' });
  expect(detail).toMatchObject({
    vendorSeverity: 'urgent',
    vendorCategory: 'hotfix',
    status: 'final',
  });
  expect(unknownWords).toEqual([
    { vocabulary: 'severity', word: 'urgent', shownAs: 'Unspecified' },
    { vocabulary: 'category', word: 'hotfix', shownAs: 'other' },
  ]);
  expect((await readEntry('<severity>low</severity>')).unknownWords).toEqual([]);
});

test('falls back to the update date and to the category of the id', async () => {
  const { row } = await readEntry('<updated date="2021-06-04"/>', '');
  expect(row).toMatchObject({
    releaseDate: Date.UTC(2021, 5, 4),
    category: 'security',
    severity: 'Unspecified',
  });
  expect((await readEntry('')).row.releaseDate).toBeNull();
});

test('reads all CVEs of a reference, and reports those that are none', async () => {
  const { detail, unknownWords } = await readEntry(
    `<references>
       <reference id="CVE-2024-3333, CVE-2024-4444" type="cve"/>
       <reference id="cve-2024-5555 CVE-2024-6666" type="cve"/>
       <reference id="CVE-2024-7" type="cve"/><reference id="7777" type="CVE"/>
       <reference id="8888" type="bugzilla"/>
     </references>`,
  );
  expect(detail.cve).toEqual([3333, 4444, 5555, 6666].map((number) => `CVE-2024-${number}`));
  expect(unknownWords).toEqual([
    { vocabulary: 'CVE', word: 'CVE-2024-7', shownAs: 'no CVE' },
    { vocabulary: 'CVE', word: '7777', shownAs: 'no CVE' },
  ]);
});

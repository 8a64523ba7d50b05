import { expect, test } from 'vitest';
import { getList } from '../lists.ts';
import { updateXml } from './updateinfo-xml.ts';

const almalinux = {
  list: getList('almalinux_patch'),
  release: 'AlmaLinux 8',
  epochs: null,
} as const;

const bash = { name: 'bash', version: '1:4.4.20-4.el8', architecture: 'x86_64' };

const erratum = (detail: object = {}, row: object = {}) => ({
  row: {
    bulletinId: 'ALSA-2024:1',
    title: 'bash <security> update',
    severity: 'Important',
    category: 'security',
    releaseDate: Date.UTC(2024, 0, 2, 3, 4, 5),
    ...row,
  },
  detail: { packages: [bash], ...detail },
});

test('writes an erratum with its packages, dates and references', () => {
  const detail = {
    updatedDate: Date.UTC(2024, 1, 3),
    description: 'Fixes & more',
    vendorSeverity: 'IMPORTANT',
    rebootSuggested: true,
    referenceLink: 'https://errata.example.org/1.html',
    cve: ['CVE-2024-0001', 'CVE-2024-0002'],
    references: [
      { name: 'CVE-2024-0001', type: 'cve', title: null, address: 'https://cve.example.org/1' },
      { name: '77', type: 'bugzilla', title: 'A bug', address: 'https://bugs.example.org/77' },
    ],
    packages: [
      {
        ...bash,
        sourcePackage: 'bash-4.4.20-4.el8.src.rpm',
        checksum: 'ab12',
        checksumType: 'md5',
      },
    ],
  };
  expect(updateXml(erratum(detail), almalinux)).toBe(
    `${[
      '<update from="AlmaLinux" status="final" type="security" version="1"><id>ALSA-2024:1</id>',
      '<title>bash &lt;security&gt; update</title><issued date="2024-01-02 03:04:05"/>',
      '<updated date="2024-02-03 00:00:00"/><severity>IMPORTANT</severity><release>AlmaLinux 8</release>',
      '<description>Fixes &amp; more</description><reboot_suggested>True</reboot_suggested><references>',
      '<reference href="https://errata.example.org/1.html" id="ALSA-2024:1" title="bash &lt;security&gt; update" type="self"/>',
      '<reference href="https://cve.example.org/1" id="CVE-2024-0001" title="CVE-2024-0001" type="cve"/>',
      '<reference href="https://bugs.example.org/77" id="77" title="A bug" type="bugzilla"/>',
      '<reference href="https://www.cve.org/CVERecord?id=CVE-2024-0002" id="CVE-2024-0002" title="CVE-2024-0002" type="cve"/>',
      '</references><pkglist><collection short="AlmaLinux 8"><name>AlmaLinux 8</name>',
      '<package name="bash" epoch="1" version="4.4.20" release="4.el8" arch="x86_64" src="bash-4.4.20-4.el8.src.rpm">',
      '<filename>bash-4.4.20-4.el8.x86_64.rpm</filename><sum type="md5">ab12</sum></package>',
      '</collection></pkglist></update>',
    ].join('')}\n`,
  );
});

test('writes a collection for each module stream, which fits every build of it', () => {
  const node = { name: 'nodejs', version: '1:12.2-1.module_el8', architecture: 'x86_64' };
  const module = (context: string) => `nodejs:12:8030020201124152102:${context}:x86_64`;
  const xml = updateXml(
    erratum({
      packages: [
        bash,
        { ...node, module: module('229f0a1c') },
        { ...node, name: 'npm', module: module('522a0ee4') },
      ],
    }),
    almalinux,
  );
  expect(xml.match(/<collection .*?<\/collection>/g)).toEqual([
    expect.stringMatching(/^<collection short="AlmaLinux 8">(?!.*<module).*name="bash"/),
    expect.stringMatching(
      /^<collection short="nodejs:12"><name>nodejs:12<\/name><module name="nodejs" stream="12" version="" context="" arch=""\/>.*name="nodejs".*name="npm"/,
    ),
  ]);
});

test.each([
  [{ vendorCategory: 'recommended' }, { category: 'bugfix' }, 'recommended'],
  [{ vendorCategory: 'newpackage' }, { category: 'enhancement' }, 'newpackage'],
  [{ vendorCategory: 'Bug Fix Advisory' }, { category: 'bugfix' }, 'bugfix'],
  [{ vendorCategory: 'TYPE_SECURITY' }, { category: 'security' }, 'security'],
  [{}, { category: 'enhancement' }, 'enhancement'],
  [{}, { category: null }, 'other'],
])('maps %j of %j to the type %s', (detail, row, type) => {
  expect(updateXml(erratum(detail, row), almalinux)).toContain(` type="${type}"`);
});

test.each([
  [{ vendorSeverity: 'medium' }, 'Moderate', '<severity>medium</severity>'],
  [{}, 'Moderate', '<severity>Moderate</severity>'],
  [{}, 'None', '<severity>None</severity>'],
  [{}, 'Unspecified', ''],
])("writes the vendor's severity %j, or %s", (detail, severity, element) => {
  const xml = updateXml(erratum(detail, { severity }), almalinux);
  expect(/<severity>.*<\/severity>/.exec(xml)?.[0] ?? '').toBe(element);
});

test('writes the patch name as the id where the vendor has one', () => {
  const xml = updateXml(erratum({}, { patchName: 'openSUSE-2024-137' }), almalinux);
  expect(xml).toContain('<id>openSUSE-2024-137</id>');
});

test.each([
  ['a retracted erratum', erratum({ status: 'retracted' })],
  ['an erratum without an identifier', erratum({}, { bulletinId: null })],
])('returns nothing for %s', (_, one) => {
  expect(updateXml(one, almalinux)).toBe('');
});

test('takes missing epochs from other vendors, and says of which packages it knows none', () => {
  const centos = {
    list: getList('centos_patch'),
    release: 'CentOS 7',
    epochs: new Map([
      ['openssl', '1'],
      ['bash', '0'],
    ]),
  };
  const packages = ['openssl', 'bash', 'rare', 'openssl'].map((name) => ({
    name,
    version: '1.0-1.el7',
    architecture: 'i686',
  }));
  const xml = updateXml(erratum({ packages, description: 'Words.' }), centos);
  expect(
    [...xml.matchAll(/name="(\w+)" epoch="(\d+)"/g)].map(([, name, epoch]) => [name, epoch]),
  ).toEqual([
    ['openssl', '1'],
    ['bash', '0'],
    ['rare', '0'],
    ['openssl', '1'],
  ]);
  expect(/<description>.*<\/description>/s.exec(xml)?.[0]).toBe(
    '<description>Words.\n\nNote of Patch Repository: CentOS states no epochs. Epoch 0 is assumed of rare: an update with another epoch is not recognised.</description>',
  );
});

test('says which packages of a module have no stream, 20 at most', () => {
  const packages = Array.from({ length: 23 }, (_, index) => ({
    name: `npm-${String(index).padStart(2, '0')}`,
    version: '1-1.module+el8.4.0+557',
    architecture: 'x86_64',
  }));
  const xml = updateXml(erratum({ packages }), almalinux);
  expect(xml).toMatch(
    /AlmaLinux does not state the module stream of npm-00, npm-01, .*, npm-19 and 3 more: machines/,
  );
});

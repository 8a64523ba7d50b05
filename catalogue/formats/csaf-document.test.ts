/** CSAF documents of records that are written here in the form of each vendor's list. */
import { expect, test } from 'vitest';
import { getList } from '../lists.ts';
import type { StoredValues } from '../machines/judgement/stored-values.ts';
import { csafDocument } from './csaf-document.ts';
import { csafVendor } from './csaf-lists.ts';
import type { KnownCve } from './csaf-vulnerabilities.ts';

const created = Date.UTC(2026, 0, 1, 12);

interface Described {
  readonly list: Parameters<typeof getList>[0];
  readonly identifier: string;
  readonly parts: readonly { readonly row: StoredValues; readonly detail: StoredValues }[];
  readonly changed?: number;
  readonly known?: ReadonlyMap<string, KnownCve>;
}

function buildDocument({ list, identifier, parts, changed = created, known }: Described) {
  const [first, ...others] = parts.map((part) => ({ ...part, updated: changed, withdrawn: null }));
  if (first === undefined) throw new Error('An advisory has a record');
  return csafDocument(
    getList(list),
    identifier,
    [first, ...others],
    { created, changed, isWithdrawn: false },
    {
      publisher: { category: 'multiplier', name: 'Us', namespace: 'https://us.example' },
      baseUrl: 'https://us.example/api/csaf',
      vendor: csafVendor(getList(list)),
      known: known ?? new Map(),
    },
  );
}

const bash = {
  row: {
    title: 'bash update',
    severity: 'Important',
    osVersion: ['Oracle Linux 8'],
    releaseDate: Date.UTC(2024, 4, 6),
  },
  detail: {
    cve: ['cve-2024-0001', 'CVE-2024-0002'],
    referenceLink: 'https://linux.example/errata/ELSA-1.html',
    rebootSuggested: true,
    packages: [
      { name: 'bash', version: '1:4.4.20-4.el8+2', architecture: 'x86_64' },
      { name: 'bash', version: '1:4.4.20-4.el8+2', architecture: 'aarch64' },
      { name: 'bash', version: '1:4.4.20-4.el8+2', architecture: 'src' },
    ],
    vulnerabilities: [
      {
        cve: 'CVE-2024-0001',
        score: '1.0',
        vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      },
    ],
  },
};

test('relates a package to its release, with versions before the fix affected', () => {
  const { product_tree: tree, vulnerabilities } = buildDocument({
    list: 'oracle_linux_patch',
    identifier: 'ELSA-2024-1',
    parts: [bash],
  });
  const [vendor] = tree.branches;
  expect(vendor?.name).toBe('Oracle Linux');
  expect(vendor?.branches).toMatchObject([
    {
      category: 'product_name',
      name: 'bash',
      branches: [
        { category: 'product_version_range', name: 'vers:rpm/<1:4.4.20-4.el8%2B2' },
        {
          category: 'product_version',
          name: '1:4.4.20-4.el8+2',
          product: {
            product_identification_helper: {
              purls: ['x86_64', 'aarch64'].map(
                (architecture) =>
                  `pkg:rpm/ol/bash@4.4.20-4.el8%2B2?arch=${architecture}&distro=ol-8&epoch=1`,
              ),
            },
          },
        },
      ],
    },
    { category: 'product_name', name: 'Oracle Linux 8' },
  ]);
  const names = new Map(
    tree.relationships?.map(({ full_product_name: { name, product_id } }) => [product_id, name]),
  );
  expect(tree.relationships?.map(({ category }) => category)).toEqual([
    'default_component_of',
    'default_component_of',
  ]);
  const [first] = vulnerabilities;
  const { known_affected: affected = [], fixed = [] } = first?.product_status ?? {};
  expect(affected.map((id) => names.get(id))).toEqual([
    'bash before 1:4.4.20-4.el8+2 of Oracle Linux 8',
  ]);
  expect(fixed.map((id) => names.get(id))).toEqual(['bash 1:4.4.20-4.el8+2 of Oracle Linux 8']);
  expect(first?.remediations).toEqual([
    {
      category: 'vendor_fix',
      date: '2024-05-06T00:00:00.000Z',
      details: 'Install bash 1:4.4.20-4.el8+2, or later versions.',
      product_ids: affected,
      restart_required: { category: 'system' },
      url: 'https://linux.example/errata/ELSA-1.html',
    },
  ]);
});

test('scores by the vector, from the vendor and from the catalogue of CVEs', () => {
  const { vulnerabilities } = buildDocument({
    list: 'oracle_linux_patch',
    identifier: 'ELSA-2024-1',
    parts: [bash],
    known: new Map([
      [
        'CVE-2024-0001',
        {
          title: 'A hole',
          score: { vector: 'AV:N/AC:L/Au:N/C:P/I:P/A:P', score: 3 },
          exploitedSince: Date.UTC(2024, 6, 7),
        },
      ],
      [
        'CVE-2024-0002',
        { title: null, score: { vector: 'CVSS:9/AV:N', score: 5.3 }, exploitedSince: null },
      ],
    ]),
  });
  const [first, second] = vulnerabilities;
  expect(first?.metrics).toMatchObject([
    {
      source: 'https://linux.example/errata/ELSA-1.html',
      content: { cvss_v3: { baseScore: 9.8, baseSeverity: 'CRITICAL', version: '3.1' } },
    },
    {
      source: 'https://nvd.nist.gov/vuln/detail/CVE-2024-0001',
      content: { cvss_v2: { baseScore: 7.5, version: '2.0' } },
    },
  ]);
  expect(first?.title).toBe('A hole');
  expect(first?.threats).toEqual([
    {
      category: 'exploit_status',
      details: 'CISA lists it as known exploited since 2024-07-07.',
    },
  ]);
  expect(second?.cve).toBe('CVE-2024-0002');
  expect(second).not.toHaveProperty('metrics');
  expect(second?.notes.at(-1)).toEqual({
    category: 'other',
    text: 'CVSS:9/AV:N, score 5.3',
    title: 'CVSS',
  });
  expect(second).not.toHaveProperty('threats');
});

test('names the advisory where a record names no CVE, and keeps other names as ids', () => {
  const csaf = buildDocument({
    list: 'kb_repository',
    identifier: 'KB890830',
    parts: [
      {
        row: { title: 'Tool (KB890830) x64', productName: ['Windows 10', 'Windows 11'] },
        detail: { cve: [] },
      },
      { row: { title: 'Tool', productName: [] }, detail: { cve: ['ADV990001'] } },
    ],
  });
  expect(csaf.vulnerabilities.map(({ ids }) => ids)).toEqual([
    [{ system_name: 'Microsoft', text: 'KB890830' }],
    [{ system_name: 'Microsoft', text: 'ADV990001' }],
  ]);
  expect(csaf.document.title).toBe('Tool x64');
  const [own, other] = csaf.vulnerabilities;
  expect(own?.notes[0]?.text).toBe('KB890830 of Microsoft names no CVE.');
  expect(own?.product_status.known_affected).toHaveLength(2);
  expect(own?.remediations?.[0]).toMatchObject({ group_ids: ['G1'] });
  expect(csaf.product_tree.product_groups).toEqual([
    { group_id: 'G1', product_ids: own?.product_status.known_affected },
  ]);
  expect(other?.product_status.known_affected).toHaveLength(1);
});

test('reads macOS releases, subscriptions of Ubuntu and packages of Pardus', () => {
  const mac = buildDocument({
    list: 'macos_patch',
    identifier: '062-1',
    parts: [
      {
        row: { title: 'macOS Sonoma 14.4', version: '14.4', cve: ['CVE-2024-3'] },
        detail: { restartBehaviour: 'Required', securityContent: 'https://apple.example/14.4' },
      },
    ],
  });
  expect(mac.product_tree.branches[0]).toMatchObject({
    name: 'Apple',
    branches: [{ name: 'macOS 14', branches: [{ name: '<14.4' }, { name: '14.4' }] }],
  });
  const ubuntu = buildDocument({
    list: 'linux_notice',
    identifier: 'USN-1-1',
    parts: [
      {
        row: { title: 'curl', published: created },
        detail: {
          cve: ['CVE-2024-0004'],
          releasePackages: [
            ['Ubuntu 22.04 LTS', 'security', '7.81-1ubuntu1'],
            ['Ubuntu 18.04 LTS', 'esm-infra', '7.58-2ubuntu3+esm1'],
            // Old notices name no pocket.
            ['Ubuntu 14.04 LTS', null, '7.35-1ubuntu2.20+esm1'],
          ].map(([osVersion, pocket, version]) => ({
            name: 'curl',
            is_source: true,
            osVersion,
            pocket,
            version,
          })),
        },
      },
    ],
  });
  expect(ubuntu.vulnerabilities[0]?.remediations).toMatchObject([
    { details: 'Install curl 7.81-1ubuntu1, or later versions.' },
    {
      details: 'Install curl 7.58-2ubuntu3+esm1, curl 7.35-1ubuntu2.20+esm1, or later versions.',
      entitlements: ['Ubuntu Pro'],
    },
  ]);
  const pardus = buildDocument({
    list: 'pardus_patch',
    identifier: 'snapcast 0.23.0+dfsg1-1',
    parts: [
      {
        row: {
          title: 'Snapcast',
          pkgName: 'snapcast',
          osVersion: 'Pardus 21 guvenlik',
          pkgAndVersion: 'snapcast 0.23.0+dfsg1-1',
        },
        detail: {},
      },
    ],
  });
  expect(JSON.stringify(pardus.product_tree)).toContain(
    'pkg:deb/pardus/snapcast@0.23.0%2Bdfsg1-1?arch=source&distro=pardus-21',
  );
});

test('says that CentOS states no epochs, and of no other vendor', () => {
  const titles = (list: Described['list']) =>
    buildDocument({
      list,
      identifier: 'CESA-2024:1',
      parts: [{ row: { title: 'bind', osVersion: ['CentOS 7'] }, detail: {} }],
    }).document.notes.map(({ title }) => title);
  expect(titles('centos_patch')).toContain('Epochs');
  expect(titles('almalinux_patch')).not.toContain('Epochs');
});

test('raises the version with each change, and says that a fix was retracted', () => {
  const at = (changed: number, status = 'stable') =>
    buildDocument({
      list: 'opensuse_patch',
      identifier: 'openSUSE-SU-2024:0150-1',
      changed,
      parts: [
        {
          row: { ...bash.row, osVersion: ['openSUSE Leap 15.6'], patchName: 'openSUSE-2024-150' },
          detail: { ...bash.detail, status },
        },
      ],
    });
  const [first, second, third] = [
    at(created),
    at(created + 1),
    at(Date.UTC(2026, 9, 1), 'retracted'),
  ];
  expect(first.document.tracking).toMatchObject({
    version: '1.0.0',
    aliases: ['openSUSE-2024-150'],
    current_release_date: first.document.tracking.initial_release_date,
  });
  expect(second.document.tracking.version).toBe('1.20260101.120000001');
  expect(third.document.tracking).toMatchObject({
    version: '1.20261001.0',
    revision_history: [{ number: '1.0.0' }, { summary: 'Retracted by openSUSE.' }],
  });
  expect(third.vulnerabilities[0]?.product_status).not.toHaveProperty('fixed');
  expect(third.vulnerabilities[0]?.remediations).toMatchObject([{ category: 'none_available' }]);
  expect(third.document.references[0]).toEqual({
    category: 'self',
    summary: 'This document',
    url: 'https://us.example/api/csaf/2026/opensuse-su-2024_0150-1.json',
  });
});

test('keeps the fix of a package that another record of the advisory retracted', () => {
  const part = (status: string) => ({
    row: { ...bash.row, osVersion: ['openSUSE Leap 15.6'] },
    detail: { ...bash.detail, status },
  });
  const { vulnerabilities } = buildDocument({
    list: 'opensuse_patch',
    identifier: 'openSUSE-SU-2024:0150-1',
    parts: [part('retracted'), part('stable')],
  });
  expect(vulnerabilities[0]?.product_status.fixed).toHaveLength(1);
  expect(vulnerabilities[0]?.remediations?.map(({ category }) => category)).toEqual(['vendor_fix']);
});

test.each([
  ['patch_repository', { severity: 'Low' }, { severity: 'Critical' }, 'Critical'],
  ['debian_patch', { priority: 'High' }, { priority: 'Low' }, 'high'],
  ['linux_notice', { priority: 'Medium' }, {}, 'Medium'],
  ['centos_patch', {}, {}, undefined],
] as const)('states the highest severity of all records: %s', (list, first, second, stated) => {
  const { document } = buildDocument({
    list,
    identifier: 'ONE-1',
    parts: [
      { row: first, detail: list === 'debian_patch' ? { vendorPriority: 'high' } : {} },
      { row: second, detail: {} },
    ],
  });
  expect(document.aggregate_severity?.text).toBe(stated);
});

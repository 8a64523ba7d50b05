/** Packages of CycloneDX and SPDX documents as scanners write them. */
import { expect, test } from 'vitest';
import { readInventory } from './read-inventory.ts';
import { readAs } from './testing/read-as.ts';

const purls = [
  'pkg:rpm/rocky/bind-libs@9.11.4-26.el8?arch=x86_64&epoch=32&distro=rocky-8.4&rpmmod=bind%3A9.11%3A1%3A2',
  'pkg:deb/debian/bsdutils@1%3A2.36.1-8?arch=amd64&upstream=util-linux%402.36.1-8&distro=debian-11',
];

test.each([
  [
    'CycloneDX',
    {
      bomFormat: 'CycloneDX',
      specVersion: '1.4',
      components: [{ type: 'container', name: 'x', components: purls.map((purl) => ({ purl })) }],
    },
  ],
  [
    'SPDX',
    {
      spdxVersion: 'SPDX-2.3',
      packages: purls.map((referenceLocator) => ({
        externalRefs: [{ referenceType: 'purl', referenceLocator }],
      })),
    },
  ],
] as const)('reads packages of %s with epoch, module and source', (format, document) => {
  const { packages, distribution, release } = readAs(format, JSON.stringify(document));
  expect([distribution, release]).toEqual(['rocky', '8.4']);
  expect(packages).toMatchObject([
    {
      name: 'bind-libs',
      epoch: '32',
      version: '9.11.4-26.el8',
      module: { name: 'bind', stream: '9.11' },
    },
    {
      name: 'bsdutils',
      version: '1:2.36.1-8',
      source: { name: 'util-linux', version: '2.36.1-8' },
    },
  ]);
});

test.each([
  // Trivy with the qualifier, with the epoch in the version, and with both.
  ['deb/debian/git@2.99.0-1%2Bdeb11u9?arch=amd64&distro=debian-11.6&epoch=1', '1:2.99.0-1+deb11u9'],
  ['deb/debian/git@1:2.99.0-1?arch=amd64&distro=debian-11.6', '1:2.99.0-1'],
  ['deb/debian/attr@1:2.5.2-3?arch=amd64&distro=debian-13&epoch=1', '1:2.5.2-3'],
  ['deb/debian/bash@5.2.15-2?arch=amd64&distro=debian-12&epoch=0', '5.2.15-2'],
  ['rpm/oracle/bind@32%3A9.99.36-99.el8?arch=x86_64&distro=oracle-8.10', '32 9.99.36-99.el8'],
  ['rpm/oracle/bind@9.99.36-99.el8?arch=x86_64&distro=oracle-8.10&epoch=32', '32 9.99.36-99.el8'],
  [
    'rpm/oracle/bind@32:9.99.36-99.el8?arch=x86_64&distro=oracle-8.10&epoch=32',
    '32 9.99.36-99.el8',
  ],
  ['rpm/oracle/bash@4.4.20-5.el8?arch=x86_64&distro=oracle-8.10', '0 4.4.20-5.el8'],
])('reads the epoch of pkg:%s', (url, expected) => {
  const document = { bomFormat: 'CycloneDX', components: [{ purl: `pkg:${url}` }] };
  const { packages } = readAs('CycloneDX', JSON.stringify(document));
  expect(
    packages.map(({ epoch, version }) => [epoch, version].filter((one) => one !== null).join(' ')),
  ).toEqual([expected]);
});

test('reports an SBOM that describes an application', () => {
  const document = { bomFormat: 'CycloneDX', components: [{ purl: 'pkg:npm/react@19.0.0' }] };
  const { machine, unreadable } = readInventory(JSON.stringify(document));
  expect(machine).toMatchObject({ platform: null, packages: [] });
  expect(unreadable[0]?.reason).toMatch(/application \(npm\), not the packages of a machine/);
});

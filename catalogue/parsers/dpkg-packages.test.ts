import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { binaryPackages } from './dpkg-packages.ts';

const url = 'https://example.org/main/binary-amd64/Packages';
const packages = async (text: string) =>
  (await collect(binaryPackages({ component: 'main', document: documentFrom(url, text) }))).flat();

test.each([
  ['', 'wick', '1:0.9-1+b1'],
  ['Source: lantern\n', 'lantern', '1:0.9-1+b1'],
  ['Source: lantern (1:0.9-1)\n', 'lantern', '1:0.9-1'],
  ['Source: \n', 'wick', '1:0.9-1+b1'],
])('reads %j as built from %s %s', async (line, source, sourceVersion) => {
  expect(
    await packages(`Package: wick\nVersion: 1:0.9-1+b1\nArchitecture: amd64\n${line}`),
  ).toMatchObject([{ source, sourceVersion }]);
});

test('leaves missing and strange values empty', async () => {
  expect(
    await packages(
      'Package: wick\nVersion: 1\nArchitecture: all\nSize: big\nDescription:\nFilename:\n',
    ),
  ).toEqual([
    {
      kind: 'package',
      name: 'wick',
      version: '1',
      architecture: 'all',
      source: 'wick',
      sourceVersion: '1',
      priority: null,
      section: null,
      synopsis: null,
      description: null,
      filename: null,
      size: null,
      sha256: null,
      phased: null,
    },
  ]);
});

test.each([
  ['0', 0],
  ['40', 40],
  ['100', 100],
  ['101', null],
  ['-1', null],
  ['half', null],
])('reads a phased update of %s', async (written, phased) => {
  expect(
    await packages(
      `Package: wick\nVersion: 1\nArchitecture: all\nPhased-Update-Percentage: ${written}\n`,
    ),
  ).toMatchObject([{ phased }]);
});

test('names a record that is not a package', async () => {
  expect(await packages('Package: wick\nArchitecture: all\n\nVersion: 1\n')).toEqual([
    { kind: 'rejection', rejected: 'wick', reason: 'it has no Version', url },
    { kind: 'rejection', rejected: 'record 2', reason: 'it has no Package, no Architecture', url },
  ]);
});

test.each([
  [
    'Package: wick\n goes on\nVersion: 1\nArchitecture: all',
    'wick goes on',
    'its Package cannot be understood',
  ],
  ['Package: wick\nVersion: 1 or 2\nArchitecture: all', 'wick', 'its Version cannot be understood'],
  [
    'Package: wick\nVersion: 1\nArchitecture: all\nSource: lantern (1) (2)',
    'wick',
    'its Source cannot be understood',
  ],
])('rejects %j', async (text, rejected, reason) => {
  expect(await packages(text)).toEqual([{ kind: 'rejection', rejected, reason, url }]);
});

test('omits an invalid checksum, and other values that are not one word', async () => {
  const odd = 'SHA256: 12\n 34\nSection: net\n admin\nPriority: extra or not\nFilename: a b\n';
  expect(await packages(`Package: wick\nVersion: 1\nArchitecture: all\n${odd}`)).toMatchObject([
    { sha256: null, section: null, priority: null, filename: null },
  ]);
});

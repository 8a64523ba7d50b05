import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { readUnfixedVulnerabilities } from './dpkg-unfixed.ts';
import { trackerAddress } from './dpkg-urgencies.ts';

const releases: Readonly<Record<string, string>> = { bullseye: 'Debian 11', bookworm: 'Debian 12' };

const read = (tracker: object) =>
  collect(
    readUnfixedVulnerabilities(
      documentFrom(trackerAddress, JSON.stringify(tracker)),
      (codename) => releases[codename] ?? null,
    ),
  );

const open = (urgency: string, more: object = {}) => ({ status: 'open', urgency, ...more });

test('lists open entries of known releases with release and package', async () => {
  const found = await read({
    wick: {
      'CVE-2023-1000': {
        releases: {
          bullseye: open('not yet assigned', { nodsa: 'Minor issue' }),
          bookworm: { status: 'resolved', fixed_version: '1.2-3', urgency: 'low' },
          sid: open('low'),
        },
      },
      'CVE-2023-1001': { releases: { bookworm: open('end-of-life') } },
    },
  });
  expect(found).toEqual([
    { kind: 'unfixed', release: 'Debian 11', package: 'wick', cve: 'CVE-2023-1000' },
    { kind: 'unfixed', release: 'Debian 12', package: 'wick', cve: 'CVE-2023-1001' },
  ]);
});

test.each([
  [
    'unimportant entries',
    { wick: { 'CVE-2023-1002': { releases: { bullseye: open('unimportant**') } } } },
  ],
  [
    'undetermined entries',
    { wick: { 'CVE-2023-1000': { releases: { bullseye: { status: 'undetermined' } } } } },
  ],
  [
    'names that are not CVE ids',
    { wick: { 'TEMP-0000000-AAAAAA': { releases: { bullseye: open('low') } } } },
  ],
  ['an empty list instead of the releases', { wick: { 'CVE-2023-1000': { releases: [] } } }],
  [
    'an invalid package name',
    { 'Wick /': { 'CVE-2023-1000': { releases: { bullseye: open('low') } } } },
  ],
])('leaves out %s', async (_, tracker) => {
  expect(await read(tracker)).toEqual([]);
});

test('adds a remark on records that are not objects', async () => {
  expect(await read({ wick: ['CVE-2023-1000'], tallow: null })).toEqual([
    {
      kind: 'remark',
      remark: expect.stringMatching(/that have another form were left out: 2 .*wick/),
    },
  ]);
});

import { expect, test } from 'vitest';
import { collect } from '../testing/collect.ts';
import { documentFrom } from '../testing/document-from.ts';
import { readPackageStatuses, trackerAddress } from './dpkg-tracker.ts';

const releases: Readonly<Record<string, string>> = { bullseye: 'Debian 11', bookworm: 'Debian 12' };

const read = (tracker: object) =>
  collect(
    readPackageStatuses(
      documentFrom(trackerAddress, JSON.stringify(tracker)),
      (codename) => releases[codename] ?? null,
    ),
  );

const open = (urgency: string, more: object = {}) => ({ status: 'open', urgency, ...more });

test('reads the word of entries of known releases with release and package', async () => {
  const found = await read({
    wick: {
      'CVE-2023-1000': {
        releases: {
          bullseye: open('not yet assigned', { nodsa: 'Minor issue', nodsa_reason: '' }),
          bookworm: { status: 'resolved', fixed_version: '1.2-3', urgency: 'low' },
          sid: open('low'),
        },
      },
      'CVE-2023-1001': {
        releases: {
          bullseye: open('low', { nodsa: 'Minor issue', nodsa_reason: 'ignored' }),
          bookworm: open('end-of-life'),
        },
      },
      'CVE-2023-1002': {
        releases: {
          bullseye: open('high**', { nodsa: 'Later', nodsa_reason: 'postponed' }),
          bookworm: { status: 'undetermined', urgency: 'not yet assigned' },
        },
      },
      'CVE-2023-1003': {
        releases: { bullseye: { status: 'resolved', fixed_version: '0', urgency: 'unimportant' } },
      },
    },
  });
  expect(
    found.map((item) =>
      item.kind === 'status' ? `${item.release} ${item.package} ${item.cve} ${item.word}` : item,
    ),
  ).toEqual([
    'Debian 11 wick CVE-2023-1000 open',
    'Debian 11 wick CVE-2023-1001 ignored',
    'Debian 12 wick CVE-2023-1001 open',
    'Debian 11 wick CVE-2023-1002 postponed',
    'Debian 12 wick CVE-2023-1002 undetermined',
    'Debian 11 wick CVE-2023-1003 not_affected',
  ]);
});

test.each([
  [
    'unimportant entries',
    { wick: { 'CVE-2023-1002': { releases: { bullseye: open('unimportant**') } } } },
  ],
  [
    'version 0 of a release that is not supported any more',
    {
      wick: {
        'CVE-2023-1000': {
          releases: {
            bullseye: { status: 'resolved', fixed_version: '0', urgency: 'end-of-life' },
          },
        },
      },
    },
  ],
  ['an unknown status', { wick: { 'CVE-2023-1000': { releases: { bullseye: { status: 'x' } } } } }],
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

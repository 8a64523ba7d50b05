/** How All patches names the release of a record, on values of several lists. */
import { expect, it } from 'vitest';
import { getList, type ListKey } from '../lists.ts';
import { majorMac } from '../machines/judgement/macos-judgement.ts';
import { recordMapping, toIndexedRecord } from './record-mapping.ts';

const releasesOf = (key: ListKey, row: Readonly<Record<string, unknown>>) =>
  toIndexedRecord(recordMapping(getList(key), 'Vendor'), row, {}).release;

it.each([
  ['jammy-updates', 'Ubuntu 22.04 LTS'],
  ['jammy-security', 'Ubuntu 22.04 LTS'],
  ['jammy', 'Ubuntu 22.04 LTS'],
  ['oracular-backports', 'Ubuntu 24.10'],
  ['trusty-proposed', 'Ubuntu 14.04 LTS'],
])('names the release of the suite %s', (distribution, release) => {
  expect(releasesOf('linux_patch_repository', { distribution })).toEqual([release]);
});

it.each(['zesty-zebra', 'quokka-updates', 'jammy-unknown', 'constructor', 'Jammy'])(
  'keeps the value when no release is known for %s',
  (distribution) => {
    expect(releasesOf('linux_patch_repository', { distribution })).toEqual([distribution]);
  },
);

it('names a release as the notices of the same vendor name it', () => {
  const affectedOs = ['Ubuntu 22.04 LTS'];
  expect(releasesOf('linux_notice', { affectedOs })).toEqual(
    releasesOf('linux_patch_repository', { distribution: 'jammy-updates' }),
  );
});

it('keeps what a list with the names of releases states', () => {
  expect(releasesOf('debian_patch', { osVersion: 'jammy-updates' })).toEqual(['jammy-updates']);
});

it('names a release of macOS as machines name it', () => {
  expect(releasesOf('macos_patch', { osVersion: ['10.15', '26'] })).toEqual([
    majorMac('10.15.7'),
    majorMac('26.1'),
  ]);
});

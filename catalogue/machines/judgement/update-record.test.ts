/** Rows of the lists as the judgements read them. */
import { expect, test } from 'vitest';
import { applicationRelease, macRelease, windowsUpdate } from './update-record.ts';

test('reads a KB of a product', () => {
  const row = { kbId: 'KB5034441', supersededBy: ['KB5034765', '5035845'], releaseDate: 1 };
  const detail = { line: 'Cumulative update', fixedBuild: ['10.0.19045.3930'] };
  expect(windowsUpdate({ key: 'one', row, detail })).toEqual({
    key: 'one',
    kb: '5034441',
    line: 'Cumulative update',
    fixedBuilds: ['10.0.19045.3930'],
    supersededBy: ['5034765', '5035845'],
    releaseDate: 1,
  });
  expect(windowsUpdate({ key: 'one', row: {}, detail })).toBeNull();
  expect(windowsUpdate({ key: 'one', row: { kbId: '1' }, detail: {} })).toMatchObject({
    line: 'Other product',
    fixedBuilds: [],
    releaseDate: null,
  });
});

test.each([
  ['macOS Sequoia', '15.7.3'],
  ['macOS Big Sur', '15.7.3'],
  ['Safari', null],
  ['Secure Token Helper', null],
])('reads %s as version %s of the system', (title, version) => {
  const record = { key: 'one', row: { title, version: '15.7.3', build: '24G419' }, detail: {} };
  expect(macRelease(record)).toEqual({ key: 'one', version, build: '24G419' });
});

test.each(['SecUpd2021-008Catalina', 'Security Update 2021-008'])(
  'reads %s as an update of its system',
  (title) => {
    const record = { key: 'one', row: { title, version: '10.15.7' }, detail: {} };
    const expected = { key: 'one', version: '10.15.7', build: null, isSecurityUpdate: true };
    expect(macRelease(record)).toEqual(expected);
  },
);

test('reads an application with the codes of all its packages', () => {
  const packages = ['{A}', null, '{A}', '{B}'].map((productCode) => ({ productCode }));
  const row = { name: 'Git', version: '2.43.0' };
  const detail = { packageId: 'Git.Git', releasePackages: packages };
  expect(applicationRelease({ key: 'one', row, detail })).toEqual({
    key: 'one',
    name: 'Git',
    identifier: 'Git.Git',
    productCodes: ['{A}', '{B}'],
    version: '2.43.0',
  });
});

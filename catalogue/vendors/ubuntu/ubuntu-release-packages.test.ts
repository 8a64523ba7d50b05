import { describe, expect, test } from 'vitest';
import { documentFrom } from '../../testing/document-from.ts';
import { type ReleasePackage, readReleasePackages, reconciled } from './ubuntu-release-packages.ts';

const unknown = { version: null, pocket: null, is_source: null, is_visible: null };
const named = (name: string, more: Partial<ReleasePackage> = {}): ReleasePackage => ({
  ...unknown,
  name,
  ...more,
});
const source = (name: string, more: Partial<ReleasePackage> = {}) =>
  named(name, { is_source: true, ...more });
const binary = (name: string, more: Partial<ReleasePackage> = {}) =>
  named(name, { is_source: false, ...more });

describe('what the API lists and what the database knows', () => {
  test('gaps are filled, what is listed stands', () => {
    const known = [
      binary('wick', { version: '2', pocket: 'updates', is_visible: true }),
      source('wick', { version: '2' }),
    ];
    const listed = [source('wick', { version: '1' }), binary('wick', { pocket: 'security' })];
    expect(reconciled(listed, known)).toEqual([
      source('wick', { version: '1' }),
      binary('wick', { version: '2', pocket: 'security', is_visible: true }),
    ]);
    expect(reconciled(listed, [])).toEqual(listed);
  });

  test('a package of the wrong kind is corrected, unless it is listed as the other one too', () => {
    expect(reconciled([binary('wick')], [source('wick', { version: '2' })])).toEqual([
      source('wick', { version: '2' }),
    ]);
    expect(reconciled([named('wick')], [source('wick')])).toEqual([source('wick')]);
    expect(
      reconciled([binary('wick'), source('wick')], [source('wick', { version: '2' })]),
    ).toEqual([binary('wick'), source('wick', { version: '2' })]);
  });

  test('of a package without a kind that is known as both, the binary one is meant', () => {
    expect(reconciled([named('wick')], [source('wick'), binary('wick')])).toEqual([
      binary('wick'),
      source('wick'),
    ]);
  });

  test('what is listed twice is completed twice', () => {
    const listed = [binary('wick', { pocket: 'security' }), binary('wick', { pocket: 'updates' })];
    expect(reconciled(listed, [binary('wick', { version: '2' })])).toEqual(
      listed.map((one) => ({ ...one, version: '2' })),
    );
  });

  test('what is not listed is added, in the same order whatever that of the database is', () => {
    const known = [binary('b'), source('c'), binary('a')];
    const expected = [binary('z'), source('c'), binary('a'), binary('b')];
    expect(reconciled([binary('z')], known)).toEqual(expected);
    expect(reconciled([binary('z')], known.toReversed())).toEqual(expected);
  });
});

test('the lists of a record: visible is what the short one has', async () => {
  const release = {
    sources: { wick: { version: 2, description: 'a wick' }, snuffer: {} },
    binaries: { wick: { version: '2', pocket: '' } },
    allbinaries: {
      wick: { version: '2', pocket: 'security' },
      'wick-doc': { version: '2', pocket: 'security', source: 'wick' },
    },
  };
  const database = {
    '7-1': {
      releases: {
        jammy: release,
        noble: { allbinaries: { wick: { version: null } } },
        focal: { sources: null },
      },
    },
    '8-1': { id: '8-1', releases: { jammy: release } },
  };
  const { of: packagesOf } = await readReleasePackages(
    [documentFrom('https://usn.ubuntu.com/', JSON.stringify(database))],
    new Set(['USN-7-1']),
  );
  expect(packagesOf('USN-7-1')).toEqual({
    jammy: [
      source('wick', { version: '2' }),
      source('snuffer'),
      binary('wick', { version: '2', pocket: 'security', is_visible: true }),
      binary('wick-doc', { version: '2', pocket: 'security', is_visible: false }),
    ],
    noble: [binary('wick')],
    focal: [],
  });
  expect(packagesOf('USN-8-1')).toEqual({});
});

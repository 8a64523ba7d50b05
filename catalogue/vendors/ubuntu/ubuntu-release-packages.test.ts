import { describe, expect, test } from 'vitest';
import { documentFrom } from '../../testing/document-from.ts';
import {
  type ReleasePackage,
  readReleasePackages,
  reconcilePackages,
} from './ubuntu-release-packages.ts';

const unknown = { version: null, pocket: null, is_source: null, is_visible: null };
const createPackage = (name: string, more: Partial<ReleasePackage> = {}): ReleasePackage => ({
  ...unknown,
  name,
  ...more,
});
const source = (name: string, more: Partial<ReleasePackage> = {}) =>
  createPackage(name, { is_source: true, ...more });
const binary = (name: string, more: Partial<ReleasePackage> = {}) =>
  createPackage(name, { is_source: false, ...more });

describe('reconcilePackages', () => {
  test('fills missing values and keeps listed ones', () => {
    const known = [
      binary('wick', { version: '2', pocket: 'updates', is_visible: true }),
      source('wick', { version: '2' }),
    ];
    const listed = [source('wick', { version: '1' }), binary('wick', { pocket: 'security' })];
    expect(reconcilePackages(listed, known)).toEqual([
      source('wick', { version: '1' }),
      binary('wick', { version: '2', pocket: 'security', is_visible: true }),
    ]);
    expect(reconcilePackages(listed, [])).toEqual(listed);
  });

  test('corrects a package of the wrong kind, unless it is also listed as the other kind', () => {
    expect(reconcilePackages([binary('wick')], [source('wick', { version: '2' })])).toEqual([
      source('wick', { version: '2' }),
    ]);
    expect(reconcilePackages([createPackage('wick')], [source('wick')])).toEqual([source('wick')]);
    expect(
      reconcilePackages([binary('wick'), source('wick')], [source('wick', { version: '2' })]),
    ).toEqual([binary('wick'), source('wick', { version: '2' })]);
  });

  test('takes a package without a kind for the binary one when both are known', () => {
    expect(reconcilePackages([createPackage('wick')], [source('wick'), binary('wick')])).toEqual([
      binary('wick'),
      source('wick'),
    ]);
  });

  test('completes each of two rows of a package', () => {
    const listed = [binary('wick', { pocket: 'security' }), binary('wick', { pocket: 'updates' })];
    expect(reconcilePackages(listed, [binary('wick', { version: '2' })])).toEqual(
      listed.map((row) => ({ ...row, version: '2' })),
    );
  });

  test('adds packages that are not listed, in an order independent of the database', () => {
    const known = [binary('b'), source('c'), binary('a')];
    const expected = [binary('z'), source('c'), binary('a'), binary('b')];
    expect(reconcilePackages([binary('z')], known)).toEqual(expected);
    expect(reconcilePackages([binary('z')], known.toReversed())).toEqual(expected);
  });
});

test('marks packages of the short list as visible', async () => {
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
  const { getPackages } = await readReleasePackages(
    [documentFrom('https://usn.ubuntu.com/', JSON.stringify(database))],
    new Set(['USN-7-1']),
  );
  expect(getPackages('USN-7-1')).toEqual({
    jammy: [
      source('wick', { version: '2' }),
      source('snuffer'),
      binary('wick', { version: '2', pocket: 'security', is_visible: true }),
      binary('wick-doc', { version: '2', pocket: 'security', is_visible: false }),
    ],
    noble: [binary('wick')],
    focal: [],
  });
  expect(getPackages('USN-8-1')).toEqual({});
});

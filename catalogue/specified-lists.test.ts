/** Compares every list with the specification, word for word, and with what the decisions add. */
import { describe, expect, test } from 'vitest';
import { type CatalogueList, catalogueLists, getList, type ListKey } from './lists.ts';
import { severities } from './schemas/severities.ts';
import { specified } from './testing/specified.ts';
import { thirdPartyCategories } from './vendors/thirdparty/thirdparty-list.ts';
import { kbClassifications } from './vendors/windows/lists/windows-kb-base-list.ts';

/** Additions of the decisions: sources and addresses of calls, in section 1. */
interface Decided {
  readonly source: CatalogueList['source'];
  readonly searchPath: string;
  readonly detailPath: string;
  /** Criteria that the product adds. */
  readonly alsoSearchable?: readonly string[];
  /** Names for values that the specification describes without naming them. */
  readonly alsoHolds?: readonly string[];
}

// One list holds all releases of a distribution.
const rpm = { alsoSearchable: ['osVersion'] };
// The newest come first.
const dpkg = { alsoSearchable: ['releaseDate'] };

const decided: Readonly<Record<keyof typeof specified.listRoutes, Decided>> = {
  patch_repository: {
    source: 'wsus',
    searchPath: '/windows/kb/search',
    detailPath: '/windows/kb/{id}',
    alsoSearchable: ['superseded', 'exploited', 'publiclyDisclosed'],
  },
  kb_repository: {
    source: 'wsus',
    searchPath: '/windows/patch/search/kb-base',
    detailPath: '/windows/patch/kb-base/{id}',
    alsoSearchable: ['superseded'],
  },
  patch: {
    source: 'wsus',
    searchPath: '/windows/patch/search/patch-list',
    detailPath: '/windows/patch/patch-list/{id}',
    alsoSearchable: ['superseded'],
  },
  linux_notice: {
    source: 'ubuntu',
    searchPath: '/linux/linuxnotice/search',
    detailPath: '/linux/linuxnotice/{id}',
    alsoSearchable: ['priority'],
  },
  linux_patch_repository: {
    source: 'ubuntu',
    searchPath: '/linuxpatch/search',
    detailPath: '/linuxpatch/{id}',
    alsoHolds: ['sourcePkgName', 'sourcePkgVersion', 'binaryPkgName', 'binaryPkgVersion'],
  },
  centos_patch: {
    source: 'centOs',
    searchPath: '/linux/co/search',
    detailPath: '/linux/co/{id}',
    ...rpm,
  },
  opensuse_patch: {
    source: 'opensuse',
    searchPath: '/linux/opensusepatch/search',
    detailPath: '/linux/opensusepatch/{id}',
    // zypper takes these.
    alsoSearchable: ['osVersion', 'patchName'],
  },
  almalinux_patch: {
    source: 'almaLinux',
    searchPath: '/linux/almalinux/search',
    detailPath: '/linux/almalinux/{id}',
    ...rpm,
  },
  rockylinux_patch: {
    source: 'rockyLinux',
    searchPath: '/linux/rockylinux/search',
    detailPath: '/linux/rockylinux/{id}',
    ...rpm,
  },
  oracle_linux_patch: {
    source: 'oracleLinux',
    searchPath: '/linux/oraclelinux/search',
    detailPath: '/linux/oraclelinux/{id}',
    ...rpm,
  },
  debian_patch: {
    source: 'debian',
    searchPath: '/linux/debianpatch/search',
    detailPath: '/linux/debianpatch/{id}',
    ...dpkg,
  },
  pardus_patch: {
    source: 'pardus',
    searchPath: '/linux/parduspatch/search',
    detailPath: '/linux/parduspatch/{id}',
    ...dpkg,
  },
  macos_patch: {
    source: 'mac',
    searchPath: '/linux/macospatch/search',
    detailPath: '/macospatch/{id}',
    // Users look for a release by what it fixes.
    alsoSearchable: ['cve', 'exploited'],
  },
  thirdparty_patch: {
    source: 'thirdParty',
    searchPath: '/windows/thirdparty/patch/search',
    detailPath: '/windows/thirdparty/patch/{id}',
  },
  floto_user: {
    source: null,
    searchPath: '/windows/user/search',
    detailPath: '/windows/user/{id}',
  },
};

test('has a list for every product area of the specification', () => {
  expect(specified.productAreas).toHaveLength(14);
  expect(catalogueLists.map(({ key }) => key)).toEqual(
    expect.arrayContaining([...specified.productAreas]),
  );
});

describe.each(Object.keys(decided) as (keyof typeof decided)[])('%s as specified', (key) => {
  const { alsoSearchable: _, alsoHolds = [], ...addresses } = decided[key];

  test('has the source and addresses', () => {
    expect(getList(key)).toMatchObject({ ...addresses, route: specified.listRoutes[key] });
  });

  test('has the specified fields in its records', () => {
    const list = getList(key);
    const { facts, tables } = list.detail;
    // The record's row number.
    const names = ['id', ...Object.keys({ ...list.fields, ...facts, ...tables })];
    expect(names).toEqual(expect.arrayContaining([...specified.items[key], ...alsoHolds]));
  });
});

describe.each(Object.entries(specified.defaultColumns) as [ListKey, readonly string[]][])(
  '%s as specified',
  (key, columns) => {
    test('has the default columns, in order', () => {
      expect(getList(key).columns).toEqual(columns);
    });
  },
);

describe.each(Object.entries(specified.searchable) as [keyof typeof decided, readonly string[]][])(
  '%s as specified',
  (key, names) => {
    test('has the searchable fields', () => {
      const { searchable, filterName } = getList(key);
      const wireNames = searchable.map((name) => filterName[name] ?? name);
      const added = [...(decided[key].alsoSearchable ?? []), ...riskFields(key)];
      expect(wireNames.toSorted()).toEqual([...new Set([...names, ...added])].toSorted());
    });
  },
);

/** Returns the risk criteria, which every list whose records mention CVEs offers. */
const riskFields = (key: ListKey) =>
  Object.entries(getList(key).fields).flatMap(([name, { risk }]) =>
    risk === undefined ? [] : [name],
  );

const columnNames = (key: ListKey) => [
  'id',
  ...Object.keys(getList(key).detail.tables.releasePackages?.fields ?? {}),
];

test('shows the release packages of notices and third-party applications', () => {
  expect(columnNames('linux_notice')).toEqual(
    expect.arrayContaining([...specified.noticeReleasePackage]),
  );
  expect(columnNames('thirdparty_patch')).toEqual(
    expect.arrayContaining([...specified.thirdPartyReleasePackage]),
  );
});

test('has the option lists', () => {
  expect(severities.toSorted()).toEqual(specified.options.severity.toSorted());
  expect(thirdPartyCategories).toEqual(specified.options.thirdPartyCategory);
  expect(kbClassifications).toEqual(specified.options.kbClassification);
});

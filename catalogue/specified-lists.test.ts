/** Every list against the specification, word for word, and what the decisions add. */
import { describe, expect, test } from 'vitest';
import { type CatalogueList, catalogueLists, type ListKey, listOfKey } from './lists.ts';
import { severities } from './schemas/severities.ts';
import { specified } from './testing/specified.ts';
import { thirdPartyCategories } from './vendors/thirdparty/thirdparty-list.ts';
import { kbClassifications } from './vendors/windows/windows-kb-base-list.ts';

/** What the decisions add: sources and addresses of calls, in section 1. */
interface Decided {
  readonly source: CatalogueList['source'];
  readonly searchPath: string;
  readonly detailPath: string;
  /** Criteria that we add. */
  readonly alsoSearchable?: readonly string[];
  /** Names of what the specification describes without naming it. */
  readonly alsoHolds?: readonly string[];
}

// One list holds all releases of a distribution.
const rpm = { alsoSearchable: ['osVersion'] };
// What is newest comes first.
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
    // What zypper takes.
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
    // What a release fixes is what it is looked for by.
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

test('every product area of the specification is a list', () => {
  expect(specified.productAreas).toHaveLength(14);
  expect(catalogueLists.map(({ key }) => key)).toEqual(
    expect.arrayContaining([...specified.productAreas]),
  );
});

describe.each(Object.keys(decided) as (keyof typeof decided)[])('%s as specified', (key) => {
  const { alsoSearchable: _, alsoHolds = [], ...addresses } = decided[key];

  test('source and addresses', () => {
    expect(listOfKey(key)).toMatchObject({ ...addresses, route: specified.listRoutes[key] });
  });

  test('what a record holds', () => {
    const list = listOfKey(key);
    const { facts, tables } = list.detail;
    // The number of its row.
    const held = ['id', ...Object.keys({ ...list.fields, ...facts, ...tables })];
    expect(held).toEqual(expect.arrayContaining([...specified.items[key], ...alsoHolds]));
  });
});

describe.each(Object.entries(specified.defaultColumns) as [ListKey, readonly string[]][])(
  '%s as specified',
  (key, columns) => {
    test('default columns, in order', () => {
      expect(listOfKey(key).columns).toEqual(columns);
    });
  },
);

describe.each(Object.entries(specified.searchable) as [keyof typeof decided, readonly string[]][])(
  '%s as specified',
  (key, names) => {
    test('searchable fields', () => {
      const { searchable, filterName } = listOfKey(key);
      const asked = searchable.map((name) => filterName[name] ?? name);
      const added = [...(decided[key].alsoSearchable ?? []), ...riskOf(key)];
      expect(asked.toSorted()).toEqual([...new Set([...names, ...added])].toSorted());
    });
  },
);

/** What is known of the CVEs that records name can be asked of every list whose records name some. */
const riskOf = (key: ListKey) =>
  Object.entries(listOfKey(key).fields).flatMap(([name, { risk }]) =>
    risk === undefined ? [] : [name],
  );

const columnsOf = (key: ListKey) => [
  'id',
  ...Object.keys(listOfKey(key).detail.tables.releasePackages?.fields ?? {}),
];

test('the release packages of notices and of third-party applications', () => {
  expect(columnsOf('linux_notice')).toEqual(
    expect.arrayContaining([...specified.noticeReleasePackage]),
  );
  expect(columnsOf('thirdparty_patch')).toEqual(
    expect.arrayContaining([...specified.thirdPartyReleasePackage]),
  );
});

test('the option lists', () => {
  expect(severities.toSorted()).toEqual(specified.options.severity.toSorted());
  expect(thirdPartyCategories).toEqual(specified.options.thirdPartyCategory);
  expect(kbClassifications).toEqual(specified.options.kbClassification);
});

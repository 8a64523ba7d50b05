/** Rules that hold for every list, including the next one, and what the specification says about each. */
import { describe, expect, test } from 'vitest';
import { fieldOf } from './definition/list-definition.ts';
import { type CatalogueList, catalogueLists, type ListKey, listOfKey } from './lists.ts';
import { severities } from './schemas/severities.ts';
import { supersedenceTable } from './schemas/supersedence-table.ts';
import { sourceKeys, sourceLabels, vendorSourceKeys } from './sources.ts';
import { namesOfTwoKinds } from './testing/kind-complaints.ts';
import { specified } from './testing/specified.ts';
import { thirdPartyCategories } from './vendors/thirdparty/thirdparty-list.ts';
import { kbClassifications } from './vendors/windows/windows-kb-base-list.ts';

const each = catalogueLists.map((list) => [list.key, list] as const);
const repeated = (words: readonly string[]) =>
  words.filter((word, place) => words.indexOf(word) !== place);

test.each(['key', 'label', 'shortLabel', 'route', 'searchPath', 'detailPath'] as const)(
  'no two lists share a %s',
  (name) => {
    expect(repeated(catalogueLists.map((list) => list[name]))).toEqual([]);
  },
);

test('a date, a link, a number or identifiers in one list are that in every list', () => {
  // A vulnerability is called by its CVE; all other records name several.
  const records = catalogueLists.filter(({ key }) => key !== 'vulnerabilities');
  expect(namesOfTwoKinds(records)).toEqual([]);
});

test('every source has a label of its own and fills a list; those that the wire specifies come first', () => {
  expect(sourceKeys.slice(0, specified.lastSyncDates.length)).toEqual(specified.lastSyncDates);
  expect(repeated(Object.values(sourceLabels))).toEqual([]);
  expect(new Set(catalogueLists.flatMap(({ source }) => source ?? []))).toEqual(
    new Set(vendorSourceKeys),
  );
});

test('a list is found by its key; a key that no list has is refused', () => {
  for (const list of catalogueLists) expect(listOfKey(list.key)).toBe(list);
  expect(() => listOfKey('amiga_patch' as ListKey)).toThrow('There is no list amiga_patch');
});

describe.each(each)('%s', (_key, list) => {
  const names = Object.keys(list.fields);

  test('its columns, criteria, identity and order name its fields, each once', () => {
    for (const place of ['columns', 'searchable', 'identity'] as const) {
      expect(list[place].length).toBeGreaterThan(0);
      expect(repeated(list[place])).toEqual([]);
      for (const name of list[place]) expect(() => fieldOf(list, name)).not.toThrow();
    }
    expect(names).toContain(list.defaultSort.replace(/^-/, ''));
  });

  test('its facets can be pressed, and hold words of a small vocabulary, flags and dates', () => {
    expect(repeated(list.facets)).toEqual([]);
    for (const name of list.facets) {
      expect(list.searchable).toContain(name);
      expect(['choice', 'flag', 'tags', 'date', 'text', 'identifier']).toContain(
        fieldOf(list, name).kind,
      );
    }
  });

  test('is ordered by what has an order: as words, DSA-999-1 comes after DSA-5378-1', () => {
    expect(['date', 'text']).toContain(fieldOf(list, list.defaultSort.replace(/^-/, '')).kind);
  });

  test('a name asked on the wire means one field', () => {
    for (const [name, asked] of Object.entries(list.filterName)) {
      expect(list.searchable).toContain(name);
      // Else the wire's name would hide another criterion.
      expect(asked === name || !list.searchable.includes(asked ?? '')).toBe(true);
    }
    expect(repeated(Object.values(list.filterName) as string[])).toEqual([]);
  });

  test('fields are named so that the filter can ask them, and labelled each by its own words', () => {
    const { facts, tables } = list.detail;
    for (const fields of [
      list.fields,
      facts,
      ...Object.values(tables).map((table) => table.fields),
    ]) {
      for (const name of Object.keys(fields))
        expect(name).toMatch(
          /^(?!(?:and|not|in|like|between|is|null|true|false|id)$)[A-Za-z_]\w*$/,
        );
      expect(repeated(Object.values(fields).map(({ label }) => label))).toEqual([]);
      for (const { choices = [] } of Object.values(fields))
        expect(repeated(choices.map(String))).toEqual([]);
      for (const { page } of Object.values(fields))
        expect(page ?? 'https://{}').toMatch(/^https:\/\/.*\{(digits)?\}/);
    }
  });

  test('its detail adds to the row and hides none of its fields', () => {
    const facts = Object.keys(list.detail.facts);
    const added = ['id', 'firstSeenTime', 'changedTime', 'withdrawnTime'];
    expect(repeated([...added, ...names, ...facts, ...Object.keys(list.detail.tables)])).toEqual(
      [],
    );
  });

  test('its chain of supersedence is drawn from what a record has', () => {
    const { facts, tables, supersedence } = list.detail;
    if (supersedence === undefined) return;
    const fields = { ...list.fields, ...facts };
    const { name, within = name, last = name, older, newer, table } = supersedence;
    for (const one of [name, within, last])
      expect(['identifier', 'text']).toContain(fields[one]?.kind);
    for (const several of [older, newer].filter((one) => one !== undefined))
      expect(fields[several]?.kind).toBe('identifiers');
    const drawn = table === undefined ? supersedenceTable('').fields : tables[table]?.fields;
    expect(Object.keys(drawn ?? {})).toEqual(Object.keys(supersedenceTable('').fields));
    // Its other records are looked for by these.
    expect(list.searchable).toContain(name);
    expect(list.searchable).toContain(within);
  });

  test('what it counts updates by is a field of one value', () => {
    if (list.countedBy === undefined) return;
    expect(list.source).not.toBeNull();
    expect(['identifier', 'text', 'number']).toContain(fieldOf(list, list.countedBy).kind);
  });

  test('its packages stand in a table that it has', () => {
    const { packages, tables } = list.detail;
    if (packages === undefined) return;
    const { table, name, version, source = name } = packages;
    for (const field of [name, version, source])
      expect(tables[table]?.fields[field]?.kind).toBe('identifier');
  });

  test('its paths are paths', () => {
    expect(list.searchPath).toMatch(/^(\/[a-z-]+)+$/);
    expect(list.detailPath).toMatch(/^(\/[a-z-]+)+\/\{id\}$/);
    expect(list.route).toMatch(/^[a-z-]*$/);
  });
});

test('lists of a source that count updates count them by the same field', () => {
  for (const source of sourceKeys) {
    const counted = catalogueLists
      .filter((list) => list.source === source)
      .flatMap(({ countedBy }) => countedBy ?? []);
    expect(new Set(counted).size).toBeLessThanOrEqual(1);
  }
  expect(
    ['patch_repository', 'kb_repository', 'patch'].map(
      (key) => listOfKey(key as ListKey).countedBy,
    ),
  ).toEqual(['kbId', 'kbId', 'kbId']);
});

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

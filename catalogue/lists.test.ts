/** Laws that every list keeps, whoever adds the next one, and what the specification says of each. */
import { describe, expect, test } from 'vitest';
import { fieldOf } from './definition/list-definition.ts';
import { sourceKeys, sourceLabels } from './definition/sources.ts';
import { type CatalogueList, catalogueLists, type ListKey, listOfKey } from './lists.ts';
import { severities } from './shapes/severities.ts';
import { supersedenceTable } from './shapes/supersedence-table.ts';
import { namesOfTwoKinds } from './testing/kind-complaints.ts';
import { thirdPartyCategories } from './vendors/thirdparty/thirdparty-list.ts';
import { kbClassifications } from './vendors/windows/windows-kb-base-list.ts';

const each = catalogueLists.map((list) => [list.key, list] as const);
const repeated = (words: readonly string[]) => words.filter((word, place) => words.indexOf(word) !== place);

test.each(['key', 'label', 'shortLabel', 'route', 'searchPath', 'detailPath'] as const)('no two lists share a %s', (name) => {
  expect(repeated(catalogueLists.map((list) => list[name]))).toEqual([]);
});

test('a date, a link, a number or identifiers in one list are that in every list', () => {
  expect(namesOfTwoKinds(catalogueLists)).toEqual([]);
});

const specifiedSources = 'wsus, ubuntu, centOs, opensuse, debian, pardus, mac, oracleLinux, thirdParty, almaLinux, rockyLinux'.split(', ');

test('every source has a label of its own and fills a list; those that the wire specifies come first', () => {
  expect(sourceKeys.slice(0, specifiedSources.length)).toEqual(specifiedSources);
  expect(repeated(Object.values(sourceLabels))).toEqual([]);
  expect(new Set(catalogueLists.flatMap(({ source }) => source ?? []))).toEqual(new Set(sourceKeys));
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

  test('is ordered by what has an order: as words, DSA-999-1 comes after DSA-5378-1', () => {
    expect(['date', 'text']).toContain(fieldOf(list, list.defaultSort.replace(/^-/, '')).kind);
  });

  test('a name asked on the wire means one field', () => {
    for (const [name, asked] of Object.entries(list.askedAs)) {
      expect(list.searchable).toContain(name);
      // Else the wire's name would hide another criterion.
      expect(asked === name || !list.searchable.includes(asked ?? '')).toBe(true);
    }
    expect(repeated(Object.values(list.askedAs) as string[])).toEqual([]);
  });

  test('fields are named so that the filter can ask them, and labelled each by its own words', () => {
    const { facts, tables } = list.detail;
    for (const fields of [list.fields, facts, ...Object.values(tables).map((table) => table.fields)]) {
      for (const name of Object.keys(fields)) expect(name).toMatch(/^(?!(?:and|not|in|like|between|is|null|true|false|id)$)[A-Za-z_]\w*$/);
      expect(repeated(Object.values(fields).map(({ label }) => label))).toEqual([]);
      for (const { choices = [] } of Object.values(fields)) expect(repeated(choices.map(String))).toEqual([]);
      for (const { page } of Object.values(fields)) expect(page ?? 'https://{}').toMatch(/^https:\/\/.*\{(digits)?\}/);
    }
  });

  test('its detail adds to the row and hides nothing of it', () => {
    const facts = Object.keys(list.detail.facts);
    const added = ['id', 'firstSeenTime', 'changedTime', 'withdrawnTime'];
    expect(repeated([...added, ...names, ...facts, ...Object.keys(list.detail.tables)])).toEqual([]);
  });

  test('its chain of supersedence is drawn from what a record has', () => {
    const { facts, tables, supersedence } = list.detail;
    if (supersedence === undefined) return;
    const fields = { ...list.fields, ...facts };
    const { name, within = name, last = name, older, newer, table } = supersedence;
    for (const one of [name, within, last]) expect(['identifier', 'text']).toContain(fields[one]?.kind);
    for (const several of [older, newer].filter((one) => one !== undefined)) expect(fields[several]?.kind).toBe('identifiers');
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
    for (const field of [name, version, source]) expect(tables[table]?.fields[field]?.kind).toBe('identifier');
  });

  test('its paths are paths', () => {
    expect(list.searchPath).toMatch(/^(\/[a-z-]+)+$/);
    expect(list.detailPath).toMatch(/^(\/[a-z-]+)+\/\{id\}$/);
    expect(list.route).toMatch(/^[a-z-]*$/);
  });
});

test('lists of a source that count updates count them by the same field', () => {
  for (const source of sourceKeys) {
    const counted = catalogueLists.filter((list) => list.source === source).flatMap(({ countedBy }) => countedBy ?? []);
    expect(new Set(counted).size).toBeLessThanOrEqual(1);
  }
  expect(['patch_repository', 'kb_repository', 'patch'].map((key) => listOfKey(key as ListKey).countedBy)).toEqual([
    'kbId',
    'kbId',
    'kbId',
  ]);
});

/** Section 3 of the specification, and section 1 of the decisions for source and addresses. */
interface Specified {
  readonly source: CatalogueList['source'];
  readonly route: string;
  readonly searchPath: string;
  readonly detailPath: string;
  /** The default columns; null where the specification has none. */
  readonly columns: string | null;
  /** As the wire asks for them; null where the specification has none. */
  readonly searchable: string | null;
  /** Criteria that we add. */
  readonly alsoSearchable?: string;
  /** What a record holds, in its row or its detail. */
  readonly holds: string;
}

const rpm = {
  columns: 'title, releaseDate, bulletinId, severity, binaryPkgName, category',
  searchable: 'bulletinId, severity, category, title, releaseDate',
  // One list holds all releases of a distribution.
  alsoSearchable: 'osVersion',
  holds: 'title, releaseDate, bulletinId, severity, binaryPkgName, category',
};
const dpkg = {
  columns: 'title, pkgName, osVersion, bulletinId, priority, pkgAndVersion',
  searchable: 'title, pkgName, osVersion, bulletinId, priority, pkgAndVersion',
  // What is newest comes first.
  alsoSearchable: 'releaseDate',
  holds: 'title, pkgName, osVersion, bulletinId, pkgAndVersion, priority',
};

const specified: Partial<Record<ListKey, Specified>> = {
  patch_repository: {
    source: 'wsus',
    route: '',
    searchPath: '/windows/kb/search',
    detailPath: '/windows/kb/{id}',
    columns: 'releaseDate, id, name, productName, paramName, component, kbId, severity, impact',
    searchable:
      'id, name, productName, component, kbId, impact, latestKb, cve, supersedes, severity, releaseDate, updatedTime, createdTime',
    alsoSearchable: 'superseded, exploited, publiclyDisclosed',
    holds:
      'createdAt, updatedAt, component, productName, kbId, kbBaseId, severity, impact, title, uuid, classification, description, releaseDate, latestKb, cve, supersededBy, size, restartBehaviour, referenceLink, downloadUrl, supportUninstallation, architecture, fileDetails, kbIdToBeInstalled',
  },
  kb_repository: {
    source: 'wsus',
    route: 'kb-base',
    searchPath: '/windows/patch/search/kb-base',
    detailPath: '/windows/patch/kb-base/{id}',
    columns: 'kbId, title, releaseDate, category, severity, productName',
    searchable: 'title, uuid, kbId, products, arch, restartBehaviour, cabExists, severity, classification, releaseDate',
    alsoSearchable: 'superseded',
    holds:
      'kbId, title, releaseDate, category, severity, productName, size, architecture, restartBehaviour, supportUninstallation, cabExists, uuid',
  },
  patch: {
    source: 'wsus',
    route: 'patch-list',
    searchPath: '/windows/patch/search/patch-list',
    detailPath: '/windows/patch/patch-list/{id}',
    columns: 'uuid, title, releaseDate, kbId, severity, supportUrl',
    searchable: 'title, uuid, kbId, severity, releaseDate',
    alsoSearchable: 'superseded',
    holds:
      'uuid, title, releaseDate, bulletinId, kbId, severity, supportUrl, description, fileDetails, architecture, superseded, restartBehaviour, category, updatedAt',
  },
  linux_notice: {
    source: 'ubuntu',
    route: 'linux-notice',
    searchPath: '/linux/linuxnotice/search',
    detailPath: '/linux/linuxnotice/{id}',
    columns: null,
    searchable: 'title, affectedOs, id, releaseDate',
    alsoSearchable: 'priority',
    holds: 'noticeId, title, affectedOs, published, releaseDate, updatedTime',
  },
  linux_patch_repository: {
    source: 'ubuntu',
    route: 'linux-patch-repository',
    searchPath: '/linuxpatch/search',
    detailPath: '/linuxpatch/{id}',
    columns: null,
    searchable: null,
    holds:
      'patchId, title, sourcePkgName, sourcePkgVersion, binaryPkgName, binaryPkgVersion, releaseDate, distribution, urgency, priority, arch',
  },
  centos_patch: { source: 'centOs', route: 'centos-patch', searchPath: '/linux/co/search', detailPath: '/linux/co/{id}', ...rpm },
  opensuse_patch: {
    source: 'opensuse',
    route: 'opensuse-patch',
    searchPath: '/linux/opensusepatch/search',
    detailPath: '/linux/opensusepatch/{id}',
    ...rpm,
    // What zypper takes.
    alsoSearchable: 'osVersion, patchName',
  },
  almalinux_patch: {
    source: 'almaLinux',
    route: 'almalinux-patch',
    searchPath: '/linux/almalinux/search',
    detailPath: '/linux/almalinux/{id}',
    ...rpm,
  },
  rockylinux_patch: {
    source: 'rockyLinux',
    route: 'rockylinux-patch',
    searchPath: '/linux/rockylinux/search',
    detailPath: '/linux/rockylinux/{id}',
    ...rpm,
  },
  oracle_linux_patch: {
    source: 'oracleLinux',
    route: 'oraclelinux-patch',
    searchPath: '/linux/oraclelinux/search',
    detailPath: '/linux/oraclelinux/{id}',
    ...rpm,
  },
  debian_patch: {
    source: 'debian',
    route: 'debian-patch',
    searchPath: '/linux/debianpatch/search',
    detailPath: '/linux/debianpatch/{id}',
    ...dpkg,
  },
  pardus_patch: {
    source: 'pardus',
    route: 'pardus-patch',
    searchPath: '/linux/parduspatch/search',
    detailPath: '/linux/parduspatch/{id}',
    ...dpkg,
  },
  macos_patch: {
    source: 'mac',
    route: 'macos-patch',
    searchPath: '/linux/macospatch/search',
    detailPath: '/macospatch/{id}',
    columns: 'productKey, title, releaseDate, osVersion',
    searchable: 'title, productKey, osVersion, releaseDate',
    // What a release fixes is what it is looked for by.
    alsoSearchable: 'cve, exploited',
    holds: 'title, productKey, releaseDate, osVersion, packages, description, version, distributionFileName, createdTime, updatedTime',
  },
  thirdparty_patch: {
    source: 'thirdParty',
    route: 'thirdparty-patch',
    searchPath: '/windows/thirdparty/patch/search',
    detailPath: '/windows/thirdparty/patch/{id}',
    columns: 'uuid, name, manufacturer, description, category',
    searchable: 'uuid, name, manufacturer, category',
    holds: 'name, uuid, manufacturer, description, category',
  },
  floto_user: {
    source: null,
    route: 'floto-user',
    searchPath: '/windows/user/search',
    detailPath: '/windows/user/{id}',
    columns: 'clientName, licenseType, licenseExpiry, activationCode, repoUpdatedOn, registeredOn, applicationVersion',
    searchable: 'clientName, licenseType, activationCode, applicationVersion, licenseExpiry, repoUpdatedOn, registeredOn',
    holds: 'clientName, licenseType, licenseExpiry, activationCode, repoUpdatedOn, latestKbRequestOn, registeredOn, applicationVersion',
  },
};

const named = (names: string | undefined) => names?.split(', ') ?? [];

describe.each(Object.entries(specified) as [ListKey, Specified][])('%s as specified', (key, ofList) => {
  const list = listOfKey(key);
  const { columns, searchable, alsoSearchable, holds, ...addresses } = ofList;

  test('source and addresses', () => {
    expect(list).toMatchObject(addresses);
  });

  test('default columns, in order', () => {
    expect(list.columns).toEqual(columns === null ? list.columns : named(columns));
  });

  test('searchable fields', () => {
    const asked = list.searchable.map((name) => list.askedAs[name] ?? name).toSorted();
    expect(asked).toEqual(searchable === null ? asked : [...named(searchable), ...named(alsoSearchable)].toSorted());
  });

  test('what a record holds', () => {
    const { facts, tables } = list.detail;
    expect(Object.keys({ ...list.fields, ...facts, ...tables })).toEqual(expect.arrayContaining(named(holds)));
  });
});

const columnsOf = (key: ListKey) => Object.keys(listOfKey(key).detail.tables.releasePackages?.fields ?? {});

test('the release packages of notices and of third-party applications', () => {
  expect(columnsOf('linux_notice')).toEqual(expect.arrayContaining(['name', 'version', 'osVersion', 'pocket', 'is_source', 'is_visible']));
  expect(columnsOf('thirdparty_patch')).toEqual(
    expect.arrayContaining(['name', 'downloadUrl', 'osArch', 'osPlatform', 'osVersion', 'version']),
  );
});

test('the option lists', () => {
  expect(severities.toSorted()).toEqual(['Critical', 'Important', 'Low', 'Moderate', 'None', 'Unspecified']);
  expect(thirdPartyCategories).toEqual(['COMPRESSION', 'BROWSER', 'OFFICE']);
  expect(kbClassifications).toEqual([
    'Critical Updates',
    'Definition Updates',
    'Feature Packs',
    'Security Updates',
    'Service Packs',
    'Tools',
    'Update Rollups',
    'Updates',
    'Upgrades',
    'Hotfix',
  ]);
});

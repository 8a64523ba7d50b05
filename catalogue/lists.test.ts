/** Rules for every list, including future ones. */
import { describe, expect, test } from 'vitest';
import { getField, isCriterionOnly } from './definition/list-definition.ts';
import { catalogueLists, getList, type ListKey } from './lists.ts';
import { supersedenceTable } from './schemas/supersedence-table.ts';
import { sourceKeys, sourceLabels, vendorSourceKeys } from './sources.ts';
import { namesOfTwoKinds } from './testing/kind-complaints.ts';
import { specified } from './testing/specified.ts';

const each = catalogueLists.map((list) => [list.key, list] as const);
const repeated = (words: readonly string[]) =>
  words.filter((word, index) => words.indexOf(word) !== index);

test.each(['key', 'label', 'shortLabel', 'route', 'searchPath', 'detailPath'] as const)(
  'no two lists share a %s',
  (name) => {
    expect(repeated(catalogueLists.map((list) => list[name]))).toEqual([]);
  },
);

test('uses one kind for a name in all lists', () => {
  // A vulnerability has one CVE as its name; all other records mention several.
  const records = catalogueLists.filter(({ key }) => key !== 'vulnerabilities');
  expect(namesOfTwoKinds(records)).toEqual([]);
});

test('labels every source, with the specified ones first', () => {
  expect(sourceKeys.slice(0, specified.lastSyncDates.length)).toEqual(specified.lastSyncDates);
  expect(repeated(Object.values(sourceLabels))).toEqual([]);
  expect(new Set(catalogueLists.flatMap(({ source }) => source ?? []))).toEqual(
    new Set(vendorSourceKeys),
  );
});

test('finds a list by its key and refuses an unknown key', () => {
  for (const list of catalogueLists) expect(getList(list.key)).toBe(list);
  expect(() => getList('amiga_patch' as ListKey)).toThrow('Unknown list amiga_patch');
});

describe.each(each)('%s', (_key, list) => {
  const names = Object.keys(list.fields);

  test('names existing fields in its columns, criteria, identity and order, each once', () => {
    for (const property of ['columns', 'searchable', 'identity'] as const) {
      expect(list[property].length).toBeGreaterThan(0);
      expect(repeated(list[property])).toEqual([]);
      for (const name of list[property]) expect(() => getField(list, name)).not.toThrow();
    }
    expect(names).toContain(list.defaultSort.replace(/^-/, ''));
  });

  test('has facets of a small vocabulary, flags, dates and criteria', () => {
    expect(repeated(list.facets)).toEqual([]);
    for (const name of list.facets) {
      expect(list.searchable).toContain(name);
      if (isCriterionOnly(list, name)) continue;
      expect(['choice', 'flag', 'tags', 'date', 'text', 'identifier']).toContain(
        getField(list, name).kind,
      );
    }
  });

  test('sorts by dates or text by default, not by identifiers, whose order as words is wrong', () => {
    expect(['date', 'text']).toContain(getField(list, list.defaultSort.replace(/^-/, '')).kind);
  });

  test('maps a name on the wire to one field', () => {
    for (const [name, wireName] of Object.entries(list.filterName)) {
      expect(list.searchable).toContain(name);
      // Otherwise the wire's name would hide another criterion.
      expect(wireName === name || !list.searchable.includes(wireName ?? '')).toBe(true);
    }
    expect(repeated(Object.values(list.filterName) as string[])).toEqual([]);
  });

  test('has field names that the filter grammar accepts, and distinct labels', () => {
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

  test('has detail names that hide none of its fields', () => {
    const facts = Object.keys(list.detail.facts);
    const added = ['id', 'firstSeenTime', 'changedTime', 'withdrawnTime'];
    expect(repeated([...added, ...names, ...facts, ...Object.keys(list.detail.tables)])).toEqual(
      [],
    );
  });

  test('draws its chain of supersedence from existing fields', () => {
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
    // Lookups find its other records by these.
    expect(list.searchable).toContain(name);
    expect(list.searchable).toContain(within);
  });

  test('counts updates by a field of one value', () => {
    if (list.countedBy === undefined) return;
    expect(list.source).not.toBeNull();
    expect(['identifier', 'text', 'number']).toContain(getField(list, list.countedBy).kind);
  });

  test('has the table of its packages', () => {
    const { packages, tables } = list.detail;
    if (packages === undefined) return;
    const { table, name, version, source = name } = packages;
    for (const field of [name, version, source])
      expect(tables[table]?.fields[field]?.kind).toBe('identifier');
  });

  test('has valid paths', () => {
    expect(list.searchPath).toMatch(/^(\/[a-z-]+)+$/);
    expect(list.detailPath).toMatch(/^(\/[a-z-]+)+\/\{id\}$/);
    expect(list.route).toMatch(/^[a-z-]*$/);
  });
});

test('counts updates of one source by the same field in all its lists', () => {
  for (const source of sourceKeys) {
    const counted = catalogueLists
      .filter((list) => list.source === source)
      .flatMap(({ countedBy }) => countedBy ?? []);
    expect(new Set(counted).size).toBeLessThanOrEqual(1);
  }
  expect(
    ['patch_repository', 'kb_repository', 'patch'].map((key) => getList(key as ListKey).countedBy),
  ).toEqual(['kbId', 'kbId', 'kbId']);
});

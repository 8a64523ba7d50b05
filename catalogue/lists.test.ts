/** Rules that hold for every list, including the next one. */
import { describe, expect, test } from 'vitest';
import { fieldOf } from './definition/list-definition.ts';
import { catalogueLists, type ListKey, listOfKey } from './lists.ts';
import { supersedenceTable } from './schemas/supersedence-table.ts';
import { sourceKeys, sourceLabels, vendorSourceKeys } from './sources.ts';
import { namesOfTwoKinds } from './testing/kind-complaints.ts';
import { specified } from './testing/specified.ts';

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

import { expect, test } from 'vitest';
import { identifier, text } from './fields.ts';
import {
  defineList,
  getField,
  isFilterable,
  type ListDefinition,
  resolveField,
} from './list-definition.ts';

const list = defineList({
  key: 'boats',
  label: 'Boats',
  shortLabel: 'Boats',
  source: null,
  route: 'boats',
  searchPath: '/boats/search',
  detailPath: '/boats/{id}',
  fields: { sailNumber: identifier('Sail number'), harbour: text('Harbour') },
  columns: ['sailNumber'],
  searchable: ['sailNumber', 'harbour'],
  filterName: { sailNumber: 'id' },
  identity: ['sailNumber'],
  defaultSort: '-harbour',
}) as unknown as ListDefinition;

test('resolves a field by its own name and by its name on the wire', () => {
  expect(resolveField(list, 'harbour')).toBe('harbour');
  expect(resolveField(list, 'sailNumber')).toBe('sailNumber');
  expect(resolveField(list, 'id')).toBe('sailNumber');
  expect(resolveField({ ...list, filterName: {} }, 'id')).toBe('id');
  for (const name of ['mast', '', 'toString', '__proto__'])
    expect(resolveField(list, name)).toBeUndefined();
});

test('finds a field by its name, and `id` in every list', () => {
  expect(getField(list, 'harbour').label).toBe('Harbour');
  expect(getField(list, 'id').kind).toBe('number');
  for (const name of ['mast', 'constructor'])
    expect(() => getField(list, name)).toThrow(`boats has no field ${name}`);
});

test('filters by searchable fields and by the revision', () => {
  expect(['harbour', 'revision', 'id', 'mast'].map((name) => isFilterable(list, name))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(getField(list, 'revision').kind).toBe('number');
});

test('fills in omitted options with empty values', () => {
  const { countedBy: _, titleFacts: _facts, filterName: _names, ...written } = list;
  expect(list.detail).toEqual({ facts: {}, tables: {} });
  const harbours = defineList({
    ...written,
    fields: { harbour: text('Harbour') },
    columns: ['harbour'],
    searchable: ['harbour'],
    identity: ['harbour'],
    facets: ['harbour'],
    defaultSort: 'harbour',
  });
  expect(harbours.filterName).toEqual({});
  expect(harbours.titleFacts).toEqual([]);
});

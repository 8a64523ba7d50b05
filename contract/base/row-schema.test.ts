import type { FieldKind } from '@patch/catalogue/definition/field-kinds.ts';
import type { Fields } from '@patch/catalogue/definition/fields.ts';
import { catalogueLists } from '@patch/catalogue/lists.ts';
import { describe, expect, test } from 'vitest';
import { detailSchema, rowSchema, type WireValue } from './row-schema.ts';

const sample: Record<FieldKind, WireValue> = {
  text: 'Security update',
  prose: 'One line\nand another',
  identifier: 'KB5034441',
  identifiers: ['CVE-2024-3094'],
  tags: ['x64', 'arm64'],
  choice: 'A word that the vendor invented',
  number: 3,
  decimal: 9.8,
  size: 10_485_760,
  date: 1_700_000_000_000,
  flag: false,
  link: 'https://example.org/',
};
const filled = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, { kind }]) => [name, sample[kind]]));
const times = { firstSeenTime: 1, changedTime: 2, withdrawnTime: null };

describe.each(catalogueLists.map((list) => [list.key, list] as const))('%s', (_key, list) => {
  const row = { id: 1, ...filled(list.fields) };
  const tables = Object.fromEntries(
    Object.entries(list.detail.tables).map(([name, { fields }]) => [name, [filled(fields), {}]]),
  );
  const detail = { ...row, ...filled(list.detail.facts), ...tables, ...times };

  test('accepts a row with every field, without fields, and with null for each', () => {
    const schema = rowSchema(list);
    expect(schema.parse(row)).toEqual(row);
    expect(schema.parse({ id: 1 })).toEqual({ id: 1 });
    const empty = {
      id: 1,
      ...Object.fromEntries(Object.keys(list.fields).map((name) => [name, null])),
    };
    expect(schema.parse(empty)).toEqual(empty);
  });

  test('accepts a complete detail, and empty tables', () => {
    const schema = detailSchema(list);
    expect(schema.parse(detail)).toEqual(detail);
    const noTables = Object.fromEntries(Object.keys(list.detail.tables).map((name) => [name, []]));
    expect(() => schema.parse({ id: 1, ...noTables, ...times })).not.toThrow();
  });

  test.each(Object.keys(list.fields))('refuses another type of %s', (name) => {
    expect(rowSchema(list).safeParse({ ...row, [name]: { of: 'another type' } }).success).toBe(
      false,
    );
  });

  test('refuses a row without its number', () => {
    expect(rowSchema(list).safeParse({ ...row, id: undefined }).success).toBe(false);
    expect(rowSchema(list).safeParse({ ...row, id: '1' }).success).toBe(false);
  });
});

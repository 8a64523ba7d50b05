import { choice, identifier, number } from '@patch/catalogue/definition/fields.ts';
import { expect, test } from 'vitest';
import { filterRows, sortRows } from './table-rows.ts';

const fields = {
  name: identifier('Name'),
  version: identifier('Version'),
  size: number('Size'),
  severity: choice('Severity', ['Low', 'High']),
};
const rows = [
  { name: 'openssl', version: '3.0.10', size: 5, severity: 'High' },
  { name: 'openssl-libs', version: '3.0.9', size: 40, severity: 'Low' },
  { name: 'kernel', version: null, size: null, severity: null },
];
const names = (sorted: readonly { readonly name?: unknown }[]) => sorted.map(({ name }) => name);

test('filterRows returns rows that contain all words, in any field', () => {
  expect(names(filterRows(rows, 'SSL 3.0.9'))).toEqual(['openssl-libs']);
  expect(filterRows(rows, '  ')).toBe(rows);
  expect(filterRows(rows, 'nothing')).toEqual([]);
});

test('sortRows orders numbers, ranks and versions naturally, with missing values last', () => {
  expect(names(sortRows(rows, fields, 'version'))).toEqual(['openssl-libs', 'openssl', 'kernel']);
  expect(names(sortRows(rows, fields, '-version'))).toEqual(['openssl', 'openssl-libs', 'kernel']);
  expect(names(sortRows(rows, fields, '-size'))).toEqual(['openssl-libs', 'openssl', 'kernel']);
  expect(names(sortRows(rows, fields, 'severity'))).toEqual(['openssl-libs', 'openssl', 'kernel']);
  expect(sortRows(rows, fields, '')).toBe(rows);
});
